package loops

import (
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/policy"
)

// A Reduction is the kernel of all reductions over items, for any number and types of accumulators: it is
// compiled once. It runs several leaves in one call if it can. Each leaf has lanes of its own, which are
// joined once all leaves have run.
type Reduction struct {
	items.Items
	Functor  any
	Columns  []launch.Column
	Loop     Loop
	compiled compiledLoop // Loop, if it is compiled
	leaves   codeOfLeaves // the code, if it runs several leaves of integers in one call; or nil
	owner    launch.Owner // of the columns
}

// Reset sets the functor and the columns of the kernel, and the owner of the columns.
func (k *Reduction) Reset(functor any, owner launch.Owner, columns ...launch.Column) {
	k.Functor, k.owner = functor, owner
	k.Columns = append(k.Columns[:0], columns...)
}

// Launch launches the kernel over the items of a plan.
func (k *Reduction) Launch(j *launch.Job, plan *policy.Plan) error {
	j.Columns = append(j.Columns, k.Columns...)
	return j.Launch(plan, k)
}

// Compile returns the loop of code c, or alone if c is nil or takes items in another form.
func (k *Reduction) Compile(c Code, alone Loop) Loop {
	if c == nil {
		return alone
	}
	if body := bodyOf(c.loop(), alone); body != nil {
		return body
	}
	if !k.compiled.of(c, alone, k.Functor, len(k.Columns), &k.Items) {
		return alone
	}
	if c.spans() {
		k.leaves = c.leaves()
	}
	return &k.compiled
}

func (k *Reduction) Key() uintptr { return launch.CodeOf(k.Functor) }

func (k *Reduction) About(a *launch.About) { k.Items.Tell(a, k.Functor) }

func (k *Reduction) Release() {
	k.Items.Release()
	k.owner.Release()
	clear(k.Columns)
	k.Functor, k.Columns, k.Loop, k.compiled, k.leaves, k.owner = nil, k.Columns[:0], nil, compiledLoop{}, nil, nil
}

// runLeaf runs the items of a leaf into the lanes of the worker.
func (k *Reduction) runLeaf(w *launch.Walk, begin, end int) {
	for c, column := range k.Columns {
		w.Lanes[c] = column.Begin(w.Worker, end-begin)
	}
	for k.Plain && begin < end {
		to := k.UpTo(w, begin, end)
		if to == begin {
			return // cancelled
		}
		integers(&k.Items, w, k.Loop, begin, to)
		begin = to
	}
	each(&k.Items, w, k.Loop, begin, end)
}

// Span implements [launch.Kernel]. It returns 0 for a policy that is neither plain nor of package policy:
// such a policy may panic for a leaf. One call over runs that is not compiled takes at most about
// launch.PollItems, the most items between two looks.
func (k *Reduction) Span(g space.Grid) int {
	items := launch.NodeItems
	switch {
	case k.Plain && k.leaves != nil && !k.Columns[0].InLanes():
		return 0
	case k.Plain && k.leaves != nil && k.Columns[0].OpenSums(k.Workers, k.leaves.joins()):
		return min(max(launch.NodeItems/g.Leaf, 1), tree.NodeLeaves)
	case k.Plain:
	case k.Runner == nil || !k.Kind.Ours:
		return 0
	case k.compiled.code == nil:
		items = launch.PollItems
	}
	most := min(max(items/g.Leaf, 1), tree.NodeLeaves)
	for _, c := range k.Columns {
		most = min(most, c.OpenLeaves(k.Workers, most))
	}
	return most
}

func (k *Reduction) RunNode(w *launch.Walk, slot, begin, end, leaf int) {
	if slot == launch.InLanes {
		k.runLeaf(w, begin, end)
		return
	}
	if k.Columns[0].JoinsLeaves() {
		k.runSums(w, slot, begin, end, leaf)
		return
	}
	all := w.Node
	leaves, items := all.Last-all.First, end-begin
	for _, c := range k.Columns {
		c.BeginLeaves(w.Worker, leaves)
	}
	ran := false
	defer func() {
		if !ran { // the functor panicked or ended the goroutine: leaves below may have a fault, too
			ended, at := w.Node, w.Where
			w.Form = launch.Nowhere
			joinLeaves(k.Columns, w, all, ended.First-all.First, items, leaf)
			w.Node, w.Where = ended, at
		}
	}()
	complete := k.runLeaves(w, begin, end, leaf)
	if ran = true; !complete {
		return
	}
	w.Node = all
	var room [launch.MaxAccumulators]launch.Column
	left := room[:0]
	for _, c := range k.Columns {
		if !c.EndNode(w.Worker, slot, leaves, items-(leaves-1)*leaf) {
			left = append(left, c)
		}
	}
	if len(left) == 0 {
		return
	}
	joinLeaves(left, w, all, leaves, items, leaf)
	w.Node = all
	for _, c := range left {
		c.EndLeaves(w.Worker, slot)
	}
}

