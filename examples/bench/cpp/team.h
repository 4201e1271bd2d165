// What teams do elsewhere: loops over rows, and products of matrices.
#pragma once

#include <algorithm>
#include <cmath>

#include "data.h"

// ROWS defines a function that reduces each row i of m items j, in a loop under a pragma if
// there is one. PAIR_OF_ROWS is the PAIR of that.
#define ROWS(name, pragma, variables, store, ...) \
	static double name(size_t n, int w) { \
		size_t m = edge(n); \
		PRAGMA(omp parallel for num_threads(w)) \
		for (size_t i = 0; i < m; i++) { \
			variables; \
			pragma \
			for (size_t j = 0; j < m; j++) __VA_ARGS__ \
			store; \
		} \
		return 0; \
	}
#define PAIR_OF_ROWS(name, variables, reductions, store, ...) \
	ROWS(name##_omp, , variables, store, __VA_ARGS__) \
	ROWS(name##_simd, PRAGMA(omp simd reductions), variables, store, __VA_ARGS__)

PAIR_OF_ROWS(gemv, double s = 0, reduction(+ : s), z[i] = s, s += x[i * m + j] * y[j];)
PAIR_OF_ROWS(tensor, double s = 0; double q = 0, reduction(+ : s, q),
	z[2 * i] = s / double(m); z[2 * i + 1] = q / double(m), {
	double v = x[i * m + j];
	s += v;
	q += v * v;
})

// Exponentials are those of libm, so a pragma takes none of them together.
#define SOFTMAX(name, largest, summed, divided) \
	static double name(size_t n, int w) { \
		size_t m = edge(n); \
		PRAGMA(omp parallel for num_threads(w)) \
		for (size_t i = 0; i < m; i++) { \
			const double *from = x + i * m; \
			double *to = z + i * m, high = -HUGE_VAL, sum = 0; \
			largest \
			for (size_t j = 0; j < m; j++) high = std::max(high, from[j]); \
			summed \
			for (size_t j = 0; j < m; j++) sum += to[j] = std::exp(from[j] - high); \
			divided \
			for (size_t j = 0; j < m; j++) to[j] /= sum; \
		} \
		return 0; \
	}
SOFTMAX(softmax_omp, , , )
SOFTMAX(softmax_simd, PRAGMA(omp simd reduction(max : high)), PRAGMA(omp simd reduction(+ : sum)), PRAGMA(omp simd))

#define YAX(name, pragma) \
	static double name(size_t n, int w) { \
		size_t m = edge(n); \
		double sum = 0; \
		PRAGMA(omp parallel for num_threads(w) reduction(+ : sum)) \
		for (size_t i = 0; i < m; i++) { \
			double s = 0; \
			pragma \
			for (size_t j = 0; j < m; j++) s += x[i * m + j] * y[j]; \
			sum += y[i] * s; \
		} \
		return sum; \
	}
YAX(yax_omp, )
YAX(yax_simd, PRAGMA(omp simd reduction(+ : s)))

static double team_vector_loop_omp(size_t n, int w) {
	size_t m = edge(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < m; j++) z[i * m + j] = x[i * m + j] + 0.5 * y[i * m + j];
	return 0;
}

static double team_vector_loop_simd(size_t n, int w) {
	size_t m = edge(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < m; i++) {
#pragma omp simd
		for (size_t j = 0; j < m; j++) z[i * m + j] = x[i * m + j] + 0.5 * y[i * m + j];
	}
	return 0;
}

static double matmul_omp(size_t n, int w) {
	size_t m = extent(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < m; j++) {
			double s = 0;
			for (size_t k = 0; k < m; k++) s += x[i * m + k] * y[k * m + j];
			z[i * m + j] = s;
		}
	return 0;
}

// matmul_simd has the loop over columns inside.
static double matmul_simd(size_t n, int w) {
	size_t m = extent(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < m; i++) {
		double *to = z + i * m;
		std::fill(to, to + m, 0);
		for (size_t k = 0; k < m; k++) {
			double v = x[i * m + k];
			const double *row = y + k * m;
#pragma omp simd
			for (size_t j = 0; j < m; j++) to[j] += v * row[j];
		}
	}
	return 0;
}

// matmul_tuned keeps tiles of 4 x 16 elements in registers.
static double matmul_tuned(size_t n, int w) {
	size_t m = extent(n);
#pragma omp parallel for collapse(2) num_threads(w)
	for (size_t i = 0; i < m; i += 4)
		for (size_t j = 0; j < m; j += 16) {
			double sum[4][16] = {};
			for (size_t k = 0; k < m; k++)
				for (int r = 0; r < 4; r++) {
#pragma omp simd
					for (int c = 0; c < 16; c++) sum[r][c] += x[(i + r) * m + k] * y[k * m + j + c];
				}
			for (int r = 0; r < 4; r++) std::copy(sum[r], sum[r] + 16, z + (i + r) * m + j);
		}
	return 0;
}
