// The arrays that kernels read and write, as views, and the policies of items.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <limits>

#include <Kokkos_Core.hpp>

#include "../cpp/data.h"

// A Borrowed is a view of memory that is not its own.
template <class T> using Borrowed = Kokkos::View<T, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
using Vector = Borrowed<double *>;
using Matrix = Borrowed<double **>;
using Cube = Borrowed<double ***>;

// Kernels are made for an int index I, which one writes first, and for a long one, which loops are
// vectorised with that are not with an int.

// items is the policy of n items.
template <class I> static Kokkos::RangePolicy<Kokkos::IndexType<I>> items(size_t n) {
	if (n > size_t(std::numeric_limits<I>::max())) {
		fprintf(stderr, "%zu items: expected what an index of %zu bytes holds\n", n, sizeof(I));
		exit(1);
	}
	return {0, I(n)};
}

// square and cube are the policies of the points from begin to end in each direction.
template <class I> static Kokkos::MDRangePolicy<Kokkos::Rank<2>, Kokkos::IndexType<I>> square(I begin, I end) {
	return {{begin, begin}, {end, end}};
}

template <class I> static Kokkos::MDRangePolicy<Kokkos::Rank<3>, Kokkos::IndexType<I>> cube(I begin, I end) {
	return {{begin, begin, begin}, {end, end, end}};
}

using Member = Kokkos::TeamPolicy<>::member_type;
