// The kernels of the benchmark in C++. The program reads commands, one in a line:
//
//	KERNEL IMPL N ROOM WORKERS REPEATS REST
//
// makes arrays of ROOM elements, runs the kernel over N items that often, rests for REST
// nanoseconds before each run, and prints the nanoseconds and the processor time that the
// runs took and the last result, or "none" if there is no such kernel. One that writes z
// returns 0; "reset z" before it and "checksum z" after it, which are run like kernels over
// ROOM items, tell what it wrote. Arrays hold what data.go puts into those of Go.
//
// Threads wait for work as OpenMP likes to, which is to spin. They end with the command, so
// that they take no processor from whoever runs next, and are there again before the clock of
// the next command starts.
#include <algorithm>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <immintrin.h>
#include <omp.h>
#include <sys/mman.h>

using std::size_t;

static double *x, *y, *z;
static bool *b;
static uint32_t *counts, *ints;
static size_t held = 0;

static uint64_t random_number(uint64_t k) {
	k += 0x9e3779b97f4a7c15;
	k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9;
	k = (k ^ (k >> 27)) * 0x94d049bb133111eb;
	return k ^ (k >> 31);
}

static double uniform(uint64_t k) { return double(random_number(k) >> 11) * 0x1p-53 - 0.5; }

// array makes an array in huge pages, as large views of Go are, unless GOKKOS_HUGEPAGES=0.
static void *array(size_t bytes) {
	const char *huge = getenv("GOKKOS_HUGEPAGES");
	const size_t page = 2 << 20;
	bytes = (bytes + page - 1) / page * page;
	void *p = aligned_alloc(page, bytes);
	if (p && bytes >= 16 << 20 && !(huge && !strcmp(huge, "0"))) madvise(p, bytes, MADV_HUGEPAGE);
	return p;
}

// hold makes arrays of n elements, touched by the threads that read them.
static void hold(size_t n, int workers) {
	if (n <= held) return;
	for (double *p : {x, y, z}) free(p);
	free(b);
	for (uint32_t *p : {counts, ints}) free(p);
	x = (double *)array(n * sizeof(double));
	y = (double *)array(n * sizeof(double));
	z = (double *)array(n * sizeof(double));
	b = (bool *)array(n);
	counts = (uint32_t *)array(n * sizeof(uint32_t));
	ints = (uint32_t *)array(n * sizeof(uint32_t));
	if (!x || !y || !z || !b || !counts || !ints) {
		fprintf(stderr, "no memory for %zu elements\n", n);
		exit(1);
	}
#pragma omp parallel for num_threads(workers)
	for (size_t i = 0; i < n; i++) {
		x[i] = uniform(2 * i);
		y[i] = uniform(2 * i + 1);
		z[i] = 0;
		b[i] = true;
		counts[i] = random_number(i) >> 61;
		ints[i] = 0;
	}
	held = n;
}

static double a = 0.5; // of axpy; its sign alternates between runs, so that z stays in bounds

// reset and checksum are those of data.go; reset also makes a that of a first run.
static double reset(size_t n, int) {
	std::fill(z, z + n, 1);
	a = 0.5;
	return 0;
}

static double checksum(size_t n, int) {
	double sum = 0;
	for (size_t i = 0; i < n; i++) sum += z[i] * uniform(i);
	return sum;
}

static double reset_ints(size_t n, int) {
	std::fill(ints, ints + n, 1);
	return 0;
}

static double checksum_ints(size_t n, int) {
	uint64_t sum = 0;
	for (size_t i = 0; i < n; i++) sum += ints[i] * random_number(i);
	return double(sum >> 11);
}

static const double infinity = std::numeric_limits<double>::infinity();

struct ValLoc { double val; long loc; };
#pragma omp declare reduction(minloc : ValLoc : \
	omp_out = omp_in.val < omp_out.val || (omp_in.val == omp_out.val && omp_in.loc < omp_out.loc) ? omp_in : omp_out) \
	initializer(omp_priv = ValLoc{infinity, LONG_MAX})

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

