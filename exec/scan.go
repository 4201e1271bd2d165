package exec

import (
	"github.com/gokkos/gokkos/exec/internal/scan"
	"github.com/gokkos/gokkos/reducers"
)

// ParallelScan computes prefix reductions. It calls f for every index of p with the accumulator of all
// items before it, and f must join its own contribution into *acc. If f reads *acc before the join, it
// gets the exclusive prefix; after the join, the inclusive prefix.
//
//	func(i int, acc *float64, final bool) {
//		if final {
//			exclusive[i] = *acc
//		}
//		*acc += x[i]
//	}
//
// For each item, f is called once with final true. Before that it may be called once or twice with final
// false, to learn the contributions. f must contribute the same each time, and write its results only if
// final is true.
//
// Some items may be final before the contributions of others are learned, so f must not write a result
// where another item reads its contribution. Items of several leaves may take turns on one worker, on
// Serial too. The first exclusive prefix is the identity, or the initial value with
// [reducers.WithInitial].
//
// The total of all items goes through Final to r's result place. Final is not applied to the prefixes.
//
// Order: a leaf's prefix is joined down the tree of [ParallelReduce]. Inside a leaf, the items are
// joined in their order, in one lane.
//
// Errors and panics are as in ParallelReduce, and f may have been called with final true before. A
// reducer whose traits say Once is an error, because f contributes more than once.
//
// Cost: each leaf is read twice. The second read finds the leaf in cache: it comes as soon as the prefix is
// known or, in a scan that fits the caches, after the whole first pass. Values that refer to other memory
// take two launches. A launch keeps at most some ten thousand partial results, however many leaves it has.
func ParallelScan[Index, A any, P Policy[Index]](p P, f func(i Index, acc *A, final bool), r reducers.Reducer[A]) error {
	return scan.Over[Index](p, f, r)
}
