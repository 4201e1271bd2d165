package exec

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/tree"
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

// openLeaves is [leafColumns.open] for a plain policy or one of ours that comes in runs. Others may panic for a leaf, so their
// leaves run one by one. A loop over runs that is not compiled runs no more items in one call than there are between two
// looks whether the launch goes on.
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

var _ leafColumn = (*reduce.Column)(nil)
