package exec

import (
	"fmt"
	"iter"

	"github.com/gokkos/gokkos/exec/internal/checked"
	"github.com/gokkos/gokkos/exec/internal/environment"
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/loops"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// Lanes is a span together with the accumulators of its items. The functor of [ParallelReduceLanes] takes it.
type Lanes[A any] struct {
	policy.Span
	acc []A
}

// Items yields each integer of the span with the accumulator of its lane, in ascending order. The compiler
// inlines it, but not in the body of another loop over a function.
func (l Lanes[A]) Items() iter.Seq2[int, *A] {
	return func(yield func(int, *A) bool) {
		// Row by row, one item for each lane: a lane then needs no check of bounds.
		for k := 0; k < l.Len(); k += len(l.acc) {
			row := l.acc[:min(len(l.acc), l.Len()-k)]
			_ = row[0]
			for lane := range row {
				if !yield(l.Begin+k+lane, &row[lane]) {
					return
				}
			}
		}
	}
}

func (Lanes[A]) of(s policy.Span, _ int, acc []A) Lanes[A] { return Lanes[A]{s, acc} }

func (l Lanes[A]) begin() {
	checked.BeginItem(&l.Span, checked.ItemText[policy.Span])
	checked.OwnLanes(l.acc)
}

// RowLanes is a row of a box together with the accumulators of its items. The functor of
// [ParallelReduceLanes] takes it over rows, see [policy.Row].
type RowLanes[I, A any] struct {
	policy.Row[I]
	acc  []A
	lane int // lane of the row's first item
}

// Items yields each integer of the row's innermost coordinate with the accumulator of its
// lane, in ascending order. The compiler inlines it as it does [Lanes.Items].
func (l RowLanes[I, A]) Items() iter.Seq2[int, *A] {
	return func(yield func(int, *A) bool) {
		// As for Lanes, but the first row of lanes begins at l.lane.
		for k := -l.lane; k < l.Len(); k += len(l.acc) {
			row := l.acc[:min(len(l.acc), l.Len()-k)]
			for lane := max(-k, 0); lane < len(row); lane++ {
				if !yield(l.Begin+k+lane, &row[lane]) {
					return
				}
			}
		}
	}
}

func (RowLanes[I, A]) of(r policy.Row[I], lane int, acc []A) RowLanes[I, A] {
	return RowLanes[I, A]{r, acc, lane}
}

func (l RowLanes[I, A]) begin() {
	checked.BeginItem(&l.Row, checked.ItemText[policy.Row[I]])
	checked.OwnLanes(l.acc)
}

// lanesOf are the types that pair an index of several items with their accumulators: [Lanes] and [RowLanes].
type lanesOf[L, Index, A any] interface {
	Len() int
	of(i Index, lane int, acc []A) L
	begin() // called for each index if the launch is watched
}

// ParallelReduceLanes is [ParallelReduce] for a functor that owns its loop and
// still joins item by item, in the order of the canonical tree:
//
//	exec.ParallelReduceLanes(policy.Spans(0, n), func(s exec.Lanes[float64]) {
//		for i, acc := range s.Items() {
//			*acc += float64(x[i] * y[i])
//		}
//	}, builtin.Sum(&dot))
//
// Over the rows of a box, which [policy.MDRangePolicy.Rows] makes, the functor gets a
// [RowLanes]:
//
//	exec.ParallelReduceLanes(policy.MDRange2(lower, upper).Rows(), func(r exec.RowLanes[policy.Index2, float64]) {
//		for j, acc := range r.Items() {
//			*acc += a[r.At.I][j]
//		}
//	}, builtin.Sum(&sum))
//
// It gives the bits of ParallelReduce over the Range, or over the box, without a call per
// item.
func ParallelReduceLanes[A, Index any, L lanesOf[L, Index, A], P Policy[Index]](p P, f func(s L), r reducers.Reducer[A], more ...reducers.Reducer[A]) error {
	var plan policy.Plan
	items.PlanOf[Index](&plan, &p)
	if f == nil {
		return launch.Refuse(&plan, items.ErrNilFunctor)
	}
	if environment.Watches(plan.Space) {
		f = checked.Lanes(f, L.begin)
	}
	span, _ := any(f).(func(s Lanes[A]))
	_, ours := any(p).(policy.SpansPolicy)
	if plan.Err == nil && (!plan.Whole || span != nil && !ours) { // Lanes begin at lane 0, as leaves do
		return launch.Refuse(&plan, fmt.Errorf("exec: ParallelReduceLanes over a %T, expected Spans, or the rows of a box", p))
	}
	j, s := launch.Take[lanesLaunch[A, Index, L]]()
	k := &s.kernel
	launch.Keep[items.PointsOf[Index, P]](j).Of(&k.Items, p, &plan)
	s.loop = lanesLoop[A, Index, L]{f, span, &k.Items}
	if k.Rows != nil {
		k.ByRuns()
	}
	plan.Whole = false // lanes as over a Range, or over a box
	launch.Prepare(&plan, func() { s.a.Reset(compose(r, more)) })
	k.Reset(f, s, &s.a.Column)
	k.Ordered = true
	k.Loop = k.Compile(s.code.Of(f), &s.loop)
	return k.Launch(j, &plan)
}

// lanesLaunch is what a launch of [ParallelReduceLanes] keeps: the kernel, and what knows types.
type lanesLaunch[A, I any, L lanesOf[L, I, A]] struct {
	kernel loops.Reduction
	loop   lanesLoop[A, I, L]
	code   loops.Code1[A]
	a      reduce.Slots[A]
}

func (s *lanesLaunch[A, I, L]) Release() {
	s.loop, s.code = lanesLoop[A, I, L]{}, loops.Code1[A]{}
	s.a.Release()
}

// lanesLoop is the loop of a functor that owns its loop and takes the lanes.
type lanesLoop[A, I any, L lanesOf[L, I, A]] struct {
	f      func(s L)
	ofSpan func(s Lanes[A]) // f, if it takes Lanes; or nil
	items  *items.Items
}

// Span runs items from any item of a leaf on: a compiled loop may stop at one.
func (l *lanesLoop[A, I, L]) Span(w *launch.Walk, begin, end, item int) {
	acc := reduce.Of[A](w.Lanes[0])
	if lane := item & (len(acc) - 1); lane > 0 { // up to lane 0
		to := min(end, begin+len(acc)-lane)
		l.ofSpan(Lanes[A]{policy.Span{Begin: begin, End: to}, acc[lane:]})
		if begin = to; begin == end {
			return
		}
	}
	l.ofSpan(Lanes[A]{policy.Span{Begin: begin, End: end}, acc})
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
