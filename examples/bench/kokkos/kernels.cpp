// The kernels of the benchmark in Kokkos, as its users write them first.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "../cpp/serve.h"
#include "box.h"
#include "programs.h"
#include "reduce.h"
#include "scan.h"
#include "scatter.h"
#include "sparse.h"
#include "team.h"

#define KERNEL(name, function) {name " kokkos", function<int>}, {name " kokkos-int64", function<int64_t>}
#define KOKKOS(name) KERNEL(#name, name)
#define CSR(name, mean) {name " kokkos", csr<int, mean>}, {name " kokkos-int64", csr<int64_t, mean>}
#define SCATTER(name, cells) \
	{name " kokkos", scatter<int, cells>}, {name " kokkos-int64", scatter<int64_t, cells>}, \
	{name " kokkos-atomics", scatter_atomics<cells>}

static const Kernels kernels = {
	KOKKOS(sum), KOKKOS(dot), KERNEL("min", least), KOKKOS(minloc), KOKKOS(minmax), KOKKOS(fused4), KOKKOS(land),
	KOKKOS(axpy), KOKKOS(triad), KOKKOS(compute),
	KOKKOS(roots), KOKKOS(relax), KOKKOS(hash), KOKKOS(nearest), KOKKOS(mandelbrot),
	KOKKOS(options), KOKKOS(nbody), KOKKOS(lennardjones), KOKKOS(pi),
	KOKKOS(scan), KOKKOS(scan_inclusive), KOKKOS(scan_int32),
	KOKKOS(stencil2), KOKKOS(stencil3), KOKKOS(residual), KOKKOS(transpose),
	KOKKOS(gemv), KOKKOS(tensor), KOKKOS(team_vector_loop), KOKKOS(softmax), KOKKOS(yax), KOKKOS(matmul), {"matmul kokkos-team", matmul_team},
	CSR("csr9", 9), CSR("csr60", 60), KOKKOS(filter), KOKKOS(lu),
	SCATTER("scatter1e3", 1000), SCATTER("scatter16e3", 16000),
	SCATTER("scatter64e3", 64000), SCATTER("scatter1e6", 1000000), KOKKOS(forces),
	KOKKOS(launch_for), KERNEL("launch_reduce", sum), KERNEL("launch_idle", sum),
};

// start starts Kokkos, which to its end has as many threads as the first command says.
static void start(int workers) {
	if (!Kokkos::is_initialized()) Kokkos::initialize(Kokkos::InitializationSettings().set_num_threads(workers));
	if (const int threads = Kokkos::DefaultExecutionSpace().concurrency(); threads != workers) {
		fprintf(stderr, "Kokkos has %d threads, expected one for each of %d workers\n", threads, workers);
		exit(1);
	}
}

int main() {
	const int status = serve(kernels, start);
	if (Kokkos::is_initialized()) Kokkos::finalize();
	return status;
}
