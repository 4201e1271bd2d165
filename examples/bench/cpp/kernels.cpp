// The kernels of the benchmark in C++. The program reads commands, one in a line:
//
//	KERNEL IMPL N WORKERS REPEATS
//
// runs the kernel that often, and prints the nanoseconds that took and the result, or
// "none" if there is no such kernel. Arrays hold what data.go puts into those of Go.
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

struct ValLoc { double val; long loc; };
#pragma omp declare reduction(minloc : ValLoc : \
	omp_out = omp_in.val < omp_out.val || (omp_in.val == omp_out.val && omp_in.loc < omp_out.loc) ? omp_in : omp_out) \
	initializer(omp_priv = ValLoc{std::numeric_limits<double>::infinity(), LONG_MAX})

static double sum_omp(size_t n, int w) {
	double s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(w)
	for (size_t i = 0; i < n; i++) s += x[i];
	return s;
}

static double sum_simd(size_t n, int w) {
	double s = 0;
#pragma omp parallel for simd reduction(+ : s) num_threads(w)
	for (size_t i = 0; i < n; i++) s += x[i];
	return s;
}

static double dot_omp(size_t n, int w) {
	double s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(w)
	for (size_t i = 0; i < n; i++) s += x[i] * y[i];
	return s;
}

static double dot_simd(size_t n, int w) {
	double s = 0;
#pragma omp parallel for simd reduction(+ : s) num_threads(w)
	for (size_t i = 0; i < n; i++) s += x[i] * y[i];
	return s;
}

static double min_omp(size_t n, int w) {
	double s = std::numeric_limits<double>::infinity();
#pragma omp parallel for reduction(min : s) num_threads(w)
	for (size_t i = 0; i < n; i++) s = x[i] < s ? x[i] : s;
	return s;
}

static double min_simd(size_t n, int w) {
	double s = std::numeric_limits<double>::infinity();
#pragma omp parallel for simd reduction(min : s) num_threads(w)
	for (size_t i = 0; i < n; i++) s = x[i] < s ? x[i] : s;
	return s;
}

static double minloc_omp(size_t n, int w) {
	ValLoc s{std::numeric_limits<double>::infinity(), LONG_MAX};
#pragma omp parallel for reduction(minloc : s) num_threads(w)
	for (size_t i = 0; i < n; i++)
		if (x[i] < s.val) s = ValLoc{x[i], long(i)};
	return double(s.loc);
}

// minloc_simd finds the minimum of a block with omp simd, and where it is if it is less.
static double minloc_simd(size_t n, int w) {
	ValLoc s{std::numeric_limits<double>::infinity(), LONG_MAX};
	const size_t block = 1024;
#pragma omp parallel for reduction(minloc : s) num_threads(w)
	for (size_t begin = 0; begin < n; begin += block) {
		size_t end = std::min(begin + block, n);
		double m = std::numeric_limits<double>::infinity();
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

static double minmax_omp(size_t n, int w) {
	double lo = std::numeric_limits<double>::infinity(), hi = -lo;
#pragma omp parallel for reduction(min : lo) reduction(max : hi) num_threads(w)
	for (size_t i = 0; i < n; i++) {
		lo = x[i] < lo ? x[i] : lo;
		hi = x[i] > hi ? x[i] : hi;
	}
	return hi - lo;
}

static double minmax_simd(size_t n, int w) {
	double lo = std::numeric_limits<double>::infinity(), hi = -lo;
#pragma omp parallel for simd reduction(min : lo) reduction(max : hi) num_threads(w)
	for (size_t i = 0; i < n; i++) {
		lo = x[i] < lo ? x[i] : lo;
		hi = x[i] > hi ? x[i] : hi;
	}
	return hi - lo;
}

static double fused4_omp(size_t n, int w) {
	double s = 0, q = 0, lo = std::numeric_limits<double>::infinity(), hi = -lo;
#pragma omp parallel for reduction(+ : s, q) reduction(min : lo) reduction(max : hi) num_threads(w)
	for (size_t i = 0; i < n; i++) {
		s += x[i];
		q += x[i] * x[i];
		lo = x[i] < lo ? x[i] : lo;
		hi = x[i] > hi ? x[i] : hi;
	}
	return s + q + lo + hi;
}

static double fused4_simd(size_t n, int w) {
	double s = 0, q = 0, lo = std::numeric_limits<double>::infinity(), hi = -lo;
#pragma omp parallel for simd reduction(+ : s, q) reduction(min : lo) reduction(max : hi) num_threads(w)
	for (size_t i = 0; i < n; i++) {
		s += x[i];
		q += x[i] * x[i];
		lo = x[i] < lo ? x[i] : lo;
		hi = x[i] > hi ? x[i] : hi;
	}
	return s + q + lo + hi;
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

static double axpy_omp(size_t n, int w) {
	static double a = 0.5;
	a = -a;
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < n; i++) z[i] += a * x[i];
	return 0;
}

static double axpy_simd(size_t n, int w) {
	static double a = 0.5;
	a = -a;
#pragma omp parallel for simd num_threads(w)
	for (size_t i = 0; i < n; i++) z[i] += a * x[i];
	return 0;
}

static double triad_omp(size_t n, int w) {
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < n; i++) z[i] = x[i] + 0.5 * y[i];
	return z[n / 2];
}

static double triad_simd(size_t n, int w) {
#pragma omp parallel for simd num_threads(w)
	for (size_t i = 0; i < n; i++) z[i] = x[i] + 0.5 * y[i];
	return z[n / 2];
}

static double scan_omp(size_t n, int w) {
	double s = 0;
#pragma omp parallel for reduction(inscan, + : s) num_threads(w)
	for (size_t i = 0; i < n; i++) {
		z[i] = s;
#pragma omp scan exclusive(s)
		s += x[i];
	}
	return z[n - 1];
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
	return z[m + 1];
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
	return z[m + 1];
}

static double gemv_omp(size_t n, int w) {
	size_t m = edge(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < m; i++) {
		double s = 0;
		for (size_t j = 0; j < m; j++) s += x[i * m + j] * y[j];
		z[i] = s;
	}
	return z[m / 2];
}

static double gemv_simd(size_t n, int w) {
	size_t m = edge(n);
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < m; i++) {
		double s = 0;
#pragma omp simd reduction(+ : s)
		for (size_t j = 0; j < m; j++) s += x[i * m + j] * y[j];
		z[i] = s;
	}
	return z[m / 2];
}

