package kernel

import "github.com/gokkos/gokkos/reducers/concept"

// For is the loop of a func(i int).
type For interface {
	// Span runs the functor's work for the integers begin to end-1, begin < end, and returns the
	// first for which it has not: end, or one that the functor must run. All before next are done
	// then, and nothing of next or behind it.
	//
	// Span must have the effects of the functor, in memory too, and the same bits. It must not
	// take longer than about 50 µs where it cannot be preempted, as in assembly; it may stop
	// anywhere. It must not keep a slice of lanes, nor read or write beyond one.
	//
	// Where an item has loops whose number of rounds nobody knows beforehand, assembly counts
	// them: it leaves in front of items that might take longer, with nothing of them stored, and
	// is called again; items that one call is too short for run in Go, which can be preempted.
	Span(begin, end int) (next int)
}

// Reduce is the loop of a func(i int, acc *A). See [For] for begin, end and next.
type Reduce[A any] interface {
	// Span joins the contributions of the integers from begin on into lanes: begin is the item of
	// that number, and item k has the accumulator a[k&(len(a)-1)]. The number of lanes is a power
	// of two.
	Span(begin, end, item int, a []A) (next int)
}

// An Op is the name that package concept has for an operation.
type Op = concept.Op

// ReduceLeaves is a Reduce that runs several leaves of the reduction tree in one call: a leaf has few items,
// and lanes of its own.
type ReduceLeaves[A any] interface {
	Reduce[A]
	// Joins is the operation by which Leaves joins the lanes of a leaf if it is asked to, or none if it cannot.
	Joins() Op
	// Leaves is Span for consecutive leaves of that many items each, a multiple of the number of lanes:
	// leaf n from begin on has the accumulators a[n*lanes] to a[(n+1)*lanes-1], and its item k that
	// of them with the number k&(lanes-1). It stops in front of a leaf: where one is not whole, or a
	// part of it must be left to the functor, or where it takes no such leaves.
	//
	// If sums is not nil, a[0] to a[lanes-1] are what the accumulators of each leaf begin with, and stay as they
	// are: sums[n] is set to what those of leaf n come to, joined as a butterfly, lane l with lane l+h for h a half, a
	// quarter, and so on of the number of lanes.
	Leaves(begin, end, leaf, lanes int, a, sums []A) (next int)
}

// Reduce2 is [Reduce] with two accumulators, which need not have as many lanes as each other.
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
