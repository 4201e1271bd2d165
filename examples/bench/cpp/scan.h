// Prefix sums.
#pragma once

#include <vector>
#include <omp.h>

#include "data.h"

// SCAN defines name_omp and name_tuned: a scan by OpenMP, and one in which each thread sums
// its share, and then scans it from what comes before.
#define SCAN(name, type, x, z, kind, before, after) \
	static double name##_omp(size_t n, int w) { \
		type s = 0; \
		PRAGMA(omp parallel for reduction(inscan, + : s) num_threads(w)) \
		for (size_t i = 0; i < n; i++) { \
			before; \
			PRAGMA(omp scan kind(s)) \
			after; \
		} \
		return 0; \
	} \
	static double name##_tuned(size_t n, int w) { \
		std::vector<type> sums(w + 1); \
		PRAGMA(omp parallel num_threads(w)) { \
			size_t t = omp_get_thread_num(), begin = n * t / w, end = n * (t + 1) / w; \
			type s = 0; \
			PRAGMA(omp simd reduction(+ : s)) \
			for (size_t i = begin; i < end; i++) s += x[i]; \
			sums[t + 1] = s; \
			PRAGMA(omp barrier) \
			s = 0; \
			for (size_t k = 1; k <= t; k++) s += sums[k]; \
			for (size_t i = begin; i < end; i++) { \
				before; \
				after; \
			} \
		} \
		return 0; \
	}

SCAN(scan, double, x, z, exclusive, z[i] = s, s += x[i])
SCAN(scan_inclusive, double, x, z, inclusive, s += x[i], z[i] = s)
SCAN(scan_int32, uint32_t, counts, ints, exclusive, ints[i] = s, s += counts[i])
