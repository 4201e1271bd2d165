// What compiled kernels are measured beside: loops that g++ vectorises, with its defaults and with
// -ffp-contract=off -fno-math-errno, by which they have the bits of Go.
#pragma once

#include <omp.h>

#include "data.h"
#include "programs.h"

namespace loose {
#define LOOP static __attribute__((noinline))
#include "loops.inc"
}

namespace strict { // in strict.cpp
void axpy(size_t, size_t);
void triad(size_t, size_t);
double dot(size_t, size_t);
double min(size_t, size_t);
double roots(size_t, size_t);
double compute(size_t, size_t);
void relax(size_t, size_t, size_t);
void gemv(size_t, size_t, size_t);
void hash(size_t, size_t);
void nearest(size_t, size_t);
void mandelbrot(size_t, size_t, size_t);
void stencil2(size_t, size_t, size_t);
void stencil3(size_t, size_t, size_t);
void options(size_t, size_t);
void nbody(size_t, size_t, size_t);
void lennardjones(size_t, size_t, size_t);
double pi(size_t, size_t);
}

// share gives each thread a part of the items begin to end.
template <class Part>
static void share(size_t begin, size_t end, int w, Part part) {
	if (w == 1) return part(begin, end);
#pragma omp parallel num_threads(w)
	{
		size_t t = omp_get_thread_num(), all = omp_get_num_threads(), n = end - begin;
		part(begin + n * t / all, begin + n * (t + 1) / all);
	}
}

template <void (*loop)(size_t, size_t)>
static double each(size_t n, int w) {
	share(0, n, w, [](size_t b, size_t e) { loop(b, e); });
	return 0;
}

template <void (*loop)(size_t, size_t)>
static double each_signed(size_t n, int w) { // the sign of a alternates
	a = -a;
	return each<loop>(n, w);
}

template <double (*loop)(size_t, size_t)>
static double summed(size_t n, int w) {
	double sum = 0;
	share(0, n, w, [&](size_t b, size_t e) {
		double s = loop(b, e);
#pragma omp atomic
		sum += s;
	});
	return sum;
}

template <double (*loop)(size_t, size_t)>
static double least(size_t n, int w) {
	double low = INFINITY;
	share(0, n, w, [&](size_t b, size_t e) {
		double s = loop(b, e);
#pragma omp critical
		low = s < low ? s : low;
	});
	return low;
}

template <void (*loop)(size_t, size_t, size_t), size_t border>
static double by_row(size_t n, int w) {
	size_t m = edge(n);
	if (m > 2 * border) share(border, m - border, w, [m](size_t b, size_t e) { loop(b, e, m); });
	return 0;
}

template <void (*loop)(size_t, size_t, size_t)>
static double by_pixel(size_t n, int w) {
	size_t m = edge(n);
	share(0, m * m, w, [m](size_t b, size_t e) { loop(b, e, m); });
	return 0;
}

template <void (*loop)(size_t, size_t, size_t)>
static double by_plane(size_t n, int w) {
	size_t m = edge3(n);
	if (m > 2) share(1, m - 1, w, [m](size_t b, size_t e) { loop(b, e, m); });
	return 0;
}

template <void (*loop)(size_t, size_t, size_t)>
static double by_atom(size_t n, int w) {
	size_t m = edge3(n);
	atoms_of(m);
	share(0, m * m * m, w, [m](size_t b, size_t e) { loop(b, e, m); });
	return 0;
}

template <void (*loop)(size_t, size_t, size_t)>
static double by_body(size_t n, int w) {
	size_t m = edge(n);
	masses(m);
	share(0, m, w, [m](size_t b, size_t e) { loop(b, e, m); });
	return 0;
}
