// Contributions to cells chosen by data.
#pragma once

#include <optional>

#include <Kokkos_ScatterView.hpp>

#include "../cpp/scatter.h"
#include "views.h"

// scattered returns the copies that threads add to, which are those of the last call if they are as many elements.
template <class T> static auto &scattered(const Borrowed<T> &z) {
	using Scattered = Kokkos::Experimental::ScatterView<T>;
	static std::optional<Scattered> copies;
	static size_t elements = 0;
	if (!copies) Kokkos::push_finalize_hook([] { copies.reset(); });
	if (!copies || elements != z.size()) copies = Scattered(z);
	elements = z.size();
	copies->reset();
	return *copies;
}

template <class I, size_t cells> static double scatter(size_t n, int) {
	const Borrowed<const int32_t *> cell(cells_of(n, cells), n);
	const Vector x(::x, n);
	Vector z(::z, cells);
	auto copies = scattered(z);
	Kokkos::parallel_for(items<I>(n), KOKKOS_LAMBDA(I k) {
		auto z = copies.access();
		z(cell(k)) += x(k);
	});
	Kokkos::Experimental::contribute(z, copies);
	return 0;
}

template <size_t cells> static double scatter_atomics(size_t n, int) {
	const Borrowed<const int32_t *> cell(cells_of(n, cells), n);
	const Vector x(::x, n), z(::z, cells);
	Kokkos::parallel_for(items<int>(n), KOKKOS_LAMBDA(int k) { Kokkos::atomic_add(&z(cell(k)), x(k)); });
	return 0;
}

template <class I> static double forces(size_t n, int) {
	const int particles = n / neighbours, blocks = (particles + lanes - 1) / lanes;
	const Borrowed<const int32_t *[neighbours]> near(near_of(particles), particles);
	const Borrowed<double *[3]> x(::x, particles);
	Borrowed<double *[3][lanes]> z(::z, blocks);
	auto copies = scattered(z);
	Kokkos::parallel_for(items<I>(particles), KOKKOS_LAMBDA(I i) {
		auto z = copies.access();
		double sum[3] = {};
		for (I k = 0; k < I(neighbours); k++) {
			const I j = near(i, k);
			const double fx = x(i, 0) - x(j, 0), fy = x(i, 1) - x(j, 1), fz = x(i, 2) - x(j, 2);
			const double scale = 1 / (0.01 + fx * fx + fy * fy + fz * fz);
			sum[0] += fx * scale, sum[1] += fy * scale, sum[2] += fz * scale;
			z(j / lanes, 0, j % lanes) -= fx * scale;
			z(j / lanes, 1, j % lanes) -= fy * scale;
			z(j / lanes, 2, j % lanes) -= fz * scale;
		}
		for (int d = 0; d < 3; d++) z(i / lanes, d, i % lanes) += sum[d];
	});
	Kokkos::Experimental::contribute(z, copies);
	return 0;
}
