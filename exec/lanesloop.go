package exec

import (
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/loops"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
)

// lanesLaunch is what a launch of [ParallelReduceLanes] keeps: what knows types, beside the kernel.
type lanesLaunch[A, I any, L lanesOf[L, I, A]] struct {
	kernel loops.Reduction
	loop   lanesLoop[A, I, L]
	a      reduce.Slots[A]
}

func (s *lanesLaunch[A, I, L]) Release() {
	s.loop = lanesLoop[A, I, L]{}
	s.a.Release()
}

// lanesLoop is the loop of a functor that owns its loop, and gets the lanes.
type lanesLoop[A, I any, L lanesOf[L, I, A]] struct {
	f      func(s L)
	ofSpan func(s Lanes[A]) // f, if it is one, or nil
	items  *items.Items
}

func (l *lanesLoop[A, I, L]) Span(w *launch.Walk, begin, end, _ int) {
	l.ofSpan(Lanes[A]{policy.Span{Begin: begin, End: end}, reduce.Of[A](w.Lanes[0])})
}

func (l *lanesLoop[A, I, L]) Runs(w *launch.Walk, runs []policy.Run, item int) {
	acc := reduce.Of[A](w.Lanes[0])
	acc = acc[:len(acc):len(acc)]
	w.AtRows(l.items.Kind.Rank)
	for n := range runs {
		w.Row = &runs[n]
		var none L
		l.f(none.of(items.RowOf[I](w.Row, w.Rank), item&(len(acc)-1), acc))
		item += runs[n].Len
	}
	w.Form = launch.Nowhere
}

func (l *lanesLoop[A, I, L]) Block(w *launch.Walk, b launch.Block, item int) {
	acc, end := reduce.Of[A](w.Lanes[0]), item+b.Items
	w.AtBlock(b)
	for n, i := range launch.IndicesOf[I](b) {
		w.I = n
		var none L
		s := none.of(i, item&(len(acc)-1), acc)
		items := s.Len()
		if items < 0 || items > end-item {
			panic(launch.Breach("exec: Next of a %T returned an index of %d items at item %d, expected 0 to %d",
				l.items.Points.Policy(), items, item, end-item))
		}
		item += items
		l.f(s)
	}
	w.LeaveBlock()
	if item != end { // lanes would be wrong
		panic(launch.Breach("exec: Next of a %T returned indices of the items up to %d, expected %d", l.items.Points.Policy(), item, end))
	}
}
