package main

import (
	"slices"
	"strings"
	"time"

	"github.com/gokkos/gokkos/exec"
	levels "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
)

// impls are the names of the implementations, in the order of the output. The last is no
// implementation but a bound: a loop that only loads what the kernel reads.
var impls = slices.Concat([]string{"gokkos-fold"}, atLevels(
	"gokkos-span", "gokkos-rows", "gokkos-tiles", "gokkos-lanes", "gokkos-index", "gokkos-team-loop", "gokkos-team", "gokkos-team-1", "gokkos-team-8", unordered,
), []string{
	plain, "errgroup", "conc", "gonum", cppFirst, "cpp-simd", "cpp-tuned", "cpp-strict",
	kokkos, "kokkos-int64", "kokkos-team", "kokkos-atomics", readLimit,
})

// atLevels returns forms as they are written, and each compiled where it stands, for each level of loops.
func atLevels(forms ...string) (names []string) {
	for _, form := range forms {
		names = append(names, form)
		for level := levels.Go; level <= levels.AVX512; level++ {
			names = append(names, form+"-"+level.String())
		}
	}
	return names
}

const (
	plain     = "loop"           // whose result the others must have
	unordered = "gokkos-atomics" // whose bits depend on who comes first
	cppFirst  = "cpp-omp"        // which all kernels have
	goFirst   = index + "-go"    // which most of the compiled functors have
	index     = "gokkos-index"
	kokkos    = "kokkos"
	readLimit = "read-limit"
)

// inCpp reports whether an implementation is one of the program of cpp/kernels.cpp.
func inCpp(name string) bool { return strings.HasPrefix(name, "cpp-") || name == readLimit }

// onKokkos reports whether an implementation is one of the program of kokkos/kernels.cpp.
func onKokkos(name string) bool { return strings.HasPrefix(name, kokkos) }

// isCompiled reports whether an implementation is one of the program that gokkosc builds.
func isCompiled(name string) bool {
	_, level := levelOf(name)
	return level > levels.Closure
}

// sharers are the peers that share out a loop by hand.
var sharers = map[string]sharer{"errgroup": byErrgroup, "conc": byConc}

// A setup is what an implementation is made for.
type setup struct {
	*data
	n       int // items
	workers int
	space   exec.Space // of that many workers
}

func (s setup) items() policy.RangePolicy { return policy.Range(0, s.n).On(s.space) }
func (s setup) over(of func(n int) (begin, end int)) policy.RangePolicy {
	return policy.Range(of(s.n)).On(s.space)
}
func (s setup) spans() policy.SpansPolicy { return policy.Spans(0, s.n).On(s.space) }

// An implementation runs its kernel once and returns the result, or leaves it in z and
// returns 0. The result must be about the same for all implementations. Setting up is not
// measured; making policies and reducers is, where a program would make them anew each time.
type implementation func() float64

// A kernel is something to compute, and the implementations of it in Go.
type kernel struct {
	name   string
	bytes  float64            // that an item moves from and to memory
	sizes  []int              // to run it at, unless told otherwise
	fixed  bool               // the sizes belong to the kernel
	idle   bool               // each run comes after 3 ms in which nothing happens
	writes string             // the array that is its result, "z" or "ints", or "" if it returns it
	exact  bool               // all implementations in Go, but for gonum, have the bits of the plain one
	room   func(n int) int    // how many elements arrays have, if not n
	shape  func(n int) string // how n items are told, if not as a number
	make   implementations
}

// elements returns how many elements the arrays of the kernel have for n items.
func (k kernel) elements(n int) int {
	if k.room == nil {
		return n
	}
	return k.room(n)
}

// rest returns for how long nothing happens before each run.
func (k kernel) rest() time.Duration {
	if k.idle {
		return 3 * time.Millisecond
	}
	return 0
}

// results returns the array that is the result of the kernel, an empty one if it has none.
func (k kernel) results(s setup) results {
	switch room := k.elements(s.n); k.writes {
	case "z":
		return float64s(s.z[:room])
	case "ints":
		return int32s(s.ints[:room])
	}
	return float64s(nil)
}

// implementations make the implementations of a kernel, by name.
type implementations map[string]func(s setup) implementation

const small, medium, large = 1e3, 1e5, 5e7

// kernels are all the kernels, in the order of the output.
var kernels = []kernel{
	sumKernel, dotKernel, minKernel, minLocKernel, minMaxKernel, fused4Kernel, landKernel,
	axpyKernel, triadKernel, computeKernel,
	rootsKernel, relaxKernel, hashKernel, nearestKernel, mandelbrotKernel,
	optionsKernel, nbodyKernel, lennardJonesKernel, piKernel,
	scanKernel, scanInclusiveKernel, scanInt32Kernel,
	stencil2Kernel, stencil3Kernel, residualKernel, transposeKernel,
	gemvKernel, tensorKernel, teamVectorLoopKernel, softmaxKernel, yaxKernel, matmulKernel,
	csrKernel("csr9", 9), csrKernel("csr60", 60), filterKernel, luKernel,
	scatterKernel("scatter1e3", 1e3), scatterKernel("scatter16e3", 16e3),
	scatterKernel("scatter64e3", 64e3), scatterKernel("scatter1e6", 1e6), forcesKernel,
	launchForKernel, launchReduceKernel, launchIdleKernel,
}

// must ends the program on an error of a launch, which none of these can have.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
