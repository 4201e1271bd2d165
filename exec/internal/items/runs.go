package items

import (
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// Advance drops the first items of a run.
func Advance(r *policy.Run, items int) {
	r.At[r.Dim] += items
	r.Len -= items
}

// RowOf returns a run of points of a rank as the row that the functor gets: I is a [policy.Row] of
// these, and so as many integers, and two more.
func RowOf[I any](r *policy.Run, rank int) I {
	var words [len(r.At) + 2]int
	*(*[len(r.At)]int)(words[:]) = r.At
	*(*policy.Span)(unsafe.Pointer(&words[rank])) = launch.SpanOf(r)
	return *(*I)(unsafe.Pointer(&words))
}

// One returns a run as a list.
func One(r *policy.Run) []policy.Run { return unsafe.Slice(r, 1) }

// InLeaf returns up to where the items begin to end are in the leaf of begin. Where the last leaf of a launch would end is more
// than an int, maybe.
func InLeaf(begin, end, leaf int) int {
	return begin + min(leaf-begin&(leaf-1), end-begin) // a leaf is a power of two
}
