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
#include <chrono>
#include <cstdio>
#include <ctime>
#include <map>
#include <string>
#include <thread>

#include <omp.h>

#include "box.h"
#include "compiled.h"
#include "data.h"
#include "load.h"
#include "reduce.h"
#include "scan.h"
#include "scatter.h"
#include "team.h"

using Kernel = double (*)(size_t, int);

#define BOTH(name) {#name " cpp-omp", name##_omp}, {#name " cpp-simd", name##_simd}
#define TUNED(name) {#name " cpp-omp", name##_omp}, {#name " cpp-tuned", name##_tuned}
#define LOOPS(name, form) {#name " cpp-omp", form<loose::name>}, {#name " cpp-strict", form<strict::name>}
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
	{"axpy cpp-strict", each_signed<strict::axpy>}, {"triad cpp-strict", each<strict::triad>},
	{"dot cpp-strict", summed<strict::dot>}, {"min cpp-strict", least<strict::min>},
	{"compute cpp-strict", summed<strict::compute>}, {"gemv cpp-strict", by_row<strict::gemv, 0>},
	LOOPS(roots, summed), LOOPS(hash, each), LOOPS(nearest, each),
	{"relax cpp-omp", by_row<loose::relax, 1>}, {"relax cpp-strict", by_row<strict::relax, 1>},
	// Fused products go other ways, so both have the bits of Go.
	{"mandelbrot cpp-omp", by_pixel<strict::mandelbrot>}, {"mandelbrot cpp-strict", by_pixel<strict::mandelbrot>},
	{"stencil2 cpp-strict", by_row<strict::stencil2, 1>}, {"stencil3 cpp-strict", by_plane<strict::stencil3>},
	LOOPS(options, each), LOOPS(nbody, by_body), LOOPS(lennardjones, by_atom), LOOPS(pi, summed),
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
