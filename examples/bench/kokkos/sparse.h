// Sparse matrices and small ones, by teams.
#pragma once

#include "../cpp/sparse.h"
#include "views.h"

// csr takes 64 rows to a team.
template <class I, size_t mean> static double csr(size_t n, int) {
	const Sparse &a = sparse_of(n, mean);
	const Borrowed<const int32_t *> begin(a.begin.data(), a.rows + 1), column(a.column.data(), a.column.size());
	const Vector x(::x, n), y(::y, a.rows), z(::z, a.rows);
	const int rows = a.rows;
	Kokkos::parallel_for(Kokkos::TeamPolicy<>((rows + 63) / 64, Kokkos::AUTO, Kokkos::AUTO), KOKKOS_LAMBDA(const Member &team) {
		const int first = team.league_rank() * 64;
		Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows - first < 64 ? rows - first : 64), [&](int r) {
			const int i = first + r, from = begin(i);
			double sum;
			Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, I(begin(i + 1) - from)), [&](I k, double &s) {
				s += x(from + k) * y(column(from + k));
			}, sum);
			z(i) = sum;
		});
	});
	return 0;
}

template <class I> static double filter(size_t n, int) {
	const Vector x(::x, n), z(::z, n);
	const int teams = (n + chunk - 1) / chunk, all = n;
	Kokkos::parallel_for(Kokkos::TeamPolicy<>(teams, Kokkos::AUTO), KOKKOS_LAMBDA(const Member &team) {
		const int first = team.league_rank() * int(chunk);
		const I items = all - first < int(chunk) ? all - first : int(chunk);
		Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, items), [&](I i, I &to, bool last) {
			const double v = x(first + i);
			if (v > 0) {
				if (last) z(first + to) = v;
				to++;
			}
		});
	});
	return 0;
}

// lu has a team for each matrix, which keeps it in scratch memory.
template <class I> static double lu(size_t n, int) {
	using Small = Kokkos::View<double[8][8], Kokkos::OpenMP::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
	const Borrowed<double *[8][8]> x(::x, n / 64), z(::z, n / 64);
	const auto teams = Kokkos::TeamPolicy<>(n / 64, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(Small::shmem_size()));
	Kokkos::parallel_for(teams, KOKKOS_LAMBDA(const Member &team) {
		const int m = team.league_rank();
		const Small a(team.team_scratch(0));
		Kokkos::parallel_for(Kokkos::TeamThreadRange(team, I(8)), [&](I i) {
			for (int j = 0; j < 8; j++) a(i, j) = x(m, i, j) + (i == j ? 8 : 0);
		});
		for (int k = 0; k < 7; k++) {
			team.team_barrier();
			Kokkos::parallel_for(Kokkos::TeamThreadRange(team, I(k + 1), I(8)), [&](I i) {
				const double l = a(i, k) / a(k, k);
				a(i, k) = l;
				for (int j = k + 1; j < 8; j++) a(i, j) -= l * a(k, j);
			});
		}
		team.team_barrier();
		Kokkos::parallel_for(Kokkos::TeamThreadRange(team, I(8)), [&](I i) {
			for (int j = 0; j < 8; j++) z(m, i, j) = a(i, j);
		});
	});
	return 0;
}
