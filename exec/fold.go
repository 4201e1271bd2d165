package exec

import (
	"github.com/gokkos/gokkos/exec/internal/folds"
	"github.com/gokkos/gokkos/reducers"
)

// ParallelFold reduces the values of a source with all the reducers in one pass: each value is read once
// and passed to every reducer. The reducers must take values of type T; their accumulators may be of any
// type. Reducers in a slice rs are passed as rs[0], rs[1:]...
//
// A reducer that keeps a location gets the item's index if the policy is a policy.Range, and else the
// item's number.
//
// Order, errors and panics are as in [ParallelReduce]. Each result has the bits that it would have
// alone.
func ParallelFold[T any](s Source[T], r reducers.Folder[T], more ...reducers.Folder[T]) error {
	return folds.Fold(s.of, r, more)
}
