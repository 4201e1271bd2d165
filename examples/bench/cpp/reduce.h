// Reductions of the items, and loops over them.
#pragma once

#include <algorithm>
#include <climits>
#include <limits>

#include "data.h"

static const double infinity = std::numeric_limits<double>::infinity();

struct ValLoc { double val; long loc; };
#pragma omp declare reduction(minloc : ValLoc : \
	omp_out = omp_in.val < omp_out.val || (omp_in.val == omp_out.val && omp_in.loc < omp_out.loc) ? omp_in : omp_out) \
	initializer(omp_priv = ValLoc{infinity, LONG_MAX})

// ITEMS defines a function that loops over the items under a pragma. PAIR defines
// name_omp and name_simd: the same loop without and with omp simd.
#define ITEMS(name, pragma, variables, result, ...) \
	static double name(size_t n, int w) { \
		variables; \
		PRAGMA(omp pragma num_threads(w)) \
		for (size_t i = 0; i < n; i++) __VA_ARGS__ \
		return result; \
	}
#define PAIR(name, variables, reductions, result, ...) \
	ITEMS(name##_omp, parallel for reductions, variables, result, __VA_ARGS__) \
	ITEMS(name##_simd, parallel for simd reductions, variables, result, __VA_ARGS__)

PAIR(sum, double s = 0, reduction(+ : s), s, s += x[i];)
PAIR(dot, double s = 0, reduction(+ : s), s, s += x[i] * y[i];)
PAIR(min, double s = infinity, reduction(min : s), s, s = x[i] < s ? x[i] : s;)
PAIR(minmax, double lo = infinity; double hi = -lo, reduction(min : lo) reduction(max : hi), hi - lo, {
	lo = x[i] < lo ? x[i] : lo;
	hi = x[i] > hi ? x[i] : hi;
})
PAIR(fused4, double s = 0; double q = 0; double lo = infinity; double hi = -lo,
	reduction(+ : s, q) reduction(min : lo) reduction(max : hi), s + q + lo + hi, {
	s += x[i];
	q += x[i] * x[i];
	lo = x[i] < lo ? x[i] : lo;
	hi = x[i] > hi ? x[i] : hi;
})
PAIR(axpy, a = -a, , 0, z[i] += a * x[i];)
PAIR(triad, , , 0, z[i] = x[i] + 0.5 * y[i];)

static double minloc_omp(size_t n, int w) {
	ValLoc s{infinity, LONG_MAX};
#pragma omp parallel for reduction(minloc : s) num_threads(w)
	for (size_t i = 0; i < n; i++)
		if (x[i] < s.val) s = ValLoc{x[i], long(i)};
	return double(s.loc);
}

// minloc_simd finds the minimum of a block with omp simd, and where it is if it is less.
static double minloc_simd(size_t n, int w) {
	ValLoc s{infinity, LONG_MAX};
	const size_t block = 1024;
#pragma omp parallel for reduction(minloc : s) num_threads(w)
	for (size_t begin = 0; begin < n; begin += block) {
		size_t end = std::min(begin + block, n);
		double m = infinity;
#pragma omp simd reduction(min : m)
		for (size_t i = begin; i < end; i++) m = x[i] < m ? x[i] : m;
		if (m < s.val)
			for (size_t i = begin; i < end; i++)
				if (x[i] == m) {
					s = ValLoc{m, long(i)};
					break;
				}
	}
	return double(s.loc);
}

static double land_omp(size_t n, int w) {
	bool all = true;
#pragma omp parallel for reduction(&& : all) num_threads(w)
	for (size_t i = 0; i < n; i++) all = all && b[i];
	return all;
}

static double land_simd(size_t n, int w) {
	unsigned char all = 1;
	const unsigned char *p = (const unsigned char *)b;
#pragma omp parallel for simd reduction(& : all) num_threads(w)
	for (size_t i = 0; i < n; i++) all &= p[i];
	return all;
}

static double iterate(double v) {
	for (int k = 0; k < 100; k++) v = 0.5 * (v * v - v + 0.25);
	return v;
}

static double compute_omp(size_t n, int w) {
	double s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(w)
	for (size_t i = 0; i < n; i++) s += iterate(x[i]);
	return s;
}

static double launch_for(size_t n, int w) {
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < n; i++) asm volatile("");
	return 0;
}
