package exec

import "github.com/gokkos/gokkos/policy"

// The loops of functors without an accumulator.

// newForLoop returns the loop of a functor, and lets items come in the form that it takes.
func newForLoop[I any](f func(i I), x *items) loop {
	switch f := any(f).(type) {
	case func(int):
		return forInts(f)
	case func(policy.Span):
		if x.plain {
			return forSpans(f)
		}
	case func(policy.Index2):
		return forPoints2{f}
	case func(policy.Index3):
		return forPoints3{f}
	case func(policy.Index4):
		return forPoints4{f}
	}
	if x.rows == nil {
		return forEach[I](f)
	}
	x.byRuns()
	switch f := any(f).(type) {
	case func(policy.Row[policy.Index2]):
		return forRows2{f}
	case func(policy.Row[policy.Index3]):
		return forRows3{f}
	case func(policy.Row[policy.Index4]):
		return forRows4{f}
	}
	return forRows[I]{f}
}

// forInts is the loop of a functor that gets an integer.
type forInts func(i int)

// span is unrolled: a loop of one call takes a fourth more for a short functor. The functor has
// its index in a register, whatever the loop keeps of it.
func (f forInts) span(w *walk, i, end, _ int) {
	w.form = atInt
	for ; end-i >= 4; i += 4 {
		w.i = i
		f(i)
		w.i = i + 1
		f(i + 1)
		w.i = i + 2
		f(i + 2)
		w.i = i + 3
		f(i + 3)
	}
	for ; i < end; i++ {
		w.i = i
		f(i)
	}
	w.form = nowhere
}

func (f forInts) runs(w *walk, runs []policy.Run, item int) { runsOfInts(f, w, runs, item) }

func (f forInts) block(w *walk, b block, item int) { forEach[int](f).block(w, b, item) }

// forSpans is the loop of a functor that gets the integers of a leaf.
type forSpans func(s policy.Span)

func (f forSpans) span(_ *walk, begin, end, _ int) { f(policy.Span{Begin: begin, End: end}) }

func (f forSpans) runs(_ *walk, runs []policy.Run, _ int) {
	for n := range runs {
		f(spanOf(&runs[n]))
	}
}

func (f forSpans) block(w *walk, b block, item int) { forEach[policy.Span](f).block(w, b, item) }

// forEach is the loop of a functor that gets an index.
type forEach[I any] func(i I)

func (f forEach[I]) block(w *walk, b block, _ int) {
	w.atBlock(b)
	for n, i := range indicesOf[I](b) {
		w.i = n
		f(i)
	}
	w.leaveBlock()
}

// runs is unrolled, see forInts.
func (f forEach[I]) runs(w *walk, runs []policy.Run, _ int) {
	atPoints[I](w)
	for n := range runs {
		at, x := pointAt[I](w, &runs[n])
		i, end := *x, *x+runs[n].Len
		for ; end-i >= 4; i += 4 {
			*x = i
			f(*at)
			*x = i + 1
			f(*at)
			*x = i + 2
			f(*at)
			*x = i + 3
			f(*at)
		}
		switch *x = i; end - i { // a short row has most of its items here
		case 3:
			f(*at)
			*x++
			fallthrough
		case 2:
			f(*at)
			*x++
			fallthrough
		case 1:
			f(*at)
		}
	}
	w.form = nowhere
}
