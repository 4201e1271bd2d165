package exec

import (
	"fmt"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
)

// lanesLaunch is what a launch of [ParallelReduceLanes] keeps: what knows types, beside the kernel.
type lanesLaunch[A, I any, L lanesOf[L, I, A]] struct {
	kernel reduction
	loop   lanesLoop[A, I, L]
	a      reduce.Slots[A]
}

func (s *lanesLaunch[A, I, L]) release() {
	s.loop = lanesLoop[A, I, L]{}
	s.a.Release()
}

// lanesLoop is the loop of a functor that owns its loop, and gets the lanes.
type lanesLoop[A, I any, L lanesOf[L, I, A]] struct {
	f      func(s L)
	ofSpan func(s Lanes[A]) // f, if it is one, or nil
	items  *items
}

func (l *lanesLoop[A, I, L]) span(w *walk, begin, end, _ int) {
	l.ofSpan(Lanes[A]{policy.Span{Begin: begin, End: end}, reduce.Of[A](w.lanes[0])})
}

func (l *lanesLoop[A, I, L]) runs(w *walk, runs []policy.Run, item int) {
	acc := reduce.Of[A](w.lanes[0])
	acc = acc[:len(acc):len(acc)]
	w.atRows(l.items.kind.rank)
	for n := range runs {
		w.row = &runs[n]
		var none L
		l.f(none.of(rowOf[I](w.row, w.rank), item&(len(acc)-1), acc))
		item += runs[n].Len
	}
	w.form = nowhere
}

func (l *lanesLoop[A, I, L]) block(w *walk, b block, item int) {
	acc, end := reduce.Of[A](w.lanes[0]), item+b.items
	w.atBlock(b)
	for n, i := range indicesOf[I](b) {
		w.i = n
		var none L
		s := none.of(i, item&(len(acc)-1), acc)
		items := s.Len()
		if items < 0 || items > end-item {
			panic(breach{fmt.Errorf("exec: Next of a %T returned an index of %d items at item %d, expected 0 to %d",
				l.items.points.policy(), items, item, end-item)})
		}
		item += items
		l.f(s)
	}
	w.leaveBlock()
	if item != end { // lanes would be wrong
		panic(breach{fmt.Errorf("exec: Next of a %T returned indices of the items up to %d, expected %d", l.items.points.policy(), item, end)})
	}
}
