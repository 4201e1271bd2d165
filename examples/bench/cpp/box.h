// Loops over the points of a box.
#pragma once

#include <algorithm>

#include "data.h"

// BOX2 and BOX3 define name_omp and name_simd: a loop over the points inside of a square or a
// cube, of which p is one of x and k its number.
#define INNER(name, variables, simd, reductions, result, ...) \
	static double name(size_t n, int w) { \
		size_t m = edge(n); \
		variables; \
		PRAGMA(omp parallel for num_threads(w) reductions) \
		for (size_t i = 1; i < m - 1; i++) { \
			simd \
			for (size_t j = 1; j < m - 1; j++) { \
				size_t k = i * m + j; \
				const double *p = x + k; \
				__VA_ARGS__ \
			} \
		} \
		return result; \
	}
#define BOX2(name, variables, reductions, result, ...) \
	INNER(name##_omp, variables, , reductions, result, __VA_ARGS__) \
	INNER(name##_simd, variables, PRAGMA(omp simd reductions), reductions, result, __VA_ARGS__)
#define INNER3(name, simd, ...) \
	static double name(size_t n, int w) { \
		size_t m = edge3(n); \
		PRAGMA(omp parallel for collapse(2) num_threads(w)) \
		for (size_t i = 1; i < m - 1; i++) \
			for (size_t j = 1; j < m - 1; j++) { \
				simd \
				for (size_t l = 1; l < m - 1; l++) { \
					size_t k = (i * m + j) * m + l; \
					const double *p = x + k; \
					__VA_ARGS__ \
				} \
			} \
		return 0; \
	}
#define BOX3(name, ...) \
	INNER3(name##_omp, , __VA_ARGS__) \
	INNER3(name##_simd, PRAGMA(omp simd), __VA_ARGS__)

BOX2(stencil2, , , 0, z[k] = 0.25 * (p[-m] + p[m] + p[-1] + p[1]) - p[0];)
BOX2(residual, double s = 0, reduction(+ : s), s, {
	double r = 0.25 * (p[-m] + p[m] + p[-1] + p[1]) - p[0];
	s += r * r;
})
BOX3(stencil3, z[k] = 0.125 * (p[-m * m] + p[m * m] + p[-m] + p[m] + p[-1] + p[1]) - p[0];)

static double transpose_omp(size_t n, int w) {
	size_t m = edge(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < m; j++) z[j * m + i] = x[i * m + j];
	return 0;
}

// transpose_tuned goes tile by tile.
static double transpose_tuned(size_t n, int w) {
	const size_t m = edge(n), tile = 32;
#pragma omp parallel for collapse(2) num_threads(w)
	for (size_t i0 = 0; i0 < m; i0 += tile)
		for (size_t j0 = 0; j0 < m; j0 += tile)
			for (size_t i = i0; i < std::min(i0 + tile, m); i++)
				for (size_t j = j0; j < std::min(j0 + tile, m); j++) z[j * m + i] = x[i * m + j];
	return 0;
}
