// Loops over the points of a box.
#pragma once

#include <algorithm>

#include "views.h"

template <class I> static double stencil2(size_t n, int) {
	const int m = std::max(edge(n), size_t(2));
	const Matrix x(::x, m, m), z(::z, m, m);
	Kokkos::parallel_for(square<I>(1, m - 1), KOKKOS_LAMBDA(I i, I j) {
		z(i, j) = 0.25 * (x(i - 1, j) + x(i + 1, j) + x(i, j - 1) + x(i, j + 1)) - x(i, j);
	});
	return 0;
}

template <class I> static double residual(size_t n, int) {
	const int m = std::max(edge(n), size_t(2));
	const Matrix x(::x, m, m);
	double sum;
	Kokkos::parallel_reduce(square<I>(1, m - 1), KOKKOS_LAMBDA(I i, I j, double &s) {
		const double r = 0.25 * (x(i - 1, j) + x(i + 1, j) + x(i, j - 1) + x(i, j + 1)) - x(i, j);
		s += r * r;
	}, sum);
	return sum;
}

template <class I> static double stencil3(size_t n, int) {
	const int m = std::max(edge3(n), size_t(2));
	const Cube x(::x, m, m, m), z(::z, m, m, m);
	Kokkos::parallel_for(cube<I>(1, m - 1), KOKKOS_LAMBDA(I i, I j, I k) {
		z(i, j, k) = 0.125 * (x(i - 1, j, k) + x(i + 1, j, k) + x(i, j - 1, k) + x(i, j + 1, k) + x(i, j, k - 1) + x(i, j, k + 1)) - x(i, j, k);
	});
	return 0;
}

template <class I> static double transpose(size_t n, int) {
	const int m = edge(n);
	const Matrix x(::x, m, m), z(::z, m, m);
	Kokkos::parallel_for(square<I>(0, m), KOKKOS_LAMBDA(I i, I j) { z(j, i) = x(i, j); });
	return 0;
}

template <class I> static double relax(size_t n, int) {
	const int m = std::max(edge(n), size_t(2));
	const Matrix x(::x, m, m), z(::z, m, m);
	Kokkos::parallel_for(square<I>(1, m - 1), KOKKOS_LAMBDA(I i, I j) {
		z(i, j) = 0.25 * (x(i - 1, j) + x(i + 1, j) + x(i, j - 1) + x(i, j + 1));
	});
	return 0;
}
