// Contributions to cells chosen by data.
#pragma once

#include <vector>
#include <omp.h>

#include "data.h"

// copies has each thread add its share of n items to a copy of z, and adds these to z.
template <class Part> static void copies(size_t n, size_t room, int w, Part part) {
	static std::vector<std::vector<double>> all;
	all.resize(w);
#pragma omp parallel num_threads(w)
	{
		size_t t = omp_get_thread_num();
		all[t].assign(room, 0);
		part(all[t].data(), n * t / w, n * (t + 1) / w);
#pragma omp barrier
#pragma omp for
		for (size_t i = 0; i < room; i++) {
			double s = z[i];
			for (auto &c : all) s += c[i];
			z[i] = s;
		}
	}
}

template <size_t cells> static double scatter_omp(size_t n, int w) {
	const int32_t *cell = cells_of(n, cells);
#pragma omp parallel for num_threads(w)
	for (size_t k = 0; k < n; k++) {
#pragma omp atomic
		z[cell[k]] += x[k];
	}
	return 0;
}

template <size_t cells> static double scatter_tuned(size_t n, int w) {
	const int32_t *cell = cells_of(n, cells);
	copies(n, cells, w, [=](double *z, size_t begin, size_t end) {
		for (size_t k = begin; k < end; k++) z[cell[k]] += x[k];
	});
	return 0;
}

// The forces are those of kernel_scatter.go.
const size_t neighbours = 32, lanes = 8;

static const int32_t *near_of(size_t particles) {
	static std::vector<int32_t> near;
	if (near.size() != particles * neighbours) {
		near.resize(particles * neighbours);
		for (size_t k = 0; k < near.size(); k++) near[k] = (k / neighbours + 1 + random_number(k) % 500) % particles;
	}
	return near.data();
}

// forces calls add for each direction of the force on each of two particles.
template <class Add> static void forces(const int32_t *near, size_t begin, size_t end, Add add) {
	for (size_t i = begin; i < end; i++) {
		double sum[3] = {};
		for (size_t k = 0; k < neighbours; k++) {
			size_t j = near[i * neighbours + k];
			double f[3], square = 0.01;
			for (int d = 0; d < 3; d++) {
				f[d] = x[3 * i + d] - x[3 * j + d];
				square += f[d] * f[d];
			}
			double scale = 1 / square;
			for (int d = 0; d < 3; d++) {
				sum[d] += f[d] * scale;
				add(j / lanes * (3 * lanes) + d * lanes + j % lanes, -f[d] * scale);
			}
		}
		for (int d = 0; d < 3; d++) add(i / lanes * (3 * lanes) + d * lanes + i % lanes, sum[d]);
	}
}

static double forces_omp(size_t n, int w) {
	size_t particles = n / neighbours;
	const int32_t *near = near_of(particles);
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < particles; i++)
		forces(near, i, i + 1, [](size_t k, double f) {
#pragma omp atomic
			z[k] += f;
		});
	return 0;
}

static double forces_tuned(size_t n, int w) {
	size_t particles = n / neighbours, room = (particles + lanes - 1) / lanes * 3 * lanes;
	const int32_t *near = near_of(particles);
	copies(particles, room, w, [=](double *z, size_t begin, size_t end) {
		forces(near, begin, end, [=](size_t k, double f) { z[k] += f; });
	});
	return 0;
}
