package exec

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/policy"
)

// The kernels of reductions run several leaves in one call, see leafColumns.

// span implements nodeKernel.
func (k *reduceKernel[I, A, P]) span(g space.Grid) int {
	if k.plain && k.compiled.leaves != nil {
		if !k.a.InLanes() {
			return 0
		}
		if k.a.OpenSums(k.workers, k.compiled.leaves.Joins()) {
			return min(max(nodeItems/g.Leaf, 1), tree.NodeLeaves)
		}
	}
	k.leaves = append(k.leaves[:0], &k.a.Column)
	return k.openLeaves(k.leaves, k.boxed.code != nil, g)
}

func (k *reduceKernel[I, A, P]) runNode(worker, slot, begin, end, leaf int, at *node, failed *faults) {
	if k.a.JoinsLeaves() {
		k.runSums(worker, slot, begin, end, leaf, at)
		return
	}
	k.leaves.runNode(k, worker, slot, begin, end, leaf, at, failed)
}

// runLeaves implements leafRunner.
func (k *reduceKernel[I, A, P]) runLeaves(worker, begin, end, leaf int, at *node, failed *faults) bool {
	all := *at
	all1 := k.a.Leaves(worker, all.last-all.first)
	a, lanes := reduce.All[A](all1), all1.N
	switch {
	case k.boxed.inLeaves():
		return k.inLeaves(worker, begin, end, leaf, failed, func(runs []policy.Run, item int) {
			k.boxed.leaves(runs, item, leaf, a[(item/leaf-all.first)*lanes:][:lanes], at)
		})
	case !k.plain:
		return k.inRuns(worker, begin, end, leaf, at, failed, func(runs []policy.Run, item int) {
			k.loop.runs(runs, item, a[(at.first-all.first)*lanes:][:lanes])
		})
	case k.compiled.leaves != nil:
		return k.runLoops(worker, begin, end, leaf, lanes, a, at)
	}
	for begin < end {
		to := k.ofLeaf(worker, begin, end, leaf, at, failed)
		if to == begin {
			return false
		}
		k.loop.span(k.first+begin, k.first+to, begin, a[(at.first-all.first)*lanes:][:lanes])
		begin = to
	}
	return true
}

