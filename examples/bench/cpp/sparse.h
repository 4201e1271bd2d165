// Sparse matrices, and small ones. They are those of kernel_sparse.go and kernel_chunks.go.
#pragma once

#include <algorithm>
#include <vector>

#include "data.h"

// A Sparse is which entries the rows of a matrix have.
struct Sparse {
	size_t rows = 0, mean = 0;
	std::vector<int32_t> begin, column;
};

static const Sparse &sparse_of(size_t n, size_t mean) {
	static Sparse a;
	const size_t rows = n / mean;
	if (a.mean == mean && a.rows == rows) return a;
	a.rows = rows, a.mean = mean;
	a.begin.resize(rows + 1);
	a.column.resize(rows * mean);
	for (size_t i = 0; i < rows; i++) a.begin[i] = int32_t(i * mean + random_number(i) % mean);
	a.begin[0] = 0, a.begin[rows] = int32_t(rows * mean);
	for (size_t i = 0; i < rows; i++)
		for (int32_t k = a.begin[i]; k < a.begin[i + 1]; k++) a.column[k] = int32_t((i + random_number(k) % 1000) % rows);
	return a;
}

#define CSR(name, mean, pragma) \
	static double name(size_t n, int w) { \
		const Sparse &a = sparse_of(n, mean); \
		const int32_t *begin = a.begin.data(), *column = a.column.data(); \
		PRAGMA(omp parallel for num_threads(w)) \
		for (size_t i = 0; i < a.rows; i++) { \
			double s = 0; \
			pragma \
			for (int32_t k = begin[i]; k < begin[i + 1]; k++) s += x[k] * y[column[k]]; \
			z[i] = s; \
		} \
		return 0; \
	}
CSR(csr9_omp, 9, )
CSR(csr9_simd, 9, PRAGMA(omp simd reduction(+ : s)))
CSR(csr60_omp, 60, )
CSR(csr60_simd, 60, PRAGMA(omp simd reduction(+ : s)))

const size_t chunk = 1024;

static double filter_omp(size_t n, int w) {
#pragma omp parallel for num_threads(w)
	for (size_t c = 0; c < n; c += chunk) {
		double *to = z + c;
		for (size_t i = c; i < std::min(c + chunk, n); i++)
			if (x[i] > 0) *to++ = x[i];
	}
	return 0;
}

#define LU(name, pragma) \
	static double name(size_t n, int w) { \
		PRAGMA(omp parallel for num_threads(w)) \
		for (size_t m = 0; m < n / 64; m++) { \
			double a[8][8]; \
			std::copy(x + 64 * m, x + 64 * m + 64, a[0]); \
			for (int i = 0; i < 8; i++) a[i][i] += 8; \
			for (int k = 0; k < 7; k++) \
				for (int i = k + 1; i < 8; i++) { \
					const double l = a[i][k] /= a[k][k]; \
					pragma \
					for (int j = k + 1; j < 8; j++) a[i][j] -= l * a[k][j]; \
				} \
			std::copy(a[0], a[0] + 64, z + 64 * m); \
		} \
		return 0; \
	}
LU(lu_omp, )
LU(lu_simd, PRAGMA(omp simd))
