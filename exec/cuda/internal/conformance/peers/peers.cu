// The kernels of internal/kernels in CUDA C++, to compare with: the same operations in the same order, with the indices
// that one writes by hand, and no checks of them. It prints rows of the table that TestCard/figures prints, the best of 20
// launches each, from the call to the end of the wait.
//
//	nvcc -O3 -std=c++17 -arch=native -fmad=false -o peers peers.cu && ./peers 100000000
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>

#define CHECK(call)                                                                         \
	do {                                                                                    \
		if (cudaError_t e = (call); e != cudaSuccess) {                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));      \
			exit(1);                                                                        \
		}                                                                                   \
	} while (0)

static const int threads = 256;

__global__ void nothing() {}

__global__ void triad(double a, const double *x, const double *y, double *z, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) z[i] = x[i] + a * y[i];
}

// A warp has 32 neighbours of a row, and a block 8 rows.
__global__ void stencil(const double *u, double *v, int n) {
	int i = blockIdx.y * blockDim.y + threadIdx.y + 1, j = blockIdx.x * blockDim.x + threadIdx.x + 1;
	if (i >= n - 1 || j >= n - 1) return;
	size_t k = (size_t)i * n + j;
	v[k] = .25 * (u[k - n] + u[k + n] + u[k - 1] + u[k + 1]);
}

__global__ void stencil3(const float *u, float *v, int n) {
	int i = blockIdx.z + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1, k = blockIdx.x * blockDim.x + threadIdx.x + 1;
	if (j >= n - 1 || k >= n - 1) return;
	size_t p = ((size_t)i * n + j) * n + k, row = n, plane = (size_t)n * n;
	v[p] = u[p - plane] + u[p + plane] + u[p - row] + u[p + row] + u[p - 1] + u[p + 1];
}

__global__ void bodies(const double *x, const double *y, const double *z, const double *m, double *ax, double *ay, double *az, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	double sx = 0, sy = 0, sz = 0;
	for (int j = 0; j < n; j++) {
		double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
		double r2 = dx * dx + dy * dy + dz * dz + 1e-6;
		double w = m[j] / (r2 * sqrt(r2));
		sx += dx * w;
		sy += dy * w;
		sz += dz * w;
	}
	ax[i] = sx;
	ay[i] = sy;
	az[i] = sz;
}

__global__ void option(const double *price, const double *strike, const double *years, double rate, double volatility, double *call, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	double s = price[i], k = strike[i], t = years[i], root = sqrt(t);
	double d1 = (log(s / k) + (rate + .5 * volatility * volatility) * t) / (volatility * root), d2 = d1 - volatility * root;
	double n1 = 1 / (1 + exp(-1.702 * d1)), n2 = 1 / (1 + exp(-1.702 * d2));
	call[i] = s * n1 - k * exp(-rate * t) * n2;
}

__global__ void inside(uint64_t seed, unsigned long long *count, int n) {
	long long own = 0;
	for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x) {
		uint64_t z = seed + (uint64_t)i * 0x9e3779b97f4a7c15;
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
		z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
		z ^= z >> 31;
		double x = (double)(z >> 32) / 4294967296., y = (double)(z & 0xffffffff) / 4294967296.;
		if (x * x + y * y < 1) own++;
	}
	for (int h = 16; h > 0; h /= 2) own += __shfl_down_sync(~0u, own, h);
	if (threadIdx.x % 32 == 0) atomicAdd(count, (unsigned long long)own);
}

__global__ void mandel(double re, double step, double im, int most, int *counts, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	double c = re + i * step, x = 0, y = 0;
	int k = 0;
	while (k < most && x * x + y * y < 4) {
		double next = x * x - y * y + c;
		y = 2 * (x * y) + im;
		x = next;
		k++;
	}
	counts[i] = k;
}

static void row(const char *what, double bytes, double items, const std::function<void()> &f) {
	double best = 1e9;
	for (int k = 0; k < 20; k++) {
		auto begin = std::chrono::steady_clock::now();
		f();
		CHECK(cudaGetLastError());
		CHECK(cudaDeviceSynchronize());
		double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
		if (took < best) best = took;
	}
	printf("| nvcc: %s | %.4f | %.0f | %.2f |\n", what, best * 1e3, bytes / best / 1e9, items / best / 1e9);
}

__global__ void fill(double *x, double value, size_t n) {
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) x[i] = value;
}

__global__ void spread(double *x, int n) { // bodies in a cube
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] = (i * 7919L) % 1013 / 1013.;
}

static double *filled(size_t n) {
	double *p;
	CHECK(cudaMalloc(&p, n * 8));
	fill<<<4096, threads>>>(p, 1.5, n);
	return p;
}

int main(int argc, char **argv) {
	int n = argc > 1 ? atoi(argv[1]) : 100000000, blocks = (n - 1) / threads + 1;
	int side = 2, edge = 2, count = argc > 2 ? atoi(argv[2]) : 16384;
	while ((int64_t)side * side < n) side++;
	while ((int64_t)edge * edge * edge < n) edge++;
	size_t most = (size_t)side * side > (size_t)n ? (size_t)side * side : n;
	double *x = filled(most), *y = filled(most), *z = filled(most), *b[7];
	float *p, *q;
	CHECK(cudaMalloc(&p, (size_t)edge * edge * edge * 4));
	CHECK(cudaMalloc(&q, (size_t)edge * edge * edge * 4));
	for (double *&of : b) {
		of = filled(count);
		spread<<<(count - 1) / threads + 1, threads>>>(of, count);
	}
	unsigned long long *hits, host;
	CHECK(cudaMalloc(&hits, 8));
	CHECK(cudaDeviceSynchronize());

	double points = (side - 2.) * (side - 2.), cells = (edge - 2.) * (edge - 2.) * (edge - 2.);
	row("launch and wait, no item does anything", 0, 1, [&] { nothing<<<1, threads>>>(); });
	row("triad", 24. * n, n, [&] { triad<<<blocks, threads>>>(3, x, y, z, n); });
	row("Black-Scholes", 32. * n, n, [&] { option<<<blocks, threads>>>(x, y, x, .02, .3, z, n); });
	row("Monte Carlo", 0, n, [&] {
		CHECK(cudaMemsetAsync(hits, 0, 8));
		inside<<<132 * 16, threads>>>(5, hits, n);
		CHECK(cudaMemcpy(&host, hits, 8, cudaMemcpyDeviceToHost));
	});
	row("Mandelbrot, up to 200 rounds", 4. * n, n, [&] { mandel<<<blocks, threads>>>(-2, 3 / (double)n, .1, 200, (int *)z, n); });
	row("n-body", 0, (double)count * count, [&] { bodies<<<(count - 1) / threads + 1, threads>>>(b[0], b[1], b[2], b[3], b[4], b[5], b[6], count); });
	dim3 square(32, 8), tiles((side - 3) / 32 + 1, (side - 3) / 8 + 1), bricks((edge - 3) / 32 + 1, (edge - 3) / 8 + 1, edge - 2);
	row("stencil of 5 points", 16 * points, points, [&] { stencil<<<tiles, square>>>(x, y, side); });
	row("stencil of 7 points, float32", 8 * cells, cells, [&] { stencil3<<<bricks, square>>>(p, q, edge); });
	return 0;
}
