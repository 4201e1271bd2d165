package loops

import (
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
)

// Functors with one accumulator have these loops. The loops for two to four are generated: see
// z_reduceloop.go.

// NewReduce1 returns the loop for the form of functor f, and makes items come in the form that the loop
// takes.
func NewReduce1[I any](f func(i I, a Accumulator), x *items.Items) Loop {
	switch f := any(f).(type) {
	case func(int, Accumulator):
		return reduceInts(f)
	case func(policy.Span, Accumulator):
		if x.Plain {
			return reduceSpans(f)
		}
	}
	if x.Rows == nil {
		return reduceEach[I](f)
	}
	x.ByRuns()
	switch f := any(f).(type) {
	case func(policy.Row[policy.Index2], Accumulator):
		return reduceRowsOf2{f}
	case func(policy.Row[policy.Index3], Accumulator):
		return reduceRowsOf3{f}
	case func(policy.Row[policy.Index4], Accumulator):
		return reduceRowsOf4{f}
	}
	return reduceRows[I]{f}
}

// reduceInts is the loop of a functor that takes an integer.
type reduceInts func(i int, a Accumulator)

// Span calls f for whole rows of lanes if it can, so that no item looks up its lane.
func (f reduceInts) Span(w *launch.Walk, i, end, item int) {
	first, n := i, w.Lanes[0].N
	w.Form = launch.AtInt
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
	w.Form = launch.Nowhere
}

// rows runs whole rows of lanes, two at a time if a row has four lanes. It returns the first integer that it
// has not run. It is unrolled, see forInts: with fewer calls, rows take a third more.
func (f reduceInts) rows(w *launch.Walk, i, end int) int {
	a, n, size := w.Lanes[0].At, w.Lanes[0].N, w.Lanes[0].Size
	if n == 4 {
		b := unsafe.Add(a, size)
		c, d := unsafe.Add(a, 2*size), unsafe.Add(b, 2*size)
		for ; end-i >= 8; i += 8 {
			w.I = i
			f(i, a)
			w.I = i + 1
			f(i+1, b)
			w.I = i + 2
			f(i+2, c)
			w.I = i + 3
			f(i+3, d)
			w.I = i + 4
			f(i+4, a)
			w.I = i + 5
			f(i+5, b)
			w.I = i + 6
			f(i+6, c)
			w.I = i + 7
			f(i+7, d)
		}
		return i
	}
	for end-i >= n {
		at := uintptr(0)
		for range n / 8 {
			a := unsafe.Add(a, at)
			w.I = i
			f(i, a)
			w.I = i + 1
			f(i+1, unsafe.Add(a, size))
			w.I = i + 2
			f(i+2, unsafe.Add(a, 2*size))
			w.I = i + 3
			f(i+3, unsafe.Add(a, 3*size))
			w.I = i + 4
			f(i+4, unsafe.Add(a, 4*size))
			w.I = i + 5
			f(i+5, unsafe.Add(a, 5*size))
			w.I = i + 6
			f(i+6, unsafe.Add(a, 6*size))
			w.I = i + 7
			f(i+7, unsafe.Add(a, 7*size))
			i += 8
			at += 8 * size
		}
	}
	return i
}

// some runs integers from any lane on.
func (f reduceInts) some(w *launch.Walk, i, end, item int) {
	for ; i < end; i++ {
		w.I = i
		f(i, w.Lanes[0].OfItem(item))
		item++
	}
}

func (f reduceInts) Runs(w *launch.Walk, runs []policy.Run, item int) { runsOfInts(f, w, runs, item) }

func (f reduceInts) Block(w *launch.Walk, b launch.Block, item int) {
	reduceEach[int](f).Block(w, b, item)
}

// reduceSpans is the loop of a functor that takes the integers of a leaf, which has one lane.
type reduceSpans func(s policy.Span, a Accumulator)

func (f reduceSpans) Span(w *launch.Walk, begin, end, _ int) {
	f(policy.Span{Begin: begin, End: end}, w.Lanes[0].At)
}

func (f reduceSpans) Runs(w *launch.Walk, runs []policy.Run, _ int) {
	for n := range runs {
		f(launch.SpanOf(&runs[n]), w.Lanes[0].At)
	}
}

func (f reduceSpans) Block(w *launch.Walk, b launch.Block, item int) {
	reduceEach[policy.Span](f).Block(w, b, item)
}

// laneOf and offset are methods of lanes for loops over any index. They are generic, too: the package of a functor has the
// code of these loops, and inlines no other functions of packages that it does not import. A call takes 2 ns an item.

func laneOf[I any](l *reduce.Lanes, item int) Accumulator {
	return unsafe.Add(l.At, offset[I](l, item))
}

func offset[I any](l *reduce.Lanes, item int) uintptr { return uintptr(item&(l.N-1)) * l.Size }

// reduceEach is the loop of a functor that takes an index.
type reduceEach[I any] func(i I, a Accumulator)

// Block calls f for the indices of items from any lane on.
func (f reduceEach[I]) Block(w *launch.Walk, b launch.Block, item int) {
	w.AtBlock(b)
	for n, i := range launch.IndicesOf[I](b) {
		w.I = n
		f(i, laneOf[I](&w.Lanes[0], item+n))
	}
	w.LeaveBlock()
}

// Runs calls f row of lanes by row of lanes, see reduceInts.
func (f reduceEach[I]) Runs(w *launch.Walk, runs []policy.Run, item int) {
	launch.AtPoints[I](w)
	all := &w.Lanes[0]
	for n := range runs {
		at, x := launch.PointAt[I](w, &runs[n])
		i, end := *x, *x+runs[n].Len
		for all.N >= 4 && i < end {
			row, from := min(all.N-item&(all.N-1), end-i), offset[I](all, item)
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
			f(*at, laneOf[I](all, item))
			item++
		}
	}
	w.Form = launch.Nowhere
}

// reduceRows is the loop of a functor that takes a row of points; a leaf has one lane. See forRows.
type reduceRows[I any] struct{ reduceEach[I] }

func (l reduceRows[I]) Runs(w *launch.Walk, runs []policy.Run, _ int) {
	rank := rowRankIn[I]()
	w.AtRows(rank)
	for n := range runs {
		w.Row = &runs[n]
		l.reduceEach(items.RowOf[I](w.Row, rank), w.Lanes[0].At)
	}
	w.Form = launch.Nowhere
}
