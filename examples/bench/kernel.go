package main

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// impls are the names of the implementations. The last is no implementation but a bound: a
// loop that only loads what the kernel reads.
var impls = []string{
	"gokkos-fold", "gokkos-span", "gokkos-lanes", "gokkos-index",
	"loop", "errgroup", "conc", "gonum", "cpp-omp", "cpp-simd", readLimit,
}

const readLimit = "read-limit"

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
func (s setup) spans() policy.SpansPolicy { return policy.Spans(0, s.n).On(s.space) }

// An implementation runs its kernel once and returns the result, or leaves it in z and
// returns 0. The result must be about the same for all implementations. Setting up is not
// measured; making policies and reducers is, where a program would make them anew each time.
type implementation func() float64

// A kernel is something to compute, and the implementations of it in Go.
type kernel struct {
	name   string
	bytes  float64 // that an item moves from and to memory
	sizes  []int   // to run it at, unless told otherwise
	fixed  bool    // the sizes belong to the kernel
	idle   bool    // each run comes after 3 ms in which nothing happens
	writes bool    // z is its result
	make   implementations
}

// implementations make the implementations of a kernel, by name.
type implementations map[string]func(s setup) implementation

// plain is the implementation whose result the others must have.
const plain = "loop"

const small, medium, large = 1e3, 1e5, 5e7

// kernels are all the kernels, in the order of the output.
var kernels = []kernel{
	sumKernel, dotKernel, minKernel, minLocKernel, minMaxKernel, fused4Kernel, landKernel,
	axpyKernel, triadKernel, scanKernel, computeKernel,
	stencilKernel, gemvKernel, tensorKernel,
	launchForKernel, launchReduceKernel, launchIdleKernel,
}

// must ends the program on an error of a launch, which none of these can have.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