// ITEMS defines a function that loops over the items under a pragma. PAIR defines
// name_omp and name_simd: the same loop without and with omp simd.
#define ITEMS(name, pragma, variables, result, ...) \
	static double name(size_t n, int w) { \
		variables; \
		PRAGMA(omp pragma num_threads(w)) \
		for (size_t i = 0; i < n; i++) __VA_ARGS__ \
		return result; \
	}
#define PAIR(name, variables, reductions, result, ...) \
	ITEMS(name##_omp, parallel for reductions, variables, result, __VA_ARGS__) \
	ITEMS(name##_simd, parallel for simd reductions, variables, result, __VA_ARGS__)

PAIR(sum, double s = 0, reduction(+ : s), s, s += x[i];)
PAIR(dot, double s = 0, reduction(+ : s), s, s += x[i] * y[i];)
PAIR(min, double s = infinity, reduction(min : s), s, s = x[i] < s ? x[i] : s;)
PAIR(minmax, double lo = infinity; double hi = -lo, reduction(min : lo) reduction(max : hi), hi - lo, {
	lo = x[i] < lo ? x[i] : lo;
	hi = x[i] > hi ? x[i] : hi;
})
PAIR(fused4, double s = 0; double q = 0; double lo = infinity; double hi = -lo,
	reduction(+ : s, q) reduction(min : lo) reduction(max : hi), s + q + lo + hi, {
	s += x[i];
	q += x[i] * x[i];
	lo = x[i] < lo ? x[i] : lo;
	hi = x[i] > hi ? x[i] : hi;
})
PAIR(axpy, a = -a, , 0, z[i] += a * x[i];)
PAIR(triad, , , 0, z[i] = x[i] + 0.5 * y[i];)

static double minloc_omp(size_t n, int w) {
	ValLoc s{infinity, LONG_MAX};
#pragma omp parallel for reduction(minloc : s) num_threads(w)
	for (size_t i = 0; i < n; i++)
		if (x[i] < s.val) s = ValLoc{x[i], long(i)};
	return double(s.loc);
}

// minloc_simd finds the minimum of a block with omp simd, and where it is if it is less.
static double minloc_simd(size_t n, int w) {
	ValLoc s{infinity, LONG_MAX};
	const size_t block = 1024;
#pragma omp parallel for reduction(minloc : s) num_threads(w)
	for (size_t begin = 0; begin < n; begin += block) {
		size_t end = std::min(begin + block, n);
		double m = infinity;
#pragma omp simd reduction(min : m)
		for (size_t i = begin; i < end; i++) m = x[i] < m ? x[i] : m;
		if (m < s.val)
			for (size_t i = begin; i < end; i++)
				if (x[i] == m) {
					s = ValLoc{m, long(i)};
					break;
				}
	}
	return double(s.loc);
}

static double land_omp(size_t n, int w) {
	bool all = true;
#pragma omp parallel for reduction(&& : all) num_threads(w)
	for (size_t i = 0; i < n; i++) all = all && b[i];
	return all;
}

static double land_simd(size_t n, int w) {
	unsigned char all = 1;
	const unsigned char *p = (const unsigned char *)b;
#pragma omp parallel for simd reduction(& : all) num_threads(w)
	for (size_t i = 0; i < n; i++) all &= p[i];
	return all;
}

// SCAN defines name_omp and name_tuned: a scan by OpenMP, and one in which each thread sums
// its share, and then scans it from what comes before.
#define SCAN(name, type, x, z, kind, before, after) \
	static double name##_omp(size_t n, int w) { \
		type s = 0; \
		PRAGMA(omp parallel for reduction(inscan, + : s) num_threads(w)) \
		for (size_t i = 0; i < n; i++) { \
			before; \
			PRAGMA(omp scan kind(s)) \
			after; \
		} \
		return 0; \
	} \
	static double name##_tuned(size_t n, int w) { \
		std::vector<type> sums(w + 1); \
		PRAGMA(omp parallel num_threads(w)) { \
			size_t t = omp_get_thread_num(), begin = n * t / w, end = n * (t + 1) / w; \
			type s = 0; \
			PRAGMA(omp simd reduction(+ : s)) \
			for (size_t i = begin; i < end; i++) s += x[i]; \
			sums[t + 1] = s; \
			PRAGMA(omp barrier) \
			s = 0; \
			for (size_t k = 1; k <= t; k++) s += sums[k]; \
			for (size_t i = begin; i < end; i++) { \
				before; \
				after; \
			} \
		} \
		return 0; \
	}

