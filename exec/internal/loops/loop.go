// Package loops has the kernels of for and of reductions, and the loops over the items of a leaf: one for each form of
// functor, and one that calls code of gokkosc.
package loops

import (
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// A Loop runs items of one leaf by calls of a functor of one form. With accumulators, item k goes to lane k mod the
// number of lanes, which is a power of two: the lanes that the worker has for each.
//
// A Loop is compiled once for each form of index, whatever the types of the accumulators are: see [Accumulator].
type Loop interface {
	// Runs runs the indices of runs, the first of which is that item.
	Runs(w *launch.Walk, runs []policy.Run, item int)
	// Block runs indices that the policy has given one by one.
	Block(w *launch.Walk, b launch.Block, item int)
}

// A SpanLoop is the loop of a functor that takes integers, or spans of them.
type SpanLoop interface {
	Loop
	// Span runs the integers begin to end-1, the first of which is that item.
	Span(w *launch.Walk, begin, end, item int)
}

// An Accumulator is a pointer to one, of a type that the loops do not know. A functor that takes a pointer is called in
// the same way whatever it points to, so the loops call it as one that takes an accumulator. That is how Go's compilers
// pass arguments, and not what the language says: TestErasedFunctors is there for a compiler that does otherwise.
type Accumulator = unsafe.Pointer

// A loop says what form the indices have that the functor is called for, see where.

// runsOfInts runs the integers of runs, one run after the other.
func runsOfInts(l SpanLoop, w *launch.Walk, runs []policy.Run, item int) {
	for n := range runs {
		r := &runs[n]
		l.Span(w, r.At[0], r.At[0]+r.Len, item)
		item += r.Len
	}
}

// integers runs items begin to end by a loop. It is for a plain policy, whose functors take integers or spans of them.
func integers(x *items.Items, w *launch.Walk, l Loop, begin, end int) {
	l.(SpanLoop).Span(w, x.First+begin, x.First+end, begin)
}

// each runs items begin to end by a loop, in the form in which they come. It is not for a plain policy.
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
