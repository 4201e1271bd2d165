// The loops of compiled kernels with the bits that Go has. This file is compiled by itself, with
// -ffp-contract=off -fno-math-errno.
#include <cmath>
#include <cstddef>

#include "numbers.h"
#include "programs.h"

using std::size_t;

extern double *x, *y, *z, a;

namespace strict {
#define LOOP __attribute__((noinline))
#include "loops.inc"
}