SCAN(scan, double, x, z, exclusive, z[i] = s, s += x[i])
SCAN(scan_inclusive, double, x, z, inclusive, s += x[i], z[i] = s)
SCAN(scan_int32, uint32_t, counts, ints, exclusive, ints[i] = s, s += counts[i])

static double iterate(double v) {
	for (int k = 0; k < 100; k++) v = 0.5 * (v * v - v + 0.25);
	return v;
}

static double compute_omp(size_t n, int w) {
	double s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(w)
	for (size_t i = 0; i < n; i++) s += iterate(x[i]);
	return s;
}

static size_t edge(size_t n) { return size_t(std::sqrt(double(n))); }

static size_t edge3(size_t n) {
	size_t m = size_t(std::cbrt(double(n)));
	while ((m + 1) * (m + 1) * (m + 1) <= n) m++;
	return m;
}

// BOX2 and BOX3 define name_omp and name_simd: a loop over the points inside of a square or a
// cube, of which p is one of x and k its number.
#define INNER(name, variables, simd, reductions, result, ...) \
	static double name(size_t n, int w) { \
		size_t m = edge(n); \
		variables; \
		PRAGMA(omp parallel for num_threads(w) reductions) \
		for (size_t i = 1; i < m - 1; i++) { \
			simd \
			for (size_t j = 1; j < m - 1; j++) { \
				size_t k = i * m + j; \
				const double *p = x + k; \
				__VA_ARGS__ \
			} \
		} \
		return result; \
	}
