package exec

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/policy"
)

// A reduction is the kernel of all reductions over items, whatever their accumulators are and how many: it is compiled
// once. It runs several leaves in one call where it can: each has lanes of its own, which are joined once all have been run.
type reduction struct {
	items
	functor  any
	columns  []column
	loop     loop
	compiled compiledLoop // loop, if it is compiled
	leaves   codeOfLeaves // the code, if it runs several leaves of integers in one call, or nil
	owner    owner        // of the columns
}

// reset makes the kernel one of a functor and columns, and says whose they are.
func (k *reduction) reset(functor any, owner owner, columns ...column) {
	k.functor, k.owner = functor, owner
	k.columns = append(k.columns[:0], columns...)
}

// launch launches the kernel over the items of a plan.
func (k *reduction) launch(j *job, plan *policy.Plan) error {
	j.columns = append(j.columns, k.columns...)
	return j.launch(plan, k)
}

// compile returns the loop of code, if there is any for the form in which items come, or else the one of the functor
// alone.
func (k *reduction) compile(c code, alone loop) loop {
	if c == nil || !k.compiled.of(c, alone, k.functor, &k.items) {
		return alone
	}
	if c.spans() {
		k.leaves = c.leaves()
	}
	return &k.compiled
}

func (k *reduction) about(a *about) { k.items.tell(a, k.functor) }

func (k *reduction) release() {
	k.items.release()
	k.owner.release()
	clear(k.columns)
	k.functor, k.columns, k.loop, k.compiled, k.leaves, k.owner = nil, k.columns[:0], nil, compiledLoop{}, nil, nil
}

func (k *reduction) run(w *walk, begin, end int) {
	for c, column := range k.columns {
		w.lanes[c] = column.Begin(w.worker, end-begin)
	}
	for k.plain && begin < end {
		to := k.upTo(w, begin, end)
		if to == begin {
			return // cancelled
		}
		integers(&k.items, w, k.loop, begin, to)
		begin = to
	}
	each(&k.items, w, k.loop, begin, end)
}

// span implements nodeKernel. Leaves of a policy that is neither plain nor one of ours run one by one: it may panic for a
// leaf. A loop over runs that is not compiled runs no more items in one call than there are between two looks whether the
// launch goes on.
func (k *reduction) span(g space.Grid) int {
	items := nodeItems
	switch {
	case k.plain && k.leaves != nil && !k.columns[0].InLanes():
		return 0
	case k.plain && k.leaves != nil && k.columns[0].OpenSums(k.workers, k.leaves.joins()):
		return min(max(nodeItems/g.Leaf, 1), tree.NodeLeaves)
	case k.plain:
	case k.runner == nil || !k.kind.ours:
		return 0
	case k.compiled.code == nil:
		items = pollItems
	}
	most := min(max(items/g.Leaf, 1), tree.NodeLeaves)
	for _, c := range k.columns {
		most = min(most, c.OpenLeaves(k.workers, most))
	}
	return most
}

func (k *reduction) runNode(w *walk, slot, begin, end, leaf int) {
	if k.columns[0].JoinsLeaves() {
		k.runSums(w, slot, begin, end, leaf)
		return
	}
	all := w.node
	leaves, items := all.last-all.first, end-begin
	for _, c := range k.columns {
		c.BeginLeaves(w.worker, leaves)
	}
	ran := false
	defer func() {
		if !ran { // the functor has panicked, or ended the goroutine: leaves below may have a fault, too
			ended, at := w.node, w.where
			w.form = nowhere
			joinLeaves(k.columns, w, all, ended.first-all.first, items, leaf)
			w.node, w.where = ended, at
		}
	}()
	complete := k.runLeaves(w, begin, end, leaf)
	if ran = true; !complete {
		return
	}
	w.node = all
	var room [maxAccumulators]column
	left := room[:0]
	for _, c := range k.columns {
		if !c.EndNode(w.worker, slot, leaves, items-(leaves-1)*leaf) {
			left = append(left, c)
		}
	}
	if len(left) == 0 {
		return
	}
	joinLeaves(left, w, all, leaves, items, leaf)
	w.node = all
	for _, c := range left {
		c.EndLeaves(w.worker, slot)
	}
}

// at gives the worker, which is at leaves of a node, the lanes of one of them.
func (k *reduction) at(w *walk, leaf int, all node) {
	for c, column := range k.columns {
		w.lanes[c] = column.Leaf(w.worker, leaf-all.first, all.last-all.first)
	}
}

