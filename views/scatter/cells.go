package scatter

import "fmt"

// Cells returns the partial result of this part of the reduction tree, a number for each cell of the
// view. A functor that owns its loop joins contributions to it as a plain loop does:
//
//	cells := acc.Cells()
//	for k := range s.All() {
//		cells[cell[k]] += x[k]
//	}
//
// Shape: one for each cell, in the order in which the cells lie in memory. That is the order of
// [views.View.Slice]; of a permuted or transposed view, that of the view it was made of. Cells with gaps
// between them, or in the memory of a device, are in the order of their indices, the last one fastest.
//
// Order: what the part has got before is in it, and Combine1 and its like go on joining to it. From
// the call on the part has partial results, as all parts of a [Duplicated] scatter have.
//
// The functor joins with the operation of the scatter, and to a cell only: it adds for [Sum], multiplies
// for [Prod], and takes min or max of Go for [Min] and [Max]. As in any functor, float64(x*y) keeps
// processors that can from fusing a product with the sum. It must not keep the slice when it returns:
// others have the memory then.
//
// It panics for an atomic scatter, which has no partial results.
//
// Cost: that of as many cells, twice, for each part; nothing for later calls in a part.
func (a *Access[T]) Cells() []T {
	if a.cells == nil {
		a.own()
	}
	return a.cells
}

// own has a partial result for each cell.
//
//go:noinline
func (a *Access[T]) own() {
	if s := a.s; s.atomic != nil {
		panic(fmt.Sprintf("scatter: Cells of Atomic%s into %v, which has no partial results", s.name, s.view))
	}
	a.condense()
}
