// What the loops of programs are over.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "numbers.h"

using std::size_t;

extern double *x, *y;

// masses returns those of m bodies.
inline const double *masses(size_t m) {
	static std::vector<double> mass;
	if (mass.size() != m) {
		mass.resize(m);
		for (size_t i = 0; i < m; i++) mass[i] = uniform(i) + 1;
	}
	return mass.data();
}

// Atoms are those of kernel_programs.go.
struct Atoms {
	size_t m = 0; // points of the lattice in each dimension
	std::vector<int32_t> first, list;
	std::vector<double> x, y, z;
};

inline const Atoms &atoms_of(size_t size) {
	static Atoms a;
	const int m = int(size), n = m * m * m;
	if (a.m == size) return a;
	a = Atoms();
	a.m = size;
	for (int i = 0; i < m; i++)
		for (int j = 0; j < m; j++)
			for (int k = 0; k < m; k++) {
				const int l = (i * m + j) * m + k;
				a.x.push_back(i + .3 * ::x[l]);
				a.y.push_back(j + .3 * ::y[l]);
				a.z.push_back(k + .3 * ::x[n - 1 - l]);
				a.first.push_back(int32_t(a.list.size()));
				for (int p = std::max(i - 2, 0); p <= std::min(i + 2, m - 1); p++)
					for (int q = std::max(j - 2, 0); q <= std::min(j + 2, m - 1); q++)
						for (int r = std::max(k - 2, 0); r <= std::min(k + 2, m - 1); r++) {
							const int d = (p - i) * (p - i) + (q - j) * (q - j) + (r - k) * (r - k);
							if (d > 0 && d <= 4) a.list.push_back((p * m + q) * m + r);
						}
			}
	a.first.push_back(int32_t(a.list.size()));
	return a;
}

// philox sets w to the first numbers of a stream of random.New(seed).
static inline void philox(uint64_t stream, uint64_t seed, uint64_t w[4]) {
	uint64_t c0 = 0, c1 = stream, c2 = 0, c3 = 0, k0 = seed, k1 = 0;
	for (int r = 0; r < 10; r++) {
		unsigned __int128 p = (unsigned __int128)c0 * 0xD2E7470EE14C6C93, q = (unsigned __int128)c2 * 0xCA5A826395121157;
		c0 = uint64_t(q >> 64) ^ c1 ^ k0, c1 = uint64_t(q), c2 = uint64_t(p >> 64) ^ c3 ^ k1, c3 = uint64_t(p);
		k0 += 0x9E3779B97F4A7C15, k1 += 0xBB67AE8584CAA73B;
	}
	w[0] = c0, w[1] = c1, w[2] = c2, w[3] = c3;
}
