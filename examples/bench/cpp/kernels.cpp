// The kernels of the benchmark in C++ with OpenMP.
#include "box.h"
#include "compiled.h"
#include "load.h"
#include "reduce.h"
#include "scan.h"
#include "scatter.h"
#include "serve.h"
#include "sparse.h"
#include "team.h"

#define BOTH(name) {#name " cpp-omp", name##_omp}, {#name " cpp-simd", name##_simd}
#define TUNED(name) {#name " cpp-omp", name##_omp}, {#name " cpp-tuned", name##_tuned}
#define LOOPS(name, form) {#name " cpp-omp", form<loose::name>}, {#name " cpp-strict", form<strict::name>}
#define SCATTER(name, cells) {name " cpp-omp", scatter_omp<cells>}, {name " cpp-tuned", scatter_tuned<cells>}

static const Kernels kernels = {
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
	BOTH(team_vector_loop), BOTH(softmax), BOTH(yax),
	BOTH(csr9), BOTH(csr60), {"filter cpp-omp", filter_omp}, BOTH(lu),
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

int main() { return serve(kernels, [](int) {}); }
