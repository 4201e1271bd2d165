// The kernels of the benchmark in C++. The program reads commands, one in a line:
//
//	KERNEL IMPL N WORKERS REPEATS
//
// runs the kernel that often, and prints the nanoseconds that took and the result, or
// "none" if there is no such kernel. One that writes z returns 0; "reset z" before it and
// "checksum z" after it, which are run like kernels, tell what it wrote. Arrays hold what
// data.go puts into those of Go.
#include <algorithm>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <immintrin.h>
#include <omp.h>
#include <sys/mman.h>

using std::size_t;

static double *x, *y, *z;
static bool *b;
static size_t held = 0;

static double uniform(uint64_t k) {
	k += 0x9e3779b97f4a7c15;
	k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9;
	k = (k ^ (k >> 27)) * 0x94d049bb133111eb;
	k ^= k >> 31;
	return double(k >> 11) * 0x1p-53 - 0.5;
}

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
	x = (double *)array(n * sizeof(double));
	y = (double *)array(n * sizeof(double));
	z = (double *)array(n * sizeof(double));
	b = (bool *)array(n);
	if (!x || !y || !z || !b) {
		fprintf(stderr, "no memory for %zu elements\n", n);
		exit(1);
	}
#pragma omp parallel for num_threads(workers)
	for (size_t i = 0; i < n; i++) {
		x[i] = uniform(2 * i);
		y[i] = uniform(2 * i + 1);
		z[i] = 0;
		b[i] = true;
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

static double scan_omp(size_t n, int w) {
	double s = 0;
#pragma omp parallel for reduction(inscan, + : s) num_threads(w)
	for (size_t i = 0; i < n; i++) {
		z[i] = s;
#pragma omp scan exclusive(s)
		s += x[i];
	}
	return 0;
}

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

static double stencil_omp(size_t n, int w) {
	size_t m = edge(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 1; i < m - 1; i++)
		for (size_t j = 1; j < m - 1; j++) {
			const double *p = x + i * m + j;
			z[i * m + j] = 0.25 * (p[-m] + p[m] + p[-1] + p[1]) - p[0];
		}
	return 0;
}

static double stencil_simd(size_t n, int w) {
	size_t m = edge(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 1; i < m - 1; i++) {
		const double *p = x + i * m;
#pragma omp simd
		for (size_t j = 1; j < m - 1; j++)
			z[i * m + j] = 0.25 * (p[j - m] + p[j + m] + p[j - 1] + p[j + 1]) - p[j];
	}
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

static const std::map<std::string, Kernel> kernels = {
	{"reset z", reset}, {"checksum z", checksum},
	BOTH(sum), {"sum read-limit", read_one},
	BOTH(dot), {"dot read-limit", read_two},
	BOTH(min), {"min read-limit", read_one},
	BOTH(minloc), {"minloc read-limit", read_one},
	BOTH(minmax), {"minmax read-limit", read_one},
	BOTH(fused4), {"fused4 read-limit", read_one},
	BOTH(land),
	BOTH(axpy),
	BOTH(triad),
	{"scan cpp-omp", scan_omp},
	{"compute cpp-omp", compute_omp},
	BOTH(stencil),
	BOTH(gemv), {"gemv read-limit", read_one},
	BOTH(tensor), {"tensor read-limit", read_one},
	{"launch_for cpp-omp", launch_for},
	{"launch_reduce cpp-omp", sum_omp},
	{"launch_idle cpp-omp", sum_omp},
};

int main() {
	char kernel[64], impl[64];
	size_t n;
	int workers;
	long repeats;
	while (scanf("%63s %63s %zu %d %ld", kernel, impl, &n, &workers, &repeats) == 5) {
		auto k = kernels.find(std::string(kernel) + " " + impl);
		if (k == kernels.end()) {
			puts("none");
			fflush(stdout);
			continue;
		}
		hold(n, workers);
		double result = 0;
		auto begin = std::chrono::steady_clock::now();
		for (long r = 0; r < repeats; r++) {
			result = k->second(n, workers);
			asm volatile("" : : : "memory");
		}
		auto took = std::chrono::steady_clock::now() - begin;
		printf("%lld %.17g\n", (long long)std::chrono::duration_cast<std::chrono::nanoseconds>(took).count(), result);
		fflush(stdout);
	}
}
