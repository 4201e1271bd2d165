package exec

import (
	"fmt"
	"iter"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// Lanes is a span together with the accumulators of its items, what the functor
// of [ParallelReduceLanes] gets.
type Lanes[A any] struct {
	policy.Span
	acc []A
}

// Items yields each integer of the span with the accumulator of its lane, in
// ascending order. The compiler inlines it.
func (l Lanes[A]) Items() iter.Seq2[int, *A] {
	return func(yield func(int, *A) bool) {
		// Row by row, one item for each lane: no lane is then checked against their number.
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
	beginItem(&l.Span, itemText[policy.Span])
	ownLanes(l.acc)
}

// RowLanes is a row of a box together with the accumulators of its items, what the functor of
// [ParallelReduceLanes] gets over rows, see [policy.Row].
type RowLanes[I, A any] struct {
	policy.Row[I]
	acc  []A
	lane int // of the first item
}

// Items yields each integer of the row's innermost coordinate with the accumulator of its
// lane, in ascending order. The compiler inlines it.
func (l RowLanes[I, A]) Items() iter.Seq2[int, *A] {
	return func(yield func(int, *A) bool) {
		// As for Lanes, but for the lanes before the first item.
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
	beginItem(&l.Row, itemText[policy.Row[I]])
	ownLanes(l.acc)
}

// lanesOf are the types that pair an index that stands for several items with their
// accumulators: [Lanes] and [RowLanes].
type lanesOf[L, Index, A any] interface {
	Len() int
	of(i Index, lane int, acc []A) L
	begin() // what is called where the launch is watched
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
	planOf[Index](&plan, &p)
	if f == nil {
		return refuse(&plan, errNilFunctor)
	}
	if watches(plan.Space) {
		f = watchedLanes(f)
	}
	span, _ := any(f).(func(s Lanes[A]))
	_, ours := any(p).(policy.SpansPolicy)
	if plan.Err == nil && (!plan.Whole || span != nil && !ours) { // Lanes begin at lane 0, as leaves do
		return refuse(&plan, fmt.Errorf("exec: ParallelReduceLanes over a %T, expected Spans, or the rows of a box", p))
	}
	j, k := take[lanesKernel[A, Index, L, P]]()
	k.spans.of(p, &plan)
	k.f, k.ofSpan = f, span
	plan.Whole = false // the lanes are those of a Range, or of a box
	prepare(&plan, func() { k.a.Reset(compose(r, more)) })
	j.columns = append(j.columns, &k.a)
	return j.launch(&plan, k)
}

type lanesKernel[A, I any, L lanesOf[L, I, A], P Policy[I]] struct {
	spans   indices[I, P] // not embedded: the functor has the order of its items
	f       func(s L)
	ofSpan  func(s Lanes[A]) // f, if it is one, or nil
	a       reduce.Slots[A]
	leaves  leafColumns // this
	workers int
}

func (k *lanesKernel[A, I, L, P]) open(workers int, g space.Grid, p *poller) {
	k.spans.open(workers, g, p)
	k.workers = workers
}

// span implements nodeKernel.
func (k *lanesKernel[A, I, L, P]) span(g space.Grid) int {
	if k.ofSpan == nil || !k.spans.plain {
		return 0
	}
	k.leaves = append(k.leaves[:0], &k.a)
	return k.leaves.open(k.workers, nodeItems, g)
}

func (k *lanesKernel[A, I, L, P]) runNode(worker, slot, begin, end, leaf int, at *node, failed *faults) {
	k.leaves.runNode(k, worker, slot, begin, end, leaf, at, failed)
}

func (k *lanesKernel[A, I, L, P]) runLeaves(worker, begin, end, leaf int, at *node, failed *faults) bool {
	first := at.first
	a, lanes := k.a.Leaves(worker, at.last-first)
	for begin < end {
		to := k.spans.ofLeaf(worker, begin, end, leaf, at, failed)
		if to == begin {
			return false
		}
		k.ofSpan(Lanes[A]{k.spanOf(begin, to), a[(at.first-first)*lanes:][:lanes:lanes]})
		begin = to
	}
	return true
}

// spanOf returns the integers of items begin to end.
func (k *lanesKernel[A, I, L, P]) spanOf(begin, end int) policy.Span {
	return policy.Span{Begin: k.spans.first + begin, End: k.spans.first + end}
}

func (k *lanesKernel[A, I, L, P]) key() uintptr { return codeOf(k.f) }

func (k *lanesKernel[A, I, L, P]) release() {
	k.spans.release()
	k.f, k.ofSpan = nil, nil
	k.a.Release()
}

func (k *lanesKernel[A, I, L, P]) run(worker, _, begin, end int) {
	acc := k.a.Begin(worker, end-begin)
	if k.ofSpan != nil {
		if !k.spans.poll.cancelled() {
			k.ofSpan(Lanes[A]{k.spanOf(begin, end), acc})
		}
		return
	}
	item := begin
	for begin < end {
		var block []I
		if block, begin = k.spans.next(worker, begin, end); len(block) == 0 {
			return // cancelled
		}
		for _, i := range block {
			var none L
			l := none.of(i, item&(len(acc)-1), acc)
			if n := l.Len(); n < 0 || n > end-item {
				panic(breach{fmt.Errorf("exec: Next of a %T returned an index of %d items at item %d, expected 0 to %d", k.spans.p, n, item, end-item)})
			}
			item += l.Len()
			k.f(l)
		}
	}
	if item != end { // lanes would be wrong
		panic(breach{fmt.Errorf("exec: Next of a %T returned indices of the items up to %d, expected %d", k.spans.p, item, end)})
	}
}