#define BOX2(name, variables, reductions, result, ...) \
	INNER(name##_omp, variables, , reductions, result, __VA_ARGS__) \
	INNER(name##_simd, variables, PRAGMA(omp simd reductions), reductions, result, __VA_ARGS__)
#define INNER3(name, simd, ...) \
	static double name(size_t n, int w) { \
		size_t m = edge3(n); \
		PRAGMA(omp parallel for collapse(2) num_threads(w)) \
		for (size_t i = 1; i < m - 1; i++) \
			for (size_t j = 1; j < m - 1; j++) { \
				simd \
				for (size_t l = 1; l < m - 1; l++) { \
					size_t k = (i * m + j) * m + l; \
					const double *p = x + k; \
					__VA_ARGS__ \
				} \
			} \
		return 0; \
	}
#define BOX3(name, ...) \
	INNER3(name##_omp, , __VA_ARGS__) \
	INNER3(name##_simd, PRAGMA(omp simd), __VA_ARGS__)

BOX2(stencil2, , , 0, z[k] = 0.25 * (p[-m] + p[m] + p[-1] + p[1]) - p[0];)
BOX2(residual, double s = 0, reduction(+ : s), s, {
	double r = 0.25 * (p[-m] + p[m] + p[-1] + p[1]) - p[0];
	s += r * r;
})
BOX3(stencil3, z[k] = 0.125 * (p[-m * m] + p[m * m] + p[-m] + p[m] + p[-1] + p[1]) - p[0];)

static double transpose_omp(size_t n, int w) {
	size_t m = edge(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < m; j++) z[j * m + i] = x[i * m + j];
	return 0;
}

// transpose_tuned goes tile by tile.
static double transpose_tuned(size_t n, int w) {
	const size_t m = edge(n), tile = 32;
#pragma omp parallel for collapse(2) num_threads(w)
	for (size_t i0 = 0; i0 < m; i0 += tile)
		for (size_t j0 = 0; j0 < m; j0 += tile)
			for (size_t i = i0; i < std::min(i0 + tile, m); i++)
				for (size_t j = j0; j < std::min(j0 + tile, m); j++) z[j * m + i] = x[i * m + j];
	return 0;
}

static double team_vector_loop_omp(size_t n, int w) {
	size_t m = edge(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < m; j++) z[i * m + j] = x[i * m + j] + 0.5 * y[i * m + j];
	return 0;
}

static double team_vector_loop_simd(size_t n, int w) {
	size_t m = edge(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < m; i++) {
#pragma omp simd
		for (size_t j = 0; j < m; j++) z[i * m + j] = x[i * m + j] + 0.5 * y[i * m + j];
	}
	return 0;
}

// matmul is that of kernel_team.go: the order is a multiple of 16.
static size_t extent(size_t n) { return std::max(edge3(n) / 16, size_t(1)) * 16; }

static double matmul_omp(size_t n, int w) {
	size_t m = extent(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < m; j++) {
			double s = 0;
			for (size_t k = 0; k < m; k++) s += x[i * m + k] * y[k * m + j];
			z[i * m + j] = s;
		}
	return 0;
}

// matmul_simd has the loop over columns inside.
static double matmul_simd(size_t n, int w) {
	size_t m = extent(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < m; i++) {
		double *to = z + i * m;
		std::fill(to, to + m, 0);
		for (size_t k = 0; k < m; k++) {
			double v = x[i * m + k];
			const double *row = y + k * m;
#pragma omp simd
			for (size_t j = 0; j < m; j++) to[j] += v * row[j];
		}
	}
	return 0;
}

// matmul_tuned keeps tiles of 4 x 16 elements in registers.
static double matmul_tuned(size_t n, int w) {
	size_t m = extent(n);
#pragma omp parallel for collapse(2) num_threads(w)
	for (size_t i = 0; i < m; i += 4)
		for (size_t j = 0; j < m; j += 16) {
			double sum[4][16] = {};
			for (size_t k = 0; k < m; k++)
				for (int r = 0; r < 4; r++) {
#pragma omp simd
					for (int c = 0; c < 16; c++) sum[r][c] += x[(i + r) * m + k] * y[k * m + j + c];
				}
			for (int r = 0; r < 4; r++) std::copy(sum[r], sum[r] + 16, z + (i + r) * m + j);
		}
	return 0;
}

// cells_of returns a random one of that many cells for each of n items.
static const int32_t *cells_of(size_t n, size_t cells) {
	static std::vector<int32_t> cell;
	static size_t made = 0;
	if (made != cells || cell.size() < n) {
		made = cells;
		cell.resize(n);
		for (size_t i = 0; i < n; i++) cell[i] = int32_t(random_number(i) % cells);
	}
	return cell.data();
}

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

// ROWS defines a function that reduces each row i of m items j, in a loop under a pragma if
// there is one. PAIR_OF_ROWS is the PAIR of that.
#define ROWS(name, pragma, variables, store, ...) \
	static double name(size_t n, int w) { \
		size_t m = edge(n); \
		PRAGMA(omp parallel for num_threads(w)) \
		for (size_t i = 0; i < m; i++) { \
			variables; \
			pragma \
			for (size_t j = 0; j < m; j++) __VA_ARGS__ \
			store; \
		} \
		return 0; \
	}
#define PAIR_OF_ROWS(name, variables, reductions, store, ...) \
	ROWS(name##_omp, , variables, store, __VA_ARGS__) \
	ROWS(name##_simd, PRAGMA(omp simd reductions), variables, store, __VA_ARGS__)

PAIR_OF_ROWS(gemv, double s = 0, reduction(+ : s), z[i] = s, s += x[i * m + j] * y[j];)
PAIR_OF_ROWS(tensor, double s = 0; double q = 0, reduction(+ : s, q),
	z[2 * i] = s / double(m); z[2 * i + 1] = q / double(m), {
	double v = x[i * m + j];
	s += v;
	q += v * v;
})

static double launch_for(size_t n, int w) {
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < n; i++) asm volatile("");
	return 0;
}

// load loads each element, eight loads at a time, and does nothing more.
static void load(const double *p, size_t n) {
	size_t i = 0;
#ifdef __AVX512F__
	for (; i + 64 <= n; i += 64) {
		const __m512d *v = (const __m512d *)(p + i);
		for (int k = 0; k < 8; k++) {
			__m512d r = _mm512_loadu_pd((const double *)(v + k));
			asm volatile("" : : "x"(r));
		}
	}
#else
	for (; i + 32 <= n; i += 32) {
		const __m256d *v = (const __m256d *)(p + i);
		for (int k = 0; k < 8; k++) {
			__m256d r = _mm256_loadu_pd((const double *)(v + k));
			asm volatile("" : : "x"(r));
		}
	}
#endif
	for (; i < n; i++) asm volatile("" : : "x"(p[i]));
}

static double read_arrays(size_t n, int w, int arrays) {
#pragma omp parallel num_threads(w)
	{
		size_t t = omp_get_thread_num(), all = omp_get_num_threads();
		size_t begin = n * t / all, end = n * (t + 1) / all;
		load(x + begin, end - begin);
		if (arrays > 1) load(y + begin, end - begin);
	}
	return 0;
}

static double read_one(size_t n, int w) { return read_arrays(n, w, 1); }
static double read_two(size_t n, int w) { return read_arrays(n, w, 2); }

using Kernel = double (*)(size_t, int);

#define BOTH(name) {#name " cpp-omp", name##_omp}, {#name " cpp-simd", name##_simd}

#define TUNED(name) {#name " cpp-omp", name##_omp}, {#name " cpp-tuned", name##_tuned}
#define SCATTER(name, cells) {name " cpp-omp", scatter_omp<cells>}, {name " cpp-tuned", scatter_tuned<cells>}

static const std::map<std::string, Kernel> kernels = {
	{"reset z", reset}, {"checksum z", checksum},
	{"reset ints", reset_ints}, {"checksum ints", checksum_ints},
	BOTH(sum), {"sum read-limit", read_one},
	BOTH(dot), {"dot read-limit", read_two},
	BOTH(min), {"min read-limit", read_one},
	BOTH(minloc), {"minloc read-limit", read_one},
	BOTH(minmax), {"minmax read-limit", read_one},
	BOTH(fused4), {"fused4 read-limit", read_one},
	BOTH(land),
	BOTH(axpy),
	BOTH(triad),
	TUNED(scan), TUNED(scan_inclusive), TUNED(scan_int32),
	{"compute cpp-omp", compute_omp},
	BOTH(stencil2), BOTH(stencil3),
	BOTH(residual), {"residual read-limit", read_one},
	TUNED(transpose),
	BOTH(gemv), {"gemv read-limit", read_one},
	BOTH(tensor), {"tensor read-limit", read_one},
	BOTH(team_vector_loop),
	BOTH(matmul), {"matmul cpp-tuned", matmul_tuned},
	SCATTER("scatter1e3", 1000), SCATTER("scatter16e3", 16000),
	SCATTER("scatter64e3", 64000), SCATTER("scatter1e6", 1000000),
	TUNED(forces),
	{"launch_for cpp-omp", launch_for},
	{"launch_reduce cpp-omp", sum_omp},
	{"launch_idle cpp-omp", sum_omp},
};

using Clock = std::chrono::steady_clock;

// nanoseconds since a time
static long long since(Clock::time_point begin) {
	return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

// processor_time is that of all threads so far, in nanoseconds.
static long long processor_time() {
	timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main() {
	char kernel[64], impl[64];
	size_t n, room;
	int workers;
	long repeats;
	long long rest;
	while (scanf("%63s %63s %zu %zu %d %ld %lld", kernel, impl, &n, &room, &workers, &repeats, &rest) == 7) {
		auto k = kernels.find(std::string(kernel) + " " + impl);
		if (k == kernels.end()) {
			puts("none");
			fflush(stdout);
			continue;
		}
		hold(room, workers);
#pragma omp parallel num_threads(workers)
		asm volatile(""); // the threads are there
		double result = 0;
		long long took = 0, used = processor_time();
		for (long done = 0; done < repeats;) {
			long some = repeats;
			if (rest > 0) {
				std::this_thread::sleep_for(std::chrono::nanoseconds(rest));
				some = 1;
			}
			auto begin = Clock::now();
			for (long r = 0; r < some; r++) {
				result = k->second(n, workers);
				asm volatile("" : : : "memory");
			}
			took += since(begin);
			done += some;
		}
		used = processor_time() - used;
		if (omp_pause_resource_all(omp_pause_soft) != 0) {
			fprintf(stderr, "the threads of OpenMP do not end\n");
			return 1;
		}
		printf("%lld %lld %.17g\n", took, used, result);
		fflush(stdout);
	}
}