// runLeaves runs the items of a node into the lanes of its leaves. It reports whether it has run all: not if the launch is
// cancelled, or leaves before have failed. If a leaf panics, the worker is at that leaf.
func (k *reduction) runLeaves(w *walk, begin, end, leaf int) bool {
	all := w.node
	switch {
	case k.plain && k.leaves != nil:
		return k.runLoops(w, begin, end, leaf)
	case k.plain:
		for begin < end {
			to := k.ofLeaf(w, begin, end, leaf)
			if to == begin {
				return false
			}
			k.at(w, w.first, all)
			integers(&k.items, w, k.loop, begin, to)
			begin = to
		}
		return true
	case k.compiled.inLeaves():
		return k.items.inLeaves(w, begin, end, leaf, func(runs []policy.Run, item int) {
			k.at(w, item/leaf, all)
			k.compiled.leaves(w, runs, item, leaf)
		})
	}
	return k.inRuns(w, begin, end, leaf, func(runs []policy.Run, item int) {
		k.at(w, w.first, all)
		k.loop.runs(w, runs, item)
	})
}

// runLoops is runLeaves for loops that run several leaves in one call.
func (k *reduction) runLoops(w *walk, begin, end, leaf int) bool {
	for all := w.node; begin < end; {
		to := w.upTo(begin, end)
		if to == begin {
			return false
		}
		for begin < to {
			n := begin / leaf
			k.at(w, n, all)
			if next := k.whole(begin, to, leaf, w.lanes[0], reduce.Lanes{}); next > begin {
				begin = next
				continue
			}
			next := inLeaf(begin, to, leaf)
			w.node = node{n, n + 1}
			integers(&k.items, w, k.loop, begin, next)
			w.node = all
			begin = next
		}
	}
	return true
}

// runSums is runNode where the loop joins the lanes of each leaf, so that no join can go wrong.
func (k *reduction) runSums(w *walk, slot, begin, end, leaf int) {
	all, column := w.node, k.columns[0]
	leaves := all.last - all.first
	lanes, sums := column.BeginSums(w.worker, leaves)
	for begin < end {
		to := w.upTo(begin, end)
		if to == begin {
			return // cancelled
		}
		for begin < to {
			n := begin/leaf - all.first
			next := k.whole(begin, to, leaf, lanes, sums.From(n))
			if next == begin {
				next = inLeaf(begin, to, leaf)
				w.node, w.lanes[0] = node{all.first + n, all.first + n + 1}, lanes
				integers(&k.items, w, k.loop, begin, next)
				if next == end || next%leaf == 0 {
					column.EndSum(w.worker, n, next-(all.first+n)*leaf)
				}
				w.node = all
			}
			begin = next
		}
	}
	column.EndSums(w.worker, slot, leaves)
}

// whole runs as many whole leaves of the items begin to end as the code can, in one call, and returns the first item that
// it has not run. See [kernel.ReduceLeaves] for the rest.
func (k *reduction) whole(begin, end, leaf int, lanes, sums reduce.Lanes) (next int) {
	items := (end - begin) / leaf * leaf
	if items == 0 || begin%leaf != 0 {
		return begin
	}
	next = k.leaves.leaves(k.first+begin, k.first+begin+items, leaf, lanes, sums) - k.first
	if next < begin || next > begin+items || next%leaf != 0 {
		panic(breach{fmt.Errorf("exec: the loop of %v ran leaves of %d of the integers %d to %d and returned %d, expected the first of a leaf", space.Functor{Func: k.functor}, leaf, k.first+begin, k.first+begin+items-1, k.first+next)})
	}
	return next
}

// joinLeaves joins the lanes of the first leaves of the node all, which has that many items, and then the
// leaves, as far as they make nodes. Faults come in the order that they have where leaves are run one by
// one: a node is joined before the next leaf.
func joinLeaves(columns []column, w *walk, all node, leaves, items, leaf int) {
	join := func(n, width, last int) {
		w.node = node{all.first + n, all.first + last}
		for _, c := range columns {
			c.JoinLeaves(w.worker, n, n+width)
		}
	}
	for n := range leaves {
		w.node = node{all.first + n, all.first + n + 1}
		for _, c := range columns {
			c.EndLeaf(w.worker, n, min(leaf, items-n*leaf))
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
