// What programs compute, item by item.
#pragma once

#include "../cpp/compiled.h"
#include "views.h"

template <class I> static double roots(size_t n, int) {
	const Vector x(::x, n);
	double s;
	Kokkos::parallel_reduce(items<I>(n), KOKKOS_LAMBDA(I i, double &s) { s += Kokkos::sqrt(x(i) * x(i) + 1) / (x(i) + 2); }, s);
	return s;
}

template <class I> static double hash(size_t n, int) {
	const Vector z(::z, n);
	Kokkos::parallel_for(items<I>(n), KOKKOS_LAMBDA(I i) { z(i) = uniform(i); });
	return 0;
}

template <class I> static double nearest(size_t n, int) {
	const Borrowed<double *[4]> x(::x, n), centres(y, 8);
	const Vector z(::z, n);
	Kokkos::parallel_for(items<I>(n), KOKKOS_LAMBDA(I i) {
		double best = 1.7976931348623157e308;
		for (int c = 0; c < 8; c++) {
			double d = 0;
			for (int k = 0; k < 4; k++) {
				const double t = x(i, k) - centres(c, k);
				d += t * t;
			}
			if (d < best) best = d;
		}
		z(i) = best;
	});
	return 0;
}

// mandelbrot has the bits of Go: fused products go other ways.
template <class I> static double mandelbrot(size_t n, int) {
	const int m = edge(n);
	Kokkos::parallel_for(items<I>(m * m), KOKKOS_LAMBDA(I i) { strict::mandelbrot(i, i + 1, m); });
	return 0;
}

template <class I> static double options(size_t n, int) {
	const Vector x(::x, n), y(::y, n), z(::z, n);
	const double strike = 100, rate = .05, volatility = .2;
	Kokkos::parallel_for(items<I>(n), KOKKOS_LAMBDA(I i) {
		const double spot = 100 * x(i) + 100, years = y(i) + 1.5, s = volatility * Kokkos::sqrt(years);
		const double d = (Kokkos::log(spot / strike) + (rate + .5 * (volatility * volatility)) * years) / s;
		z(i) = spot * loose::phi(d) - strike * Kokkos::exp(-(rate * years)) * loose::phi(d - s);
	});
	return 0;
}

template <class I> static double nbody(size_t n, int) {
	const int m = edge(n);
	const Vector x(::x, m), y(::y, m), z(::x + m, m);
	const Borrowed<const double *> mass(masses(m), m);
	const Matrix a(::z, 3, m);
	Kokkos::parallel_for(items<I>(m), KOKKOS_LAMBDA(I i) {
		double ax = 0, ay = 0, az = 0;
		for (int k = 0; k < m; k++) {
			const double dx = x(k) - x(i), dy = y(k) - y(i), dz = z(k) - z(i);
			const double r2 = dx * dx + dy * dy + dz * dz + 1e-3, w = mass(k) / (r2 * Kokkos::sqrt(r2));
			ax += w * dx, ay += w * dy, az += w * dz;
		}
		a(0, i) = ax, a(1, i) = ay, a(2, i) = az;
	});
	return 0;
}

template <class I> static double lennardjones(size_t n, int) {
	const Atoms &atoms = atoms_of(edge3(n));
	const int all = atoms.x.size();
	using Column = Borrowed<const double *>;
	const Column x(atoms.x.data(), all), y(atoms.y.data(), all), z(atoms.z.data(), all);
	const Borrowed<const int32_t *> first(atoms.first.data(), all + 1), list(atoms.list.data(), atoms.list.size());
	const Matrix f(::z, 3, all);
	Kokkos::parallel_for(items<I>(all), KOKKOS_LAMBDA(I i) {
		double fx = 0, fy = 0, fz = 0;
		for (int k = first(i); k < first(i + 1); k++) {
			const int j = list(k);
			const double dx = x(i) - x(j), dy = y(i) - y(j), dz = z(i) - z(j);
			const double r2 = dx * dx + dy * dy + dz * dz;
			if (r2 >= 3.2) continue;
			const double s = 1 / r2, s3 = s * s * s, w = 24 * s * s3 * (2 * s3 - 1);
			fx += w * dx, fy += w * dy, fz += w * dz;
		}
		f(0, i) = fx, f(1, i) = fy, f(2, i) = fz;
	});
	return 0;
}

template <class I> static double pi(size_t n, int) {
	int inside;
	Kokkos::parallel_reduce(items<I>(n), KOKKOS_LAMBDA(I i, int &inside) {
		uint64_t w[4];
		philox(i, 1, w);
		for (int p = 0; p < 4; p += 2) {
			const double u = double(w[p] >> 11) * 0x1p-53, v = double(w[p + 1] >> 11) * 0x1p-53;
			inside += u * u + v * v < 1;
		}
	}, inside);
	return inside;
}
