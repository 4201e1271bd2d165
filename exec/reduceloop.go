package exec

import (
	"unsafe"

	"github.com/gokkos/gokkos/policy"
)

// The loops of functors with one accumulator. Those with more are generated: see z_reduceloop.go.

//go:generate go run ./_generate

// newReduceLoop1 returns the loop of a functor, and lets items come in the form that it takes.
func newReduceLoop1[I any](f func(i I, a accumulator), x *items) loop {
	switch f := any(f).(type) {
	case func(int, accumulator):
		return reduceInts(f)
	case func(policy.Span, accumulator):
		if x.plain {
			return reduceSpans(f)
		}
	}
	if x.rows == nil {
		return reduceEach[I](f)
	}
	x.byRuns()
	switch f := any(f).(type) {
	case func(policy.Row[policy.Index2], accumulator):
		return reduceRowsOf2{f}
	case func(policy.Row[policy.Index3], accumulator):
		return reduceRowsOf3{f}
	case func(policy.Row[policy.Index4], accumulator):
		return reduceRowsOf4{f}
	}
	return reduceRows[I]{f}
}

// reduceInts is the loop of a functor that gets an integer.
type reduceInts func(i int, a accumulator)

// span calls f for whole rows of lanes where it can, so that no item asks for its lane.
func (f reduceInts) span(w *walk, i, end, item int) {
	first, n := i, w.lanes[0].N
	w.form = atInt
	if n >= 4 {
		if lane := item & (n - 1); lane > 0 {
			i += min(n-lane, end-i)
			f.some(w, first, i, item)
		}
		i = f.rows(w, i, end)
	}
	if i < end {
		f.some(w, i, end, item+i-first)
	}
	w.form = nowhere
}

// rows runs whole rows of lanes, two at a time if they are of four. It returns the first
// integer that it leaves. It is unrolled, see forInts: rows of fewer calls take a third more.
func (f reduceInts) rows(w *walk, i, end int) int {
	a, n, size := w.lanes[0].At, w.lanes[0].N, w.lanes[0].Size
	if n == 4 {
		b := unsafe.Add(a, size)
		c, d := unsafe.Add(a, 2*size), unsafe.Add(b, 2*size)
		for ; end-i >= 8; i += 8 {
			w.i = i
			f(i, a)
			w.i = i + 1
			f(i+1, b)
			w.i = i + 2
			f(i+2, c)
			w.i = i + 3
			f(i+3, d)
			w.i = i + 4
			f(i+4, a)
			w.i = i + 5
			f(i+5, b)
			w.i = i + 6
			f(i+6, c)
			w.i = i + 7
			f(i+7, d)
		}
		return i
	}
	for end-i >= n {
		at := uintptr(0)
		for range n / 8 {
			a := unsafe.Add(a, at)
			w.i = i
			f(i, a)
			w.i = i + 1
			f(i+1, unsafe.Add(a, size))
			w.i = i + 2
			f(i+2, unsafe.Add(a, 2*size))
			w.i = i + 3
			f(i+3, unsafe.Add(a, 3*size))
			w.i = i + 4
			f(i+4, unsafe.Add(a, 4*size))
			w.i = i + 5
			f(i+5, unsafe.Add(a, 5*size))
			w.i = i + 6
			f(i+6, unsafe.Add(a, 6*size))
			w.i = i + 7
			f(i+7, unsafe.Add(a, 7*size))
			i += 8
			at += 8 * size
		}
	}
	return i
}

// some runs integers in whatever lanes.
func (f reduceInts) some(w *walk, i, end, item int) {
	for ; i < end; i++ {
		w.i = i
		f(i, w.lanes[0].OfItem(item))
		item++
	}
}

func (f reduceInts) runs(w *walk, runs []policy.Run, item int) { runsOfInts(f, w, runs, item) }

func (f reduceInts) block(w *walk, b block, item int) { reduceEach[int](f).block(w, b, item) }

