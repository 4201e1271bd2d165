package kernel

import "github.com/gokkos/gokkos/reducers/concept"

// For is the loop of a func(i int).
type For interface {
	// Span runs the functor's work for the integers begin to end-1, begin < end. It returns the first
	// integer whose work is not done: end, or an integer that the functor must run. All work before next
	// is done then, and none of next or behind it.
	//
	// Span must have the effects of the functor, on memory too, and the same bits. In code that cannot
	// be preempted, such as assembly, it must not take longer than about 50 µs. It may stop anywhere. It
	// must not keep a slice of lanes, nor read or write beyond one.
	//
	// If an item has loops of unknown length, assembly has a budget of rounds per call. It returns
	// before an item that might exceed the rest of the budget, with nothing of the item stored, and is
	// called again. An item larger than a whole budget runs in Go, which can be preempted.
	//
	// A loop that runs several items at a time may have a method Lanes() int, which returns their number. A launch
	// then is not cut into parts of fewer items, each of which would take as long as a full vector.
	Span(begin, end int) (next int)
}

// Reduce is the loop of a func(i int, acc *A). See [For] for begin, end and next.
type Reduce[A any] interface {
	// Span joins the contributions of the integers begin to next-1 into lanes. The integer begin is item
	// number item, and item k has the accumulator a[k&(len(a)-1)]. The number of lanes is a power of
	// two.
	Span(begin, end, item int, a []A) (next int)
}

// An Op names an operation, as in package concept.
type Op = concept.Op

// ReduceLeaves is a Reduce that runs several leaves of the reduction tree in one call. A leaf has few
// items, and lanes of its own.
type ReduceLeaves[A any] interface {
	Reduce[A]
	// Joins returns the operation by which Leaves joins the lanes of a leaf into sums, or none if it
	// cannot.
	Joins() Op
	// Leaves is Span for consecutive leaves of leaf items each, a multiple of lanes. Leaf n from begin
	// on has the accumulators a[n*lanes] to a[(n+1)*lanes-1]; its item k has accumulator k&(lanes-1)
	// among these. Leaves stops before a leaf that is not whole, that it does not take, or of which a
	// part must be left to the functor.
	//
	// If sums is not nil, each leaf begins with the accumulators a[0] to a[lanes-1], which stay
	// unchanged. sums[n] is set to the joined accumulators of leaf n. They are joined as a butterfly:
	// lane l with lane l+h for h a half, a quarter, and so on of the number of lanes.
	Leaves(begin, end, leaf, lanes int, a, sums []A) (next int)
}

// Reduce2 is [Reduce] with two accumulators, which may have different numbers of lanes.
type Reduce2[A, B any] interface {
	Span(begin, end, item int, a []A, b []B) (next int)
}

// Reduce3 is [Reduce2] with three accumulators.
type Reduce3[A, B, C any] interface {
	Span(begin, end, item int, a []A, b []B, c []C) (next int)
}

// Reduce4 is [Reduce2] with four accumulators.
type Reduce4[A, B, C, D any] interface {
	Span(begin, end, item int, a []A, b []B, c []C, d []D) (next int)
}
