package exec

import (
	"unsafe"

	"github.com/gokkos/gokkos/policy"
)

// A loop runs items of one leaf by calls of a functor of one form. With accumulators, item k goes to lane k mod the
// number of lanes, which is a power of two: the lanes that the worker has for each.
//
// A loop is compiled once for each form of index, whatever the types of the accumulators are: see [accumulator].
type loop interface {
	// runs runs the indices of runs, the first of which is that item.
	runs(w *walk, runs []policy.Run, item int)
	// block runs indices that the policy has given one by one.
	block(w *walk, b block, item int)
}

// A spanLoop is the loop of a functor that takes integers, or spans of them.
type spanLoop interface {
	loop
	// span runs the integers begin to end-1, the first of which is that item.
	span(w *walk, begin, end, item int)
}

// An accumulator is a pointer to one, of a type that the loops do not know. A functor that takes a pointer is called in
// the same way whatever it points to, so the loops call it as one that takes an accumulator. That is how Go's compilers
// pass arguments, and not what the language says: TestErasedFunctors is there for a compiler that does otherwise.
type accumulator = unsafe.Pointer

// A loop says what form the indices have that the functor is called for, see where.

// runsOfInts runs the integers of runs, one run after the other.
func runsOfInts(l spanLoop, w *walk, runs []policy.Run, item int) {
	for n := range runs {
		r := &runs[n]
		l.span(w, r.At[0], r.At[0]+r.Len, item)
		item += r.Len
	}
}

// integers runs items begin to end by a loop. It is for a plain policy, whose functors take integers or spans of them.
func integers(x *items, w *walk, l loop, begin, end int) {
	l.(spanLoop).span(w, x.first+begin, x.first+end, begin)
}

// each runs items begin to end by a loop, in the form in which they come. It is not for a plain policy.
func each(x *items, w *walk, l loop, begin, end int) {
	for begin < end {
		item := begin
		runs, block, rest := x.part(w, begin, end)
		switch begin = rest; {
		case runs != nil:
			l.runs(w, runs, item)
		case block.n > 0: // else the launch is cancelled
			block.items = rest - item
			l.block(w, block, item)
		}
	}
}
