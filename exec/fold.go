package exec

import (
	"github.com/gokkos/gokkos/exec/internal/folds"
	"github.com/gokkos/gokkos/reducers"
)

// ParallelFold reduces the values of a source with every one of the reducers,
// in one pass: each value is read once and seen by all of them. The reducers may
// have any accumulator type as long as they take values of type T. Reducers in a
// slice rs are passed as rs[0], rs[1:]...
//
// A reducer that keeps a location is told the item's index if the policy is a
// policy.Range, and else the item's number.
//
// Order, errors and panics are those of [ParallelReduce]; each result has the
// bits it would have alone.
func ParallelFold[T any](s Source[T], r reducers.Folder[T], more ...reducers.Folder[T]) error {
	return folds.Fold(s.of, r, more)
}
