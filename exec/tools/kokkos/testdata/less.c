/* A library that has one function: all others are optional. */
#include <stdint.h>

static int ends;

void kokkosp_end_parallel_for(uint64_t id) { ends += id == 0; }
int test_ends(void) { return ends; }
