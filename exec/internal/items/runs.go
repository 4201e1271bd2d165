package items

import (
	"unsafe"

	"github.com/gokkos/gokkos/policy"
)

// Advance drops the first items of a run.
func Advance(r *policy.Run, items int) {
	r.At[r.Dim] += items
	r.Len -= items
}

// RowOf returns a run of points of a rank as the row that the functor takes. I must be a [policy.Row] of such
// points: as many ints, and two more.
func RowOf[I any](r *policy.Run, rank int) I {
	var words [len(r.At) + 2]int
	*(*[len(r.At)]int)(words[:]) = r.At
	first := r.At[r.Dim] // no call of SpanOf: it is not inlined into the package of a functor
	*(*policy.Span)(unsafe.Pointer(&words[rank])) = policy.Span{Begin: first, End: first + r.Len}
	return *(*I)(unsafe.Pointer(&words))
}

// One returns a run as a list of one, without a copy.
func One(r *policy.Run) []policy.Run { return unsafe.Slice(r, 1) }

// InLeaf returns the end of the leaf of item begin, or end if that comes first. The last leaf may end above
// the largest int, so InLeaf does not compute its end.
func InLeaf(begin, end, leaf int) int {
	return begin + min(leaf-begin&(leaf-1), end-begin) // a leaf is a power of two
}
