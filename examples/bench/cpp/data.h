// The arrays that kernels read and write, which hold what data.go puts into those of Go.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sys/mman.h>

#include "numbers.h"

using std::size_t;

double *x, *y, *z;
static bool *b;
static uint32_t *counts, *ints;
static size_t held = 0;

// array makes an array in huge pages, as large views of Go are, unless GOKKOS_HUGEPAGES=0.
static void *array(size_t bytes) {
	const char *huge = getenv("GOKKOS_HUGEPAGES");
	const size_t page = 2 << 20;
	bytes = (bytes + page - 1) / page * page;
	void *p = aligned_alloc(page, bytes);
	if (p && bytes >= 16 << 20 && !(huge && !strcmp(huge, "0"))) madvise(p, bytes, MADV_HUGEPAGE);
	return p;
}

// hold makes arrays of n elements, touched by the threads that read them.
static void hold(size_t n, int workers) {
	if (n <= held) return;
	for (double *p : {x, y, z}) free(p);
	free(b);
	for (uint32_t *p : {counts, ints}) free(p);
	x = (double *)array(n * sizeof(double));
	y = (double *)array(n * sizeof(double));
	z = (double *)array(n * sizeof(double));
	b = (bool *)array(n);
	counts = (uint32_t *)array(n * sizeof(uint32_t));
	ints = (uint32_t *)array(n * sizeof(uint32_t));
	if (!x || !y || !z || !b || !counts || !ints) {
		fprintf(stderr, "no memory for %zu elements\n", n);
		exit(1);
	}
#pragma omp parallel for num_threads(workers)
	for (size_t i = 0; i < n; i++) {
		x[i] = uniform(2 * i);
		y[i] = uniform(2 * i + 1);
		z[i] = 0;
		b[i] = true;
		counts[i] = random_number(i) >> 61;
		ints[i] = 0;
	}
	held = n;
}

// cells_of returns a random one of that many cells for each of n items.
static const int32_t *cells_of(size_t n, size_t cells) {
	static std::vector<int32_t> cell;
	static size_t made = 0;
	if (made != cells || cell.size() < n) {
		made = cells;
		cell.resize(n);
		for (size_t i = 0; i < n; i++) cell[i] = int32_t(random_number(i) % cells);
	}
	return cell.data();
}

double a = 0.5; // of axpy; its sign alternates between runs, so that z stays in bounds

// reset and checksum are those of data.go; reset also makes a that of a first run.
static double reset(size_t n, int) {
	std::fill(z, z + n, 1);
	a = 0.5;
	return 0;
}

static double checksum(size_t n, int) {
	double sum = 0;
	for (size_t i = 0; i < n; i++) sum += z[i] * uniform(i);
	return sum;
}

static double reset_ints(size_t n, int) {
	std::fill(ints, ints + n, 1);
	return 0;
}

static double checksum_ints(size_t n, int) {
	uint64_t sum = 0;
	for (size_t i = 0; i < n; i++) sum += ints[i] * random_number(i);
	return double(sum >> 11);
}

// Kernels take n items as the points of a square or a cube, or of the largest that they fill.
static size_t edge(size_t n) { return size_t(std::sqrt(double(n))); }

static size_t edge3(size_t n) {
	size_t m = size_t(std::cbrt(double(n)));
	while ((m + 1) * (m + 1) * (m + 1) <= n) m++;
	return m;
}

// extent returns the order of matrices whose product takes n items, as kernel_team.go has it.
static size_t extent(size_t n) { return std::max(edge3(n) / 16, size_t(1)) * 16; }

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