// runLoops is runLeaves for loops that run several leaves in one call.
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
	lx, sx := k.a.BeginSums(worker, leaves)
	lanes, sums := reduce.Of[A](lx), reduce.Of[A](sx)
	for begin < end {
		to := k.poll.upTo(worker, begin, end)
		if to == begin {
			return // cancelled
		}
		for begin < to {
			n := begin/leaf - all.first
			next := k.compiled.whole(k.first, begin, to, leaf, len(lanes), lanes, sums[n:])
			if next == begin {
				next = inLeaf(begin, to, leaf)
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

func (k *reduceKernel2[I, A, B, P]) span(g space.Grid) int {
	k.leaves = append(k.leaves[:0], &k.a.Column, &k.b.Column)
	return k.openLeaves(k.leaves, k.boxed.code != nil, g)
}

func (k *reduceKernel2[I, A, B, P]) runNode(worker, slot, begin, end, leaf int, at *node, failed *faults) {
	k.leaves.runNode(k, worker, slot, begin, end, leaf, at, failed)
}

func (k *reduceKernel2[I, A, B, P]) runLeaves(worker, begin, end, leaf int, at *node, failed *faults) bool {
	first, leaves := at.first, at.last-at.first
	ax := k.a.Leaves(worker, leaves)
	a, al := reduce.All[A](ax), ax.N
	bx := k.b.Leaves(worker, leaves)
	b, bl := reduce.All[B](bx), bx.N
	if k.boxed.inLeaves() {
		return k.inLeaves(worker, begin, end, leaf, failed, func(runs []policy.Run, item int) {
			n := item/leaf - first
			k.boxed.leaves(runs, item, leaf, a[n*al:][:al], b[n*bl:][:bl], at)
		})
	}
	if !k.plain {
		return k.inRuns(worker, begin, end, leaf, at, failed, func(runs []policy.Run, item int) {
			n := at.first - first
			k.loop.runs(runs, item, a[n*al:][:al], b[n*bl:][:bl])
		})
	}
	for begin < end {
		to := k.ofLeaf(worker, begin, end, leaf, at, failed)
		if to == begin {
			return false
		}
		n := at.first - first
		k.loop.span(k.first+begin, k.first+to, begin, a[n*al:][:al], b[n*bl:][:bl])
		begin = to
	}
	return true
}

func (k *reduceKernel3[I, A, B, C, P]) span(g space.Grid) int {
	k.leaves = append(k.leaves[:0], &k.a.Column, &k.b.Column, &k.c.Column)
	return k.openLeaves(k.leaves, k.boxed.code != nil, g)
}

func (k *reduceKernel3[I, A, B, C, P]) runNode(worker, slot, begin, end, leaf int, at *node, failed *faults) {
	k.leaves.runNode(k, worker, slot, begin, end, leaf, at, failed)
}

func (k *reduceKernel3[I, A, B, C, P]) runLeaves(worker, begin, end, leaf int, at *node, failed *faults) bool {
	first, leaves := at.first, at.last-at.first
	ax := k.a.Leaves(worker, leaves)
	a, al := reduce.All[A](ax), ax.N
	bx := k.b.Leaves(worker, leaves)
	b, bl := reduce.All[B](bx), bx.N
	cx := k.c.Leaves(worker, leaves)
	c, cl := reduce.All[C](cx), cx.N
	if k.boxed.inLeaves() {
		return k.inLeaves(worker, begin, end, leaf, failed, func(runs []policy.Run, item int) {
			n := item/leaf - first
			k.boxed.leaves(runs, item, leaf, a[n*al:][:al], b[n*bl:][:bl], c[n*cl:][:cl], at)
		})
	}
	if !k.plain {
		return k.inRuns(worker, begin, end, leaf, at, failed, func(runs []policy.Run, item int) {
			n := at.first - first
			k.loop.runs(runs, item, a[n*al:][:al], b[n*bl:][:bl], c[n*cl:][:cl])
		})
	}
	for begin < end {
		to := k.ofLeaf(worker, begin, end, leaf, at, failed)
		if to == begin {
			return false
		}
		n := at.first - first
		k.loop.span(k.first+begin, k.first+to, begin, a[n*al:][:al], b[n*bl:][:bl], c[n*cl:][:cl])
		begin = to
	}
	return true
}

func (k *reduceKernel4[I, A, B, C, D, P]) span(g space.Grid) int {
	k.leaves = append(k.leaves[:0], &k.a.Column, &k.b.Column, &k.c.Column, &k.d.Column)
	return k.openLeaves(k.leaves, k.boxed.code != nil, g)
}

func (k *reduceKernel4[I, A, B, C, D, P]) runNode(worker, slot, begin, end, leaf int, at *node, failed *faults) {
	k.leaves.runNode(k, worker, slot, begin, end, leaf, at, failed)
}

func (k *reduceKernel4[I, A, B, C, D, P]) runLeaves(worker, begin, end, leaf int, at *node, failed *faults) bool {
	first, leaves := at.first, at.last-at.first
	ax := k.a.Leaves(worker, leaves)
	a, al := reduce.All[A](ax), ax.N
	bx := k.b.Leaves(worker, leaves)
	b, bl := reduce.All[B](bx), bx.N
	cx := k.c.Leaves(worker, leaves)
	c, cl := reduce.All[C](cx), cx.N
	dx := k.d.Leaves(worker, leaves)
	d, dl := reduce.All[D](dx), dx.N
	if k.boxed.inLeaves() {
		return k.inLeaves(worker, begin, end, leaf, failed, func(runs []policy.Run, item int) {
			n := item/leaf - first
			k.boxed.leaves(runs, item, leaf, a[n*al:][:al], b[n*bl:][:bl], c[n*cl:][:cl], d[n*dl:][:dl], at)
		})
	}
	if !k.plain {
		return k.inRuns(worker, begin, end, leaf, at, failed, func(runs []policy.Run, item int) {
			n := at.first - first
			k.loop.runs(runs, item, a[n*al:][:al], b[n*bl:][:bl], c[n*cl:][:cl], d[n*dl:][:dl])
		})
	}
	for begin < end {
		to := k.ofLeaf(worker, begin, end, leaf, at, failed)
		if to == begin {
			return false
		}
		n := at.first - first
		k.loop.span(k.first+begin, k.first+to, begin, a[n*al:][:al], b[n*bl:][:bl], c[n*cl:][:cl], d[n*dl:][:dl])
		begin = to
	}
	return true
}
