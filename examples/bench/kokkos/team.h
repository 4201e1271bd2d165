// Teams for the rows of matrices, and products of these.
#pragma once

#include "views.h"

template <class I> static double softmax(size_t n, int) {
	const int m = edge(n);
	const Matrix a(x, m, m), z(::z, m, m);
	Kokkos::parallel_for(Kokkos::TeamPolicy<>(m, Kokkos::AUTO), KOKKOS_LAMBDA(const Member &team) {
		const int i = team.league_rank();
		double high, sum;
		Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, I(m)), [&](I j, double &s) { if (a(i, j) > s) s = a(i, j); }, Kokkos::Max<double>(high));
		Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, I(m)), [&](I j, double &s) {
			const double e = Kokkos::exp(a(i, j) - high);
			z(i, j) = e;
			s += e;
		}, sum);
		Kokkos::parallel_for(Kokkos::TeamThreadRange(team, I(m)), [&](I j) { z(i, j) /= sum; });
	});
	return 0;
}

// yax takes 16 rows to a team.
template <class I> static double yax(size_t n, int) {
	const int m = edge(n);
	const Matrix a(x, m, m);
	const Vector y(::y, m);
	double result;
	Kokkos::parallel_reduce(Kokkos::TeamPolicy<>((m + 15) / 16, Kokkos::AUTO), KOKKOS_LAMBDA(const Member &team, double &acc) {
		const int first = 16 * team.league_rank();
		double sum;
		Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, m - first < 16 ? m - first : 16), [&](int r, double &s) {
			double inner;
			Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, I(m)), [&](I j, double &t) { t += a(first + r, j) * y(j); }, inner);
			s += y(first + r) * inner;
		}, sum);
		Kokkos::single(Kokkos::PerTeam(team), [&] { acc += sum; });
	}, result);
	return result;
}

template <class I> static double gemv(size_t n, int) {
	const int m = edge(n);
	const Matrix a(x, m, m);
	const Vector y(::y, m), z(::z, m);
	Kokkos::parallel_for(Kokkos::TeamPolicy<>(m, Kokkos::AUTO), KOKKOS_LAMBDA(const Member &team) {
		const int i = team.league_rank();
		double sum;
		Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, I(m)), [&](I j, double &s) { s += a(i, j) * y(j); }, sum);
		Kokkos::single(Kokkos::PerTeam(team), [&] { z(i) = sum; });
	});
	return 0;
}

// tensor computes the mean and the mean of squares of each row.
template <class I> static double tensor(size_t n, int) {
	const int m = edge(n);
	const Matrix a(x, m, m), z(::z, m, 2);
	Kokkos::parallel_for(Kokkos::TeamPolicy<>(m, Kokkos::AUTO), KOKKOS_LAMBDA(const Member &team) {
		const int i = team.league_rank();
		double sum, squares;
		Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, I(m)), [&](I j, double &s, double &q) {
			const double v = a(i, j);
			s += v;
			q += v * v;
		}, sum, squares);
		Kokkos::single(Kokkos::PerTeam(team), [&] {
			z(i, 0) = sum / m;
			z(i, 1) = squares / m;
		});
	});
	return 0;
}

template <class I> static double team_vector_loop(size_t n, int) {
	const int m = edge(n);
	const Matrix x(::x, m, m), y(::y, m, m), z(::z, m, m);
	Kokkos::parallel_for(Kokkos::TeamPolicy<>(m, Kokkos::AUTO), KOKKOS_LAMBDA(const Member &team) {
		const int i = team.league_rank();
		Kokkos::parallel_for(Kokkos::TeamVectorRange(team, I(m)), [&](I j) { z(i, j) = x(i, j) + 0.5 * y(i, j); });
	});
	return 0;
}

template <class I> static double matmul(size_t n, int) {
	const int m = extent(n);
	const Matrix x(::x, m, m), y(::y, m, m), z(::z, m, m);
	Kokkos::parallel_for(square<I>(0, m), KOKKOS_LAMBDA(I i, I j) {
		double s = 0;
		for (int k = 0; k < m; k++) s += x(i, k) * y(k, j);
		z(i, j) = s;
	});
	return 0;
}

// matmul_team has a team for each tile of the product, which keeps tiles in scratch memory.
static double matmul_team(size_t n, int) {
	const int64_t tile = 16, m = extent(n), tiles = m / tile;
	using Tile = Kokkos::View<double[tile][tile], Kokkos::OpenMP::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
	const Matrix x(::x, m, m), y(::y, m, m), z(::z, m, m);
	const auto teams = Kokkos::TeamPolicy<>(tiles * tiles, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(3 * Tile::shmem_size()));
	Kokkos::parallel_for(teams, KOKKOS_LAMBDA(const Member &team) {
		const int64_t row = team.league_rank() / tiles * tile, column = team.league_rank() % tiles * tile;
		const Tile a(team.team_scratch(0)), b(team.team_scratch(0)), c(team.team_scratch(0));
		const auto each = [&](auto f) {
			Kokkos::parallel_for(Kokkos::TeamThreadRange(team, tile), [&](int64_t i) {
				Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, tile), [&](int64_t j) { f(i, j); });
			});
		};
		each([&](int64_t i, int64_t j) { c(i, j) = 0; });
		for (int k = 0; k < m; k += tile) {
			each([&](int64_t i, int64_t j) {
				a(i, j) = x(row + i, k + j);
				b(i, j) = y(k + i, column + j);
			});
			team.team_barrier();
			each([&](int64_t i, int64_t j) {
				double s = 0;
				for (int l = 0; l < tile; l++) s += a(i, l) * b(l, j);
				c(i, j) += s;
			});
			team.team_barrier();
		}
		each([&](int64_t i, int64_t j) { z(row + i, column + j) = c(i, j); });
	});
	return 0;
}
