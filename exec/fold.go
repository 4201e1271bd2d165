package exec

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/reducers"
)

// ParallelFold reduces the values of a source with every one of the reducers,
// in one pass: each value is read once and seen by all of them. The reducers may
// have any accumulator type as long as they take values of type T.
//
// A reducer that keeps a location is told the item's index if the policy is a
// policy.Range, and else the item's number.
//
// Order, errors and panics are those of [ParallelReduce]; each result has the
// bits it would have alone.
func ParallelFold[T any](s Source[T], r ...reducers.Folder[T]) error {
	switch {
	case s.open == nil:
		return errors.New("exec: ParallelFold of a zero Source, expected one made by Slice, Products, Map or Fill")
	case len(r) == 0:
		return errors.New("exec: ParallelFold without reducers")
	}
	k := &foldKernel[T]{source: s}
	columns := make([]column, len(r))
	for n, folder := range r {
		if folder == nil {
			return fmt.Errorf("exec: reducer %d of %d is nil", n+1, len(r))
		}
		f := folder.Fold()
		k.folds = append(k.folds, f)
		columns[n] = f.Column()
	}
	return launch(s.plan, k, columns...)
}

type foldKernel[T any] struct {
	source Source[T]
	folds  []reducers.Fold[T]
	values values[T]
}

func (k *foldKernel[T]) open(workers int, g Grid) { k.values = k.source.open(workers, g) }

func (k *foldKernel[T]) run(worker, _, begin, end int) {
	for _, f := range k.folds {
		f.Start(worker, end-begin)
	}
	piece := foldItems
	if k.source.whole && len(k.folds) == 1 {
		piece = end - begin // nobody else waits for the values
	}
	for begin < end {
		next := min(begin+piece, end)
		x := k.values(worker, begin, next)
		for _, f := range k.folds {
			f.Add(worker, k.source.first+begin, x)
		}
		begin = next
	}
}
