// Reductions of the items, and loops over them.
#pragma once

#include "views.h"

template <class I> static double sum(size_t n, int) {
	const Vector x(::x, n);
	double s;
	Kokkos::parallel_reduce(items<I>(n), KOKKOS_LAMBDA(I i, double &s) { s += x(i); }, s);
	return s;
}

template <class I> static double dot(size_t n, int) {
	const Vector x(::x, n), y(::y, n);
	double s;
	Kokkos::parallel_reduce(items<I>(n), KOKKOS_LAMBDA(I i, double &s) { s += x(i) * y(i); }, s);
	return s;
}

template <class I> static double least(size_t n, int) {
	const Vector x(::x, n);
	double least;
	Kokkos::parallel_reduce(items<I>(n), KOKKOS_LAMBDA(I i, double &t) { t = x(i) < t ? x(i) : t; }, Kokkos::Min<double>(least));
	return least;
}

template <class I> static double minloc(size_t n, int) {
	using MinLoc = Kokkos::MinLoc<double, int>;
	const Vector x(::x, n);
	MinLoc::value_type least;
	Kokkos::parallel_reduce(items<I>(n), KOKKOS_LAMBDA(I i, MinLoc::value_type &t) {
		if (x(i) < t.val) {
			t.val = x(i);
			t.loc = i;
		}
	}, MinLoc(least));
	return least.loc;
}

template <class I> static double minmax(size_t n, int) {
	using MinMax = Kokkos::MinMax<double>;
	const Vector x(::x, n);
	MinMax::value_type bounds;
	Kokkos::parallel_reduce(items<I>(n), KOKKOS_LAMBDA(I i, MinMax::value_type &t) {
		t.min_val = x(i) < t.min_val ? x(i) : t.min_val;
		t.max_val = x(i) > t.max_val ? x(i) : t.max_val;
	}, MinMax(bounds));
	return bounds.max_val - bounds.min_val;
}

template <class I> static double fused4(size_t n, int) {
	const Vector x(::x, n);
	double sum, squares, least, most;
	Kokkos::parallel_reduce(items<I>(n), KOKKOS_LAMBDA(I i, double &s, double &q, double &lo, double &hi) {
		const double v = x(i);
		s += v;
		q += v * v;
		lo = v < lo ? v : lo;
		hi = v > hi ? v : hi;
	}, sum, squares, Kokkos::Min<double>(least), Kokkos::Max<double>(most));
	return sum + squares + least + most;
}

template <class I> static double land(size_t n, int) {
	const Borrowed<bool *> b(::b, n);
	bool all;
	Kokkos::parallel_reduce(items<I>(n), KOKKOS_LAMBDA(I i, bool &t) { t = t && b(i); }, Kokkos::LAnd<bool>(all));
	return all;
}

template <class I> static double axpy(size_t n, int) {
	const Vector x(::x, n), z(::z, n);
	const double f = a = -a;
	Kokkos::parallel_for(items<I>(n), KOKKOS_LAMBDA(I i) { z(i) += f * x(i); });
	return 0;
}

template <class I> static double triad(size_t n, int) {
	const Vector x(::x, n), y(::y, n), z(::z, n);
	Kokkos::parallel_for(items<I>(n), KOKKOS_LAMBDA(I i) { z(i) = x(i) + 0.5 * y(i); });
	return 0;
}

template <class I> static double compute(size_t n, int) {
	const Vector x(::x, n);
	double s;
	Kokkos::parallel_reduce(items<I>(n), KOKKOS_LAMBDA(I i, double &s) {
		double v = x(i);
		for (int k = 0; k < 100; k++) v = 0.5 * (v * v - v + 0.25);
		s += v;
	}, s);
	return s;
}

template <class I> static double launch_for(size_t n, int) {
	Kokkos::parallel_for(items<I>(n), KOKKOS_LAMBDA(I) {});
	return 0;
}
