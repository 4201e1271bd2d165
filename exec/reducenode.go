package exec

import (
	compiled "github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/policy"
)

// A reduction of numbers whose loop is compiled, or over the runs of a policy, runs several leaves in one call: each has
// lanes of its own, which are joined once all have been run.

// span implements nodeKernel.
func (k *reduceKernel[I, A, P]) span(g space.Grid) int {
	var joins compiled.Op
	items := nodeItems
	switch {
	case k.plain && k.compiled.leaves != nil && k.a.Profile(g.Lanes).Lanes > 1:
		joins = k.compiled.leaves.Joins()
	case k.runner == nil || !k.kind.ours: // another policy may panic for a leaf
		return 0
	case k.boxed.code == nil:
		items = pollItems // see forKernel.span
	}
	return k.a.OpenLeaves(k.workers, min(max(items/g.Leaf, 1), tree.NodeLeaves), joins)
}

func (k *reduceKernel[I, A, P]) runNode(worker, slot, begin, end, leaf int, at *node, failed *faults) {
	if k.a.JoinsLeaves() {
		k.runSums(worker, slot, begin, end, leaf, at)
		return
	}
	all, first := *at, begin
	leaves := all.last - all.first
	a := k.a.BeginLeaves(worker, leaves)
	ran := false
	defer func() {
		if !ran { // the functor has panicked, or ended the goroutine: leaves below may have a fault, too
			ended := *at
			k.joinLeaves(worker, all, ended.first-all.first, end-first, leaf, at)
			*at = ended
		}
	}()
	complete := false
	if lanes := len(a) / leaves; k.plain {
		complete = k.runLoops(worker, begin, end, leaf, lanes, a, at)
	} else {
		complete = k.runLeaves(worker, begin, end, leaf, at, failed, func(runs []policy.Run, item int) {
			k.loop.runs(runs, item, a[(at.first-all.first)*lanes:][:lanes])
		})
	}
	if ran = true; !complete {
		return
	}
	*at = all
	if last := end - first - (leaves-1)*leaf; last >= len(a)/leaves && k.a.EndNode(worker, slot, leaves) {
		return
	}
	k.joinLeaves(worker, all, leaves, end-first, leaf, at)
	*at = all
	k.a.EndLeaves(worker, slot)
}

// runLoops runs the items of a node of integers into the lanes of its leaves. It reports whether it has run all: not if
// the launch is cancelled.
func (k *reduceKernel[I, A, P]) runLoops(worker, begin, end, leaf, lanes int, a []A, at *node) bool {
	for all := *at; begin < end; {
		to := k.poll.upTo(worker, begin, end)
		if to == begin {
			return false
		}
		k.compiled.node(k.first, begin, to, leaf, lanes, a, at, all)
		begin = to
	}
	return true
}

// runSums is runNode where the loop joins the lanes of each leaf, so that no join can go wrong.
func (k *reduceKernel[I, A, P]) runSums(worker, slot, begin, end, leaf int, at *node) {
	all := *at
	leaves := all.last - all.first
	lanes, sums := k.a.BeginSums(worker, leaves)
	for begin < end {
		to := k.poll.upTo(worker, begin, end)
		if to == begin {
			return // cancelled
		}
		for begin < to {
			n := begin/leaf - all.first
			next := k.compiled.whole(k.first, begin, to, leaf, len(lanes), lanes, sums[n:])
			if next == begin {
				next = min((all.first+n+1)*leaf, to)
				*at = node{all.first + n, all.first + n + 1}
				k.compiled.span(k.first+begin, k.first+next, begin, lanes)
				if next == end || next%leaf == 0 {
					k.a.EndSum(worker, n, next-(all.first+n)*leaf)
				}
				*at = all
			}
			begin = next
		}
	}
	k.a.EndSums(worker, slot, leaves)
}

// joinLeaves joins the lanes of the first leaves of the node all, which has that many items, and then the
// leaves, as far as they make nodes. Faults come in the order that they have where leaves are run one by
// one: a node is joined before the next leaf.
func (k *reduceKernel[I, A, P]) joinLeaves(worker int, all node, leaves, items, leaf int, at *node) {
	join := func(n, width, last int) {
		*at = node{all.first + n, all.first + last}
		k.a.JoinLeaves(worker, n, n+width)
	}
	for n := range leaves {
		*at = node{all.first + n, all.first + n + 1}
		k.a.EndLeaf(worker, n, min(leaf, items-n*leaf))
		for width := 1; (n+1)&(2*width-1) == 0; width *= 2 {
			join(n+1-2*width, width, n+1)
		}
	}
	if leaves < all.last-all.first {
		return
	}
	for width := 1; width < leaves; width *= 2 { // nodes that are no more than a part of one
		if n := leaves &^ (2*width - 1); n+width < leaves {
			join(n, width, leaves)
		}
	}
}
