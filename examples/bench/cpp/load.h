// The bound: loops that only load.
#pragma once

#include <immintrin.h>
#include <omp.h>

#include "data.h"

// load loads each element, eight loads at a time, and does nothing more.
static void load(const double *p, size_t n) {
	size_t i = 0;
#ifdef __AVX512F__
	for (; i + 64 <= n; i += 64) {
		const __m512d *v = (const __m512d *)(p + i);
		for (int k = 0; k < 8; k++) {
			__m512d r = _mm512_loadu_pd((const double *)(v + k));
			asm volatile("" : : "x"(r));
		}
	}
#else
	for (; i + 32 <= n; i += 32) {
		const __m256d *v = (const __m256d *)(p + i);
		for (int k = 0; k < 8; k++) {
			__m256d r = _mm256_loadu_pd((const double *)(v + k));
			asm volatile("" : : "x"(r));
		}
	}
#endif
	for (; i < n; i++) asm volatile("" : : "x"(p[i]));
}

static double read_arrays(size_t n, int w, int arrays) {
#pragma omp parallel num_threads(w)
	{
		size_t t = omp_get_thread_num(), all = omp_get_num_threads();
		size_t begin = n * t / all, end = n * (t + 1) / all;
		load(x + begin, end - begin);
		if (arrays > 1) load(y + begin, end - begin);
	}
	return 0;
}

static double read_one(size_t n, int w) { return read_arrays(n, w, 1); }
static double read_two(size_t n, int w) { return read_arrays(n, w, 2); }
