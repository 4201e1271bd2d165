package exec

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
)

type lanesKernel[A, I any, L lanesOf[L, I, A], P Policy[I]] struct {
	spans  indices[I, P] // not embedded: the functor has the order of its items
	f      func(s L)
	ofSpan func(s Lanes[A]) // f, if it is one, or nil
	a      reduce.Slots[A]
	leaves leafColumns // this
}

func (k *lanesKernel[A, I, L, P]) open(workers int, g space.Grid, p *poller) {
	k.spans.open(workers, g, p)
}

// span implements nodeKernel.
func (k *lanesKernel[A, I, L, P]) span(g space.Grid) int {
	k.leaves = append(k.leaves[:0], &k.a.Column)
	return k.spans.openLeaves(k.leaves, false, g)
}

func (k *lanesKernel[A, I, L, P]) runNode(worker, slot, begin, end, leaf int, at *node, failed *faults) {
	k.leaves.runNode(k, worker, slot, begin, end, leaf, at, failed)
}

func (k *lanesKernel[A, I, L, P]) runLeaves(worker, begin, end, leaf int, at *node, failed *faults) bool {
	first := at.first
	lx := k.a.Leaves(worker, at.last-first)
	all, lanes := reduce.All[A](lx), lx.N
	acc := func() []A { return all[(at.first-first)*lanes:][:lanes:lanes] }
	if !k.spans.plain {
		return k.spans.inRuns(worker, begin, end, leaf, at, failed, func(runs []policy.Run, item int) {
			acc := acc()
			for n := range runs {
				var none L
				k.f(none.of(rowOf[I](&runs[n], k.spans.kind.rank), item&(lanes-1), acc))
				item += runs[n].Len
			}
		})
	}
	for begin < end {
		to := k.spans.ofLeaf(worker, begin, end, leaf, at, failed)
		if to == begin {
			return false
		}
		k.ofSpan(Lanes[A]{k.spanOf(begin, to), acc()})
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
