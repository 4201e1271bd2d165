// The protocol of a program of peers. It reads commands, one in a line:
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
#pragma once

#include <chrono>
#include <cstdio>
#include <ctime>
#include <map>
#include <string>
#include <thread>

#include <omp.h>

#include "data.h"

using Kernel = double (*)(size_t items, int workers);
using Kernels = std::map<std::string, Kernel>; // by KERNEL and IMPL, with a space between

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

// serve answers commands to the end of the input. Before a command it calls start with the workers,
// which ends the program if it cannot have as many.
template <class Start> int serve(Kernels kernels, Start start) {
	kernels.insert({{"reset z", reset}, {"checksum z", checksum}, {"reset ints", reset_ints}, {"checksum ints", checksum_ints}});
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
		start(workers);
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
	return 0;
}