// at gives the worker the lanes of one leaf of node all.
func (k *Reduction) at(w *launch.Walk, leaf int, all launch.Node) {
	for c, column := range k.Columns {
		w.Lanes[c] = column.Leaf(w.Worker, leaf-all.First, all.Last-all.First)
	}
}

// runLeaves runs the items of a node into the lanes of its leaves. It returns false if the launch is
// cancelled or a leaf is past a fault, and not all items have run. If a leaf panics, the worker is at that
// leaf.
func (k *Reduction) runLeaves(w *launch.Walk, begin, end, leaf int) bool {
	all := w.Node
	switch {
	case k.Plain && k.leaves != nil:
		return k.runLoops(w, begin, end, leaf)
	case k.Plain:
		for begin < end {
			to := k.OfLeaf(w, begin, end, leaf)
			if to == begin {
				return false
			}
			k.at(w, w.First, all)
			integers(&k.Items, w, k.Loop, begin, to)
			begin = to
		}
		return true
	case k.compiled.inLeaves():
		return k.Items.InLeaves(w, begin, end, leaf, func(runs []policy.Run, item int) {
			k.at(w, item/leaf, all)
			k.compiled.leaves(w, runs, item, leaf)
		})
	}
	return k.InRuns(w, begin, end, leaf, func(runs []policy.Run, item int) {
		k.at(w, w.First, all)
		k.Loop.Runs(w, runs, item)
	})
}

// runLoops is runLeaves for code that runs several leaves of integers in one call.
func (k *Reduction) runLoops(w *launch.Walk, begin, end, leaf int) bool {
	for all := w.Node; begin < end; {
		to := w.UpTo(begin, end)
		if to == begin {
			return false
		}
		for begin < to {
			n := begin / leaf
			k.at(w, n, all)
			if next := k.whole(begin, to, leaf, w.Lanes[0], reduce.Lanes{}); next > begin {
				begin = next
				continue
			}
			next := items.InLeaf(begin, to, leaf)
			w.Node = launch.Leaf(n)
			integers(&k.Items, w, k.Loop, begin, next)
			w.Node = all
			begin = next
		}
	}
	return true
}

// runSums is RunNode for code that joins the lanes of each leaf itself, so that no join can fail.
func (k *Reduction) runSums(w *launch.Walk, slot, begin, end, leaf int) {
	all, column := w.Node, k.Columns[0]
	leaves := all.Last - all.First
	lanes, sums := column.BeginSums(w.Worker, leaves)
	for begin < end {
		to := w.UpTo(begin, end)
		if to == begin {
			return // cancelled
		}
		for begin < to {
			n := begin/leaf - all.First
			next := k.whole(begin, to, leaf, lanes, sums.From(n))
			if next == begin {
				next = items.InLeaf(begin, to, leaf)
				w.Node, w.Lanes[0] = launch.Leaf(all.First+n), lanes
				integers(&k.Items, w, k.Loop, begin, next)
				if next == end || next%leaf == 0 {
					column.EndSum(w.Worker, n, next-(all.First+n)*leaf)
				}
				w.Node = all
			}
			begin = next
		}
	}
	column.EndSums(w.Worker, slot, leaves)
}

// whole runs whole leaves of items begin to end-1 in one call of the code, as many as it can. It returns the
// first item that has not run. See [kernel.ReduceLeaves] for lanes and sums.
func (k *Reduction) whole(begin, end, leaf int, lanes, sums reduce.Lanes) (next int) {
	items := (end - begin) / leaf * leaf
	if items == 0 || begin%leaf != 0 {
		return begin
	}
	next = k.leaves.leaves(k.First+begin, k.First+begin+items, leaf, lanes, sums) - k.First
	if next < begin || next > begin+items || next%leaf != 0 {
		panic(launch.Breach("exec: the loop of %v ran leaves of %d of the integers %d to %d and returned %d, expected the first of a leaf", device.Functor{Func: k.Functor}, leaf, k.First+begin, k.First+begin+items-1, k.First+next))
	}
	return next
}

// joinLeaves joins the lanes of the first leaves of node all, which has items items, and then joins leaves as
// far as they make nodes. It joins each node before the next leaf, so faults come in the same order as leaf
// by leaf.
func joinLeaves(columns []launch.Column, w *launch.Walk, all launch.Node, leaves, items, leaf int) {
	join := func(n, width, last int) {
		w.Node = launch.Node{First: all.First + n, Last: all.First + last}
		for _, c := range columns {
			c.JoinLeaves(w.Worker, n, n+width)
		}
	}
	for n := range leaves {
		w.Node = launch.Leaf(all.First + n)
		for _, c := range columns {
			c.EndLeaf(w.Worker, n, min(leaf, items-n*leaf))
		}
		for width := 1; (n+1)&(2*width-1) == 0; width *= 2 {
			join(n+1-2*width, width, n+1)
		}
	}
	if leaves < all.Last-all.First {
		return
	}
	for width := 1; width < leaves; width *= 2 { // incomplete nodes at the right edge
		if n := leaves &^ (2*width - 1); n+width < leaves {
			join(n, width, leaves)
		}
	}
}
