package loops

import (
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// forRows is the loop of a functor that takes a row of points. Rows of two to four dimensions have loops of
// their own, see z_points.go: a row made of pieces in memory waits until the pieces are stored.
type forRows[I any] struct{ forEach[I] }

func (l forRows[I]) Runs(w *launch.Walk, runs []policy.Run, _ int) {
	rank := rowRankIn[I]()
	w.AtRows(rank)
	for n := range runs {
		w.Row = &runs[n]
		l.forEach(items.RowOf[I](w.Row, rank))
	}
	w.Form = launch.Nowhere
}

// rowRankIn returns the rank of the points of a row type, which is as many ints and two more.
func rowRankIn[I any]() int { return int(unsafe.Sizeof(*new(I))/unsafe.Sizeof(0)) - 2 }