static double tensor_omp(size_t n, int w) {
	size_t rows = edge(n), k = rows;
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < rows; i++) {
		double s = 0, q = 0;
		for (size_t j = 0; j < k; j++) {
			double v = x[i * k + j];
			s += v;
			q += v * v;
		}
		z[2 * i] = s / double(k);
		z[2 * i + 1] = q / double(k);
	}
	return z[0] + z[1];
}

static double tensor_simd(size_t n, int w) {
	size_t rows = edge(n), k = rows;
#pragma omp parallel for num_threads(w)
	for (size_t i = 0; i < rows; i++) {
		double s = 0, q = 0;
#pragma omp simd reduction(+ : s, q)
		for (size_t j = 0; j < k; j++) {
			double v = x[i * k + j];
			s += v;
			q += v * v;
		}
		z[2 * i] = s / double(k);
		z[2 * i + 1] = q / double(k);
	}
	return z[0] + z[1];
}

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

static const std::map<std::string, Kernel> kernels = {
	{"sum cpp-omp", sum_omp},         {"sum cpp-simd", sum_simd},         {"sum read-limit", read_one},
	{"dot cpp-omp", dot_omp},         {"dot cpp-simd", dot_simd},         {"dot read-limit", read_two},
	{"min cpp-omp", min_omp},         {"min cpp-simd", min_simd},         {"min read-limit", read_one},
	{"minloc cpp-omp", minloc_omp},   {"minloc cpp-simd", minloc_simd},   {"minloc read-limit", read_one},
	{"minmax cpp-omp", minmax_omp},   {"minmax cpp-simd", minmax_simd},   {"minmax read-limit", read_one},
	{"fused4 cpp-omp", fused4_omp},   {"fused4 cpp-simd", fused4_simd},   {"fused4 read-limit", read_one},
	{"land cpp-omp", land_omp},       {"land cpp-simd", land_simd},
	{"axpy cpp-omp", axpy_omp},       {"axpy cpp-simd", axpy_simd},
	{"triad cpp-omp", triad_omp},     {"triad cpp-simd", triad_simd},
	{"scan cpp-omp", scan_omp},
	{"compute cpp-omp", compute_omp},
	{"stencil cpp-omp", stencil_omp}, {"stencil cpp-simd", stencil_simd},
	{"gemv cpp-omp", gemv_omp},       {"gemv cpp-simd", gemv_simd},       {"gemv read-limit", read_one},
	{"tensor cpp-omp", tensor_omp},   {"tensor cpp-simd", tensor_simd},   {"tensor read-limit", read_one},
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
