package loops

import (
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// forInts is the loop of a functor that takes an integer.
type forInts func(i int)

// Span is unrolled: a loop of one call takes a fourth more for a short functor. The functor gets its index in
// a register, although the loop also stores it.
func (f forInts) Span(w *launch.Walk, i, end, _ int) {
	w.Form = launch.AtInt
	for ; end-i >= 4; i += 4 {
		w.I = i
		f(i)
		w.I = i + 1
		f(i + 1)
		w.I = i + 2
		f(i + 2)
		w.I = i + 3
		f(i + 3)
	}
	for ; i < end; i++ {
		w.I = i
		f(i)
	}
	w.Form = launch.Nowhere
}

func (f forInts) Runs(w *launch.Walk, runs []policy.Run, item int) { runsOfInts(f, w, runs, item) }

func (f forInts) Block(w *launch.Walk, b launch.Block, item int) { forEach[int](f).Block(w, b, item) }

// forSpans is the loop of a functor that takes the integers of a leaf.
type forSpans func(s policy.Span)

func (f forSpans) Span(_ *launch.Walk, begin, end, _ int) { f(policy.Span{Begin: begin, End: end}) }

func (f forSpans) Runs(_ *launch.Walk, runs []policy.Run, _ int) {
	for n := range runs {
		f(launch.SpanOf(&runs[n]))
	}
}

func (f forSpans) Block(w *launch.Walk, b launch.Block, item int) {
	forEach[policy.Span](f).Block(w, b, item)
}

// forEach is the loop of a functor that takes an index.
type forEach[I any] func(i I)

func (f forEach[I]) Block(w *launch.Walk, b launch.Block, _ int) {
	w.AtBlock(b)
	for n, i := range launch.IndicesOf[I](b) {
		w.I = n
		f(i)
	}
	w.LeaveBlock()
}

// Runs is unrolled, see forInts.
func (f forEach[I]) Runs(w *launch.Walk, runs []policy.Run, _ int) {
	launch.AtPoints[I](w)
	for n := range runs {
		at, x := launch.PointAt[I](w, &runs[n])
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
	w.Form = launch.Nowhere
}
