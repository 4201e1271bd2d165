package exec

import (
	"github.com/gokkos/gokkos/exec/internal/scan"
	"github.com/gokkos/gokkos/reducers"
)

// ParallelScan computes prefix reductions. It calls f for every index of p with
// the accumulator of all the items before it; f must join its own contribution
// into *acc. Where f reads *acc decides the kind of scan: before the join it is
// the exclusive prefix, after it the inclusive one.
//
//	func(i int, acc *float64, final bool) {
//		if final {
//			exclusive[i] = *acc
//		}
//		*acc += x[i]
//	}
//
// For each item f is called once with final true, and before that possibly with
// final false, once or twice, to learn the contributions; it must contribute the same each
// time, and write its results only when final is true. Some items may be final before
// the contributions of others are learned: a result must not be written where another
// item's contribution is read. Items of several leaves may take turns on one worker, on
// Serial too. The first exclusive prefix is the identity, or the initial
// value with [reducers.WithInitial].
//
// The total of all items goes through Final to r's result place. Final is not
// applied to the prefixes.
//
// Cost: a leaf's results are computed while what it has read is in cache: once all that comes
// before it is known or, in a scan that fits the caches, once all is read. The partial results that a launch keeps are at most some ten
// thousand, however many leaves there are.
//
// A reducer whose traits say Once is an error: f contributes twice.
//
// Order: a leaf's prefix is joined down the tree of [ParallelReduce]; inside a
// leaf the items are joined in their order, in one lane. Errors and panics are
// those of ParallelReduce; f may by then have been called with final true.
func ParallelScan[Index, A any, P Policy[Index]](p P, f func(i Index, acc *A, final bool), r reducers.Reducer[A]) error {
	return scan.Over[Index](p, f, r)
}
