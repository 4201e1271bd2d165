package loops

import (
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// These are the loops of functors that take a point of two to four dimensions. They make a short index in
// registers, where forEach makes it in memory. That saves a sixth of the time of a short functor. Runs along
// another dimension than the last are left to forEach.
type (
	forPoints2 struct{ forEach[policy.Index2] }
	forPoints3 struct{ forEach[policy.Index3] }
	forPoints4 struct{ forEach[policy.Index4] }
)

func (l forPoints2) Runs(w *launch.Walk, runs []policy.Run, item int) {
	f := l.forEach
	for q := range runs {
		r := &runs[q]
		if r.Dim != 1 {
			f.Runs(w, runs[q:q+1], item)
			continue
		}
		launch.AtPoints[policy.Index2](w)
		w.Point = r.At
		at := &w.Point[1]
		i, j := r.At[0], r.At[1]
		end := j + r.Len
		for ; end-j >= 4; j += 4 {
			*at = j
			f(policy.Index2{I: i, J: j})
			*at = j + 1
			f(policy.Index2{I: i, J: j + 1})
			*at = j + 2
			f(policy.Index2{I: i, J: j + 2})
			*at = j + 3
			f(policy.Index2{I: i, J: j + 3})
		}
		for ; j < end; j++ {
			*at = j
			f(policy.Index2{I: i, J: j})
		}
	}
	w.Form = launch.Nowhere
}

func (l forPoints3) Runs(w *launch.Walk, runs []policy.Run, item int) {
	f := l.forEach
	for q := range runs {
		r := &runs[q]
		if r.Dim != 2 {
			f.Runs(w, runs[q:q+1], item)
			continue
		}
		launch.AtPoints[policy.Index3](w)
		w.Point = r.At
		at := &w.Point[2]
		i, j, k := r.At[0], r.At[1], r.At[2]
		end := k + r.Len
		for ; end-k >= 4; k += 4 {
			*at = k
			f(policy.Index3{I: i, J: j, K: k})
			*at = k + 1
			f(policy.Index3{I: i, J: j, K: k + 1})
			*at = k + 2
			f(policy.Index3{I: i, J: j, K: k + 2})
			*at = k + 3
			f(policy.Index3{I: i, J: j, K: k + 3})
		}
		for ; k < end; k++ {
			*at = k
			f(policy.Index3{I: i, J: j, K: k})
		}
	}
	w.Form = launch.Nowhere
}

func (l forPoints4) Runs(w *launch.Walk, runs []policy.Run, item int) {
	f := l.forEach
	for q := range runs {
		r := &runs[q]
		if r.Dim != 3 {
			f.Runs(w, runs[q:q+1], item)
			continue
		}
		launch.AtPoints[policy.Index4](w)
		w.Point = r.At
		at := &w.Point[3]
		i, j, k, l := r.At[0], r.At[1], r.At[2], r.At[3]
		end := l + r.Len
		for ; end-l >= 4; l += 4 {
			*at = l
			f(policy.Index4{I: i, J: j, K: k, L: l})
			*at = l + 1
			f(policy.Index4{I: i, J: j, K: k, L: l + 1})
			*at = l + 2
			f(policy.Index4{I: i, J: j, K: k, L: l + 2})
			*at = l + 3
			f(policy.Index4{I: i, J: j, K: k, L: l + 3})
		}
		for ; l < end; l++ {
			*at = l
			f(policy.Index4{I: i, J: j, K: k, L: l})
		}
	}
	w.Form = launch.Nowhere
}

// forRows is the loop of a functor that takes a row of points. Rows of two to four dimensions have loops of
// their own: a row made of pieces in memory waits until the pieces are stored.
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

type (
	forRows2 struct {
		forEach[policy.Row[policy.Index2]]
	}
	forRows3 struct {
		forEach[policy.Row[policy.Index3]]
	}
	forRows4 struct {
		forEach[policy.Row[policy.Index4]]
	}
)

func (l forRows2) Runs(w *launch.Walk, runs []policy.Run, _ int) {
	w.AtRows(2)
	for n := range runs {
		r := &runs[n]
		w.Row = r
		l.forEach(row2(r))
	}
	w.Form = launch.Nowhere
}

func (l forRows3) Runs(w *launch.Walk, runs []policy.Run, _ int) {
	w.AtRows(3)
	for n := range runs {
		r := &runs[n]
		w.Row = r
		l.forEach(row3(r))
	}
	w.Form = launch.Nowhere
}

func (l forRows4) Runs(w *launch.Walk, runs []policy.Run, _ int) {
	w.AtRows(4)
	for n := range runs {
		r := &runs[n]
		w.Row = r
		l.forEach(row4(r))
	}
	w.Form = launch.Nowhere
}

func row2(r *policy.Run) policy.Row[policy.Index2] {
	return policy.Row[policy.Index2]{At: policy.Index2{I: r.At[0], J: r.At[1]}, Span: launch.SpanOf(r)}
}

func row3(r *policy.Run) policy.Row[policy.Index3] {
	return policy.Row[policy.Index3]{At: policy.Index3{I: r.At[0], J: r.At[1], K: r.At[2]}, Span: launch.SpanOf(r)}
}

func row4(r *policy.Run) policy.Row[policy.Index4] {
	return policy.Row[policy.Index4]{At: policy.Index4{I: r.At[0], J: r.At[1], K: r.At[2], L: r.At[3]}, Span: launch.SpanOf(r)}
}

// rowRankIn returns the rank of the points of a row type, which is as many ints and two more.
func rowRankIn[I any]() int { return int(unsafe.Sizeof(*new(I))/unsafe.Sizeof(0)) - 2 }
