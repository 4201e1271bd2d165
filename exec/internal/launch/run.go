package launch

import (
	"fmt"
	"math/bits"

	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/internal/watch"
)

// This file has the methods of a job that run and join nodes of the tree.

// Open implements [space.Job].
func (j *Job) Open(workers, slots int) {
	if workers < 0 || slots < 0 {
		j.Refuse(fmt.Errorf("exec: the space opened %d workers and %d slots, expected neither below 0", workers, slots))
		workers, slots = max(workers, 0), max(slots, 0)
	}
	j.Stepped, j.toStep, j.torn = j.toStep, false, false
	j.Opens++
	j.opened++
	if j.Stepped && workers != 1 {
		j.Refuse(fmt.Errorf("exec: the space takes steps with %d workers, expected 1", workers))
	}
	j.refuseDivided()
	j.Workers, j.nodes = workers, reuse.Resize(j.nodes[:0], slots)
	j.openWalks(workers)
	stride := j.Hint.SlotStride
	j.depth = (bits.Len(uint(max(j.leaves()-1, 0))) + stride - 1) &^ (stride - 1)
	if watch.Opening() {
		protect(j.Columns)
		if j.Later != nil {
			protect([]Column{j.Later})
		}
	}
	j.GuardAt(j.All(), func() bool {
		for _, c := range j.Columns {
			if slots := slots + workers*j.depth; j.Opens > 1 {
				c.Reopen(workers, slots)
			} else {
				c.Open(workers, slots, j.Grid.Lanes)
			}
		}
		j.inOrder()
		j.kernel.Open(workers, j.Grid)
		j.span = 0
		if !j.Stepped { // a watched job is stepped
			j.span = j.kernel.Span(j.divided())
		}
		return true
	})
}

// inOrder restores the ascending order of lanes, after a device has run another part of the job.
func (j *Job) inOrder() {
	if !j.ordered {
		return
	}
	if k := j.ask().Order; k != nil {
		k.Schedule(nil)
	}
	j.ordered, j.laneAt = false, nil
}

// Run implements [space.Job].
func (j *Job) Run(worker, first, last, slot int) bool {
	n := Node{first, last}
	if !j.ready(worker, slot, n) {
		return false
	}
	w := &j.Walks[worker]
	ok := j.guard(&w.Place, func() bool { return j.walk(w, n, slot, len(j.nodes)+worker*j.depth) })
	if !ok {
		j.hold(slot, Node{})
	}
	return ok
}

// ready notes the node that a worker runs into a slot, or refuses the space.
func (j *Job) ready(worker, slot int, n Node) bool {
	if uint(slot) >= uint(len(j.nodes)) || uint(worker) >= uint(j.Workers) {
		return j.Refuse(fmt.Errorf("exec: the space ran worker %d and slot %d, having opened %d workers and %d slots", worker, slot, j.Workers, len(j.nodes)))
	}
	if !n.isNode(j.leaves()) {
		return j.Refuse(fmt.Errorf("exec: the space ran leaves %d to %d, which are not a node of a tree of %d leaves", n.First, n.Last-1, j.leaves()))
	}
	j.hold(slot, n)
	j.Walks[worker].At(n)
	return true
}

// walk reduces node n into a slot, depth first. Right halves go to slots from stack on.
func (j *Job) walk(w *Walk, n Node, slot, stack int) bool {
	if leaves := n.Last - n.First; leaves == 1 || leaves <= j.span {
		if j.Past(n.First) || j.stopped() {
			return false
		}
		w.Node = n
		leaf := j.leaf()
		begin := n.First * leaf
		items := j.Grid.Items - begin
		if n.Last < j.leaves() { // a whole last leaf might end above the largest int
			items = leaves * leaf
		}
		if leaves <= j.span {
			j.kernel.RunNode(w, slot, begin, begin+items, leaf)
			return !j.Past(n.First) && !j.heard.Load() // past a fault, it may have run in part only
		}
		j.kernel.RunNode(w, InLanes, begin, begin+items, leaf)
		for _, c := range j.Columns {
			c.End(w.Worker, slot, items)
		}
		return !j.heard.Load()
	}
	middle := n.First + tree.CeilPow2(n.Last-n.First)/2
	if !j.walk(w, Node{n.First, middle}, slot, stack) || !j.walk(w, Node{middle, n.Last}, stack, stack+1) {
		return false
	}
	w.Node = n
	return j.join(slot, stack)
}

// join joins slot src of every column into slot dst.
func (j *Job) join(dst, src int) bool {
	for k := range j.Columns {
		j.joinColumn(k, dst, src)
	}
	return true
}

// joinColumn joins slot src of a column into slot dst.
func (j *Job) joinColumn(k, dst, src int) {
	c := j.Columns[k]
	if j.watched {
		j.sampler(k).Offer(c.Value(dst), c.Value(src))
	}
	c.Join(dst, src)
}

// Join implements [space.Job].
func (j *Job) Join(dst, src int) bool {
	n, ok := j.joined(dst, src)
	if !ok {
		return false
	}
	if ok = j.GuardAt(n, func() bool { return j.join(dst, src) }); !ok {
		j.hold(dst, Node{})
	}
	return ok
}

// joined notes a join and returns the node that two slots become, or refuses the space.
func (j *Job) joined(dst, src int) (n Node, ok bool) {
	if top := len(j.nodes); dst < 0 || dst >= top || src < 0 || src >= top {
		return n, j.Refuse(fmt.Errorf("exec: the space joined slots %d and %d, having opened %d", dst, src, top))
	}
	d, s := j.held(dst), j.held(src)
	n = Node{d.First, s.Last}
	if d.Last != s.First || !n.isNode(j.leaves()) || tree.CeilPow2(n.Last-n.First) != 2*(d.Last-d.First) {
		return n, j.Refuse(fmt.Errorf("exec: the space joined leaves %d to %d with leaves %d to %d, which are not the halves of a node", d.First, d.Last-1, s.First, s.Last-1))
	}
	j.hold(dst, n)
	return n, true
}

// openWalks makes a walk for each worker, and uses earlier walks again.
func (j *Job) openWalks(workers int) {
	if cap(j.Walks) < workers {
		j.Walks = make([]Walk, 0, workers)
	}
	for k := len(j.Walks); k < workers; k++ {
		j.Walks = j.Walks[:k+1]
		j.Walks[k].Worker, j.Walks[k].Ending = k, &j.Ending
	}
	if j.done != nil {
		for k := range workers {
			j.Walks[k].looks = looks{}
		}
	}
}