// reduceSpans is the loop of a functor that gets the integers of a leaf, which has one lane.
type reduceSpans func(s policy.Span, a accumulator)

func (f reduceSpans) span(w *walk, begin, end, _ int) {
	f(policy.Span{Begin: begin, End: end}, w.lanes[0].At)
}

func (f reduceSpans) runs(w *walk, runs []policy.Run, _ int) {
	for n := range runs {
		f(spanOf(&runs[n]), w.lanes[0].At)
	}
}

func (f reduceSpans) block(w *walk, b block, item int) { reduceEach[policy.Span](f).block(w, b, item) }

// reduceEach is the loop of a functor that gets an index.
type reduceEach[I any] func(i I, a accumulator)

// block calls f for the indices of items in whatever lanes.
func (f reduceEach[I]) block(w *walk, b block, item int) {
	w.atBlock(b)
	for n, i := range indicesOf[I](b) {
		w.i = n
		f(i, w.lanes[0].OfItem(item+n))
	}
	w.leaveBlock()
}

// runs calls f for the items of a row of lanes, one row after the other, see reduceInts.
func (f reduceEach[I]) runs(w *walk, runs []policy.Run, item int) {
	atPoints[I](w)
	all := &w.lanes[0]
	for n := range runs {
		at, x := pointAt[I](w, &runs[n])
		i, end := *x, *x+runs[n].Len
		for all.N >= 4 && i < end {
			row, from := min(all.N-item&(all.N-1), end-i), all.Offset(item)
			item += row
			for ; row >= 4; row -= 4 {
				a := unsafe.Add(all.At, from)
				*x = i
				f(*at, a)
				*x = i + 1
				f(*at, unsafe.Add(a, all.Size))
				*x = i + 2
				f(*at, unsafe.Add(a, 2*all.Size))
				*x = i + 3
				f(*at, unsafe.Add(a, 3*all.Size))
				i += 4
				from += 4 * all.Size
			}
			for ; row > 0; row-- {
				*x = i
				f(*at, unsafe.Add(all.At, from))
				i++
				from += all.Size
			}
		}
		for ; i < end; i++ {
			*x = i
			f(*at, all.OfItem(item))
			item++
		}
	}
	w.form = nowhere
}

// reduceRows is the loop of a functor that gets a row of points, for which the items of a leaf have one lane. See
// forRows.
type reduceRows[I any] struct{ reduceEach[I] }

func (l reduceRows[I]) runs(w *walk, runs []policy.Run, _ int) {
	rank := rowRankIn[I]()
	w.atRows(rank)
	for n := range runs {
		w.row = &runs[n]
		l.reduceEach(rowOf[I](w.row, rank), w.lanes[0].At)
	}
	w.form = nowhere
}

type (
	reduceRowsOf2 struct {
		reduceEach[policy.Row[policy.Index2]]
	}
	reduceRowsOf3 struct {
		reduceEach[policy.Row[policy.Index3]]
	}
	reduceRowsOf4 struct {
		reduceEach[policy.Row[policy.Index4]]
	}
)

func (l reduceRowsOf2) runs(w *walk, runs []policy.Run, _ int) {
	w.atRows(2)
	for n := range runs {
		r := &runs[n]
		w.row = r
		l.reduceEach(row2(r), w.lanes[0].At)
	}
	w.form = nowhere
}

func (l reduceRowsOf3) runs(w *walk, runs []policy.Run, _ int) {
	w.atRows(3)
	for n := range runs {
		r := &runs[n]
		w.row = r
		l.reduceEach(row3(r), w.lanes[0].At)
	}
	w.form = nowhere
}

func (l reduceRowsOf4) runs(w *walk, runs []policy.Run, _ int) {
	w.atRows(4)
	for n := range runs {
		r := &runs[n]
		w.row = r
		l.reduceEach(row4(r), w.lanes[0].At)
	}
	w.form = nowhere
}
