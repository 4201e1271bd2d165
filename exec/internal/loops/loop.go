// Package loops has the kernels of ParallelFor and of reductions, and the loops over the items of a leaf: one
// for each form of functor, and one that calls code of gokkosc.
package loops

import (
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// A Loop runs items of one leaf by calls of a functor of one form. Item k goes to lane k mod n of each
// accumulator, which has n lanes, a power of two. The worker has the lanes.
//
// A Loop is compiled once for each form of index, for all types of accumulators: see [Accumulator].
type Loop interface {
	// Runs runs the indices of runs, from item item on.
	Runs(w *launch.Walk, runs []policy.Run, item int)
	// Block runs the indices of a block, from item item on.
	Block(w *launch.Walk, b launch.Block, item int)
}

// A SpanLoop is the loop of a functor that takes integers, or spans of integers.
type SpanLoop interface {
	Loop
	// Span runs the integers begin to end-1, from item item on.
	Span(w *launch.Walk, begin, end, item int)
}

// An Accumulator is a pointer to an accumulator, of a type that the loops do not know. Go's compilers pass
// pointers of all types alike, so the loops may call any functor as one that takes an Accumulator. The
// language does not promise this: TestErasedFunctors fails with a compiler that differs.
type Accumulator = unsafe.Pointer

// Each loop sets the form of its indices in the worker's [launch.Where].

// runsOfInts runs the integers of runs, one run after the other.
func runsOfInts(l SpanLoop, w *launch.Walk, runs []policy.Run, item int) {
	for n := range runs {
		r := &runs[n]
		l.Span(w, r.At[0], r.At[0]+r.Len, item)
		item += r.Len
	}
}

// integers runs items begin to end-1 by loop l. It is for a plain policy, whose functors take integers or
// spans of integers.
func integers(x *items.Items, w *launch.Walk, l Loop, begin, end int) {
	l.(SpanLoop).Span(w, x.First+begin, x.First+end, begin)
}

// each runs items begin to end-1 by loop l, in the form in which they come. It is not for a plain policy.
func each(x *items.Items, w *launch.Walk, l Loop, begin, end int) {
	for begin < end {
		item := begin
		runs, block, rest := x.Part(w, begin, end)
		switch begin = rest; {
		case runs != nil:
			l.Runs(w, runs, item)
		case block.N > 0: // else the launch is cancelled
			block.Items = rest - item
			l.Block(w, block, item)
		}
	}
}
