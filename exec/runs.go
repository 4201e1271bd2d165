package exec

import (
	"unsafe"

	"github.com/gokkos/gokkos/policy"
)

// advance drops the first items of a run.
func advance(r *policy.Run, items int) {
	r.At[r.Dim] += items
	r.Len -= items
}

// rowOf returns a run of points of a rank as the row that the functor gets: I is a [policy.Row] of
// these, and so as many integers, and two more.
func rowOf[I any](r *policy.Run, rank int) I {
	var words [len(r.At) + 2]int
	*(*[len(r.At)]int)(words[:]) = r.At
	*(*policy.Span)(unsafe.Pointer(&words[rank])) = spanOf(r)
	return *(*I)(unsafe.Pointer(&words))
}

// one returns a run as a list.
func one(r *policy.Run) []policy.Run { return unsafe.Slice(r, 1) }
