package exec

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/policy"
)

// A reduction whose items come in order runs several leaves in one call: each has lanes of its own, which are
// joined once all have been run.

// leafColumn is a column of such a launch; see [reduce.Slots].
type leafColumn interface {
	OpenLeaves(workers, most int) int
	BeginLeaves(worker, leaves int)
	EndNode(worker, slot, leaves, last int) bool
	EndLeaf(worker, leaf, items int)
	JoinLeaves(worker, dst, src int)
	EndLeaves(worker, slot int)
}

// leafColumns are all columns of a launch.
type leafColumns []leafColumn

// leafRunner is a kernel that runs the items of a node into the lanes of its leaves. It reports whether it has run all:
// not if the launch is cancelled, or leaves before have failed. If a leaf panics, *at is that leaf.
type leafRunner interface {
	runLeaves(worker, begin, end, leaf int, at *node, failed *faults) bool
}

// open makes room, and returns how many leaves of so many items may be run in one call, 0 if they are run one by one.
func (c leafColumns) open(workers, items int, g space.Grid) int {
	most := min(max(items/g.Leaf, 1), tree.NodeLeaves)
	for _, column := range c {
		most = min(most, column.OpenLeaves(workers, most))
	}
	return most
}

// runNode implements nodeKernel for a kernel that runs leaves.
func (c leafColumns) runNode(k leafRunner, worker, slot, begin, end, leaf int, at *node, failed *faults) {
	all := *at
	leaves, items := all.last-all.first, end-begin
	for _, column := range c {
		column.BeginLeaves(worker, leaves)
	}
	ran := false
	defer func() {
		if !ran { // the functor has panicked, or ended the goroutine: leaves below may have a fault, too
			ended := *at
			c.joinLeaves(worker, all, ended.first-all.first, items, leaf, at)
			*at = ended
		}
	}()
	complete := k.runLeaves(worker, begin, end, leaf, at, failed)
	if ran = true; !complete {
		return
	}
	*at = all
	var room [4]leafColumn
	left := leafColumns(room[:0])
	for _, column := range c {
		if !column.EndNode(worker, slot, leaves, items-(leaves-1)*leaf) {
			left = append(left, column)
		}
	}
	if len(left) == 0 {
		return
	}
	left.joinLeaves(worker, all, leaves, items, leaf, at)
	*at = all
	for _, column := range left {
		column.EndLeaves(worker, slot)
	}
}

// joinLeaves joins the lanes of the first leaves of the node all, which has that many items, and then the
// leaves, as far as they make nodes. Faults come in the order that they have where leaves are run one by
// one: a node is joined before the next leaf.
func (c leafColumns) joinLeaves(worker int, all node, leaves, items, leaf int, at *node) {
	join := func(n, width, last int) {
		*at = node{all.first + n, all.first + last}
		for _, column := range c {
			column.JoinLeaves(worker, n, n+width)
		}
	}
	for n := range leaves {
		*at = node{all.first + n, all.first + n + 1}
		for _, column := range c {
			column.EndLeaf(worker, n, min(leaf, items-n*leaf))
		}
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
	k.leaves = append(k.leaves[:0], &k.a)
	return k.openLeaves(k.leaves, k.boxed.code != nil, g)
}

// openLeaves is [leafColumns.open] for items that come in order: of runs of another policy, which may panic for a leaf, there
// are none. A loop over runs that is not compiled is left after as many items as one may run before it looks whether the
// launch goes on.
func (x *indices[I, P]) openLeaves(c leafColumns, compiled bool, g space.Grid) int {
	switch {
	case x.plain:
		return c.open(x.workers, nodeItems, g)
	case x.runner == nil || !x.kind.ours:
		return 0
	case compiled:
		return c.open(x.workers, nodeItems, g)
	}
	return c.open(x.workers, pollItems, g)
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
	a, lanes := k.a.Leaves(worker, all.last-all.first)
	switch {
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

func (k *reduceKernel2[I, A, B, P]) span(g space.Grid) int {
	k.leaves = append(k.leaves[:0], &k.a, &k.b)
	return k.openLeaves(k.leaves, k.boxed.code != nil, g)
}

func (k *reduceKernel2[I, A, B, P]) runNode(worker, slot, begin, end, leaf int, at *node, failed *faults) {
	k.leaves.runNode(k, worker, slot, begin, end, leaf, at, failed)
}

func (k *reduceKernel2[I, A, B, P]) runLeaves(worker, begin, end, leaf int, at *node, failed *faults) bool {
	first, leaves := at.first, at.last-at.first
	a, al := k.a.Leaves(worker, leaves)
	b, bl := k.b.Leaves(worker, leaves)
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
	k.leaves = append(k.leaves[:0], &k.a, &k.b, &k.c)
	return k.openLeaves(k.leaves, k.boxed.code != nil, g)
}

func (k *reduceKernel3[I, A, B, C, P]) runNode(worker, slot, begin, end, leaf int, at *node, failed *faults) {
	k.leaves.runNode(k, worker, slot, begin, end, leaf, at, failed)
}

func (k *reduceKernel3[I, A, B, C, P]) runLeaves(worker, begin, end, leaf int, at *node, failed *faults) bool {
	first, leaves := at.first, at.last-at.first
	a, al := k.a.Leaves(worker, leaves)
	b, bl := k.b.Leaves(worker, leaves)
	c, cl := k.c.Leaves(worker, leaves)
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
	k.leaves = append(k.leaves[:0], &k.a, &k.b, &k.c, &k.d)
	return k.openLeaves(k.leaves, k.boxed.code != nil, g)
}

func (k *reduceKernel4[I, A, B, C, D, P]) runNode(worker, slot, begin, end, leaf int, at *node, failed *faults) {
	k.leaves.runNode(k, worker, slot, begin, end, leaf, at, failed)
}

func (k *reduceKernel4[I, A, B, C, D, P]) runLeaves(worker, begin, end, leaf int, at *node, failed *faults) bool {
	first, leaves := at.first, at.last-at.first
	a, al := k.a.Leaves(worker, leaves)
	b, bl := k.b.Leaves(worker, leaves)
	c, cl := k.c.Leaves(worker, leaves)
	d, dl := k.d.Leaves(worker, leaves)
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

var _ leafColumn = (*reduce.Slots[int])(nil)
