package scatter

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/reducers"
)

// Duplicated returns the scatter r, one of [Sum], [Prod], [Min] and [Max], with a partial result per
// cell in each part of the reduction tree that contributes, where r would keep few contributions one
// by one. It is for far more contributions than cells, with a chunk of several contributions to each
// cell: a part takes as long for its first contribution as there are cells.
//
//	exec.ParallelReduce(policy.Spans(0, n).Chunk(4*cells), f, scatter.Duplicated(scatter.Sum(y)))
//
// Order: a leaf joins its contributions to the identity, in the order of items. Leaves and what they
// have become are joined cell by cell.
//
// Errors: another reducer.
func Duplicated[T builtin.Number](r reducers.Reducer[Access[T]]) reducers.Reducer[Access[T]] {
	s, ok := r.(*scatter[T])
	if !ok || s.atomic != nil {
		given := fmt.Sprintf("%T", r)
		if ok {
			given = "Atomic" + s.name
		}
		return &scatter[T]{shared: sharedBy[T](), err: fmt.Errorf("scatter: Duplicated of %s, expected Sum, Prod, Min or Max", given)}
	}
	d := *s
	d.few = 0
	return &d
}
