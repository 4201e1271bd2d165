// Prefix sums.
#pragma once

#include "views.h"

template <class I, class T> static void exclusive(const Borrowed<T *> x, const Borrowed<T *> z) {
	Kokkos::parallel_scan(items<I>(x.size()), KOKKOS_LAMBDA(I i, T &s, bool final) {
		if (final) z(i) = s;
		s += x(i);
	});
}

template <class I> static double scan(size_t n, int) {
	exclusive<I>(Vector(x, n), Vector(z, n));
	return 0;
}

template <class I> static double scan_int32(size_t n, int) {
	using Vector = Borrowed<uint32_t *>;
	exclusive<I>(Vector(counts, n), Vector(ints, n));
	return 0;
}

template <class I> static double scan_inclusive(size_t n, int) {
	const Vector x(::x, n), z(::z, n);
	Kokkos::parallel_scan(items<I>(n), KOKKOS_LAMBDA(I i, double &s, bool final) {
		s += x(i);
		if (final) z(i) = s;
	});
	return 0;
}
