package exec

import (
	"context"
	"fmt"
	"math/bits"
	"reflect"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/internal/watch"
)

// column is one reduction of a launch, its value type hidden.
type column = *reduce.Column

// kernel is what a pattern makes of a functor: the loop over a leaf's items.
type kernel interface {
	open(workers int, g space.Grid)
	// run runs the items begin to end, which are the leaf that the worker is at, and adds them
	// to the lanes of the columns, fewer of them if the launch is cancelled.
	run(w *walk, begin, end int)
	// about says what may be asked of the kernel in this launch.
	about(a *about)
	// release lets go of everything that a caller gave, so that the kernel may be
	// kept for another launch.
	release()
}

// nodeKernel is a kernel that may run several leaves in one call.
type nodeKernel interface {
	// span returns the most leaves that runNode takes at once, 0 if it takes none.
	span(g space.Grid) int
	// runNode reduces the items begin to end, which are the leaves of the node that the worker is at, into a
	// slot. If one of its leaves panics, the worker is then at that leaf. Leaves that
	// are past what has failed need not run, and then the slot is not used.
	runNode(w *walk, slot, begin, end, leaf int)
}

// job is the one Job that all patterns use.
type job struct {
	grid     space.Grid
	halvings int  // of its leaves, see Divide
	apart    bool // the space knows that nothing is reduced
	chunked  bool // the policy asks for a chunk
	watched  bool // it says which item runs
	label    string
	kernel   kernel
	about    about       // the kernel
	hint     space.Hints // what the space is told of the launch
	whole    nodeKernel  // the kernel, if it is one
	span     int         // see there
	columns  []column
	later    column // which the launch stores beside the columns, or nil
	workers  int
	nodes    []slotNode      // what each slot holds, see held; walks use further slots behind
	opened   int             // how often Open was called since the job was made
	depth    int             // slots that a walk needs besides its root
	walks    []walk          // where the workers are
	toStep   bool            // a device has asked for the steps, and has yet to open the job
	stepped  bool            // a device takes the job's steps
	torn     bool            // a step has failed
	opens    int             // how often Open was called
	carries  bool            // nodes may leave the process: there is a fingerprint
	told     bool            // what has happened in other processes is known
	origin   string          // what others are told that this process is
	memo     any             // what the device keeps for the next pass
	ordered  bool            // lanes of a leaf had an order of their own
	laneAt   []int           // where the lanes of the leaf are, nil for their own places
	samples  samples         // of a launch that is watched
	done     <-chan struct{} // closed when the launch is cancelled
	context  context.Context

	faults              // failed is set for refused and ended, too
	heard   atomic.Bool // the launch is cancelled: what runs ends early, and has no result
	refused stop        // what the space did against its contract
	ended   stop        // that the launch was cancelled

	kept   []owner         // what launches of the job have needed, see take
	labels context.Context // of profiles, nil unless they are wanted
}

// node is an aligned range of leaves.
type node struct{ first, last int }

// slotNode is the node that a slot holds, and the opening of the job since when it does: so that Open need not write to
// what workers have in their caches.
type slotNode struct {
	node
	opened int
}

// hold notes the node that a slot holds.
func (j *job) hold(slot int, n node) { j.nodes[slot] = slotNode{n, j.opened} }

// held returns the node that a slot holds, none if that was before the job was opened last.
func (j *job) held(slot int) node {
	if s := &j.nodes[slot]; s.opened == j.opened {
		return s.node
	}
	return node{}
}

// isNode reports whether n is a node of a tree with that many leaves.
func (n node) isNode(leaves int) bool {
	if n.first < 0 || n.first >= n.last || n.last > leaves {
		return false
	}
	w := tree.CeilPow2(n.last - n.first)
	return n.first%w == 0 && (n.last == n.first+w || n.last == leaves)
}

// all is the root of the reduction tree.
func (j *job) all() node { return node{0, j.leaves()} }

// Hints implements [space.Hinter]. Nothing is to be remembered where a chunk was asked for or
// items do not share leaves: they may be few and heavy then.
func (j *job) Hints() space.Hints {
	h := j.hint
	if !j.chunked && j.grid.Leaf != 1 {
		h.Functor = j.about.key
	}
	return h
}

// codeOf returns the address of a function's code, which tells functors apart.
func codeOf(f any) uintptr { return reflect.ValueOf(f).Pointer() }

// Open implements [space.Job].
func (j *job) Open(workers, slots int) {
	if workers < 0 || slots < 0 {
		j.refuse(fmt.Errorf("exec: the space opened %d workers and %d slots, expected neither below 0", workers, slots))
		workers, slots = max(workers, 0), max(slots, 0)
	}
	j.stepped, j.toStep, j.torn = j.toStep, false, false
	j.opens++
	j.opened++
	if j.stepped && workers != 1 {
		j.refuse(fmt.Errorf("exec: the space takes steps with %d workers, expected 1", workers))
	}
	j.refuseDivided()
	j.workers, j.nodes = workers, reuse.Resize(j.nodes[:0], slots)
	j.openWalks(workers)
	stride := j.hint.SlotStride
	j.depth = (bits.Len(uint(max(j.leaves()-1, 0))) + stride - 1) &^ (stride - 1)
	if watch.Opening() {
		protect(j.columns)
		if j.later != nil {
			protect([]column{j.later})
		}
	}
	j.guardAt(j.all(), func() bool {
		for _, c := range j.columns {
			if slots := slots + workers*j.depth; j.opens > 1 {
				c.Reopen(workers, slots)
			} else {
				c.Open(workers, slots, j.grid.Lanes)
			}
		}
		j.inOrder()
		j.kernel.open(workers, j.grid)
		j.span = 0
		if whole, ok := j.kernel.(nodeKernel); ok && !j.stepped { // as all are that are watched
			j.whole, j.span = whole, whole.span(j.divided())
		}
		return true
	})
}

// Run implements [space.Job].
func (j *job) Run(worker, first, last, slot int) bool {
	n := node{first, last}
	if !j.ready(worker, slot, n) {
		return false
	}
	w := &j.walks[worker]
	ok := j.guard(&w.place, func() bool { return j.walk(w, n, slot, len(j.nodes)+worker*j.depth) })
	if !ok {
		j.hold(slot, node{})
	}
	return ok
}

// ready takes note of what a worker runs into a slot, or refuses it.
func (j *job) ready(worker, slot int, n node) bool {
	if uint(slot) >= uint(len(j.nodes)) || uint(worker) >= uint(j.workers) {
		return j.refuse(fmt.Errorf("exec: the space ran worker %d and slot %d, having opened %d workers and %d slots", worker, slot, j.workers, len(j.nodes)))
	}
	if !n.isNode(j.leaves()) {
		return j.refuse(fmt.Errorf("exec: the space ran leaves %d to %d, which are not a node of a tree of %d leaves", n.first, n.last-1, j.leaves()))
	}
	j.hold(slot, n)
	j.walks[worker].at(n)
	return true
}

// walk reduces the node n into a slot, depth first, and uses further slots from
// stack on.
func (j *job) walk(w *walk, n node, slot, stack int) bool {
	if leaves := n.last - n.first; leaves == 1 || leaves <= j.span {
		if j.past(n.first) || j.stopped() {
			return false
		}
		w.node = n
		leaf := j.leaf()
		begin := n.first * leaf
		items := j.grid.Items - begin
		if n.last < j.leaves() { // all leaves, were the last one a whole one, may be more than an int can count
			items = leaves * leaf
		}
		switch {
		case leaves <= j.span:
			j.whole.runNode(w, slot, begin, begin+items, leaf)
			if j.past(n.first) { // no more than a part of it may have run
				return false
			}
		default:
			j.kernel.run(w, begin, begin+items)
			for _, c := range j.columns {
				c.End(w.worker, slot, items)
			}
		}
		return !j.heard.Load()
	}
	middle := n.first + tree.CeilPow2(n.last-n.first)/2
	if !j.walk(w, node{n.first, middle}, slot, stack) || !j.walk(w, node{middle, n.last}, stack, stack+1) {
		return false
	}
	w.node = n
	return j.join(slot, stack)
}

// join joins slot src of every column into slot dst.
func (j *job) join(dst, src int) bool {
	for k := range j.columns {
		j.joinColumn(k, dst, src)
	}
	return true
}

// joinColumn joins slot src of a column into slot dst.
func (j *job) joinColumn(k, dst, src int) {
	c := j.columns[k]
	if j.watched {
		j.sampler(k).Offer(c.Value(dst), c.Value(src))
	}
	c.Join(dst, src)
}

// Join implements [space.Job].
func (j *job) Join(dst, src int) bool {
	n, ok := j.joined(dst, src)
	if !ok {
		return false
	}
	if ok = j.guardAt(n, func() bool { return j.join(dst, src) }); !ok {
		j.hold(dst, node{})
	}
	return ok
}

// joined takes note of a join and returns the node that two slots become, or refuses it.
func (j *job) joined(dst, src int) (n node, ok bool) {
	if top := len(j.nodes); dst < 0 || dst >= top || src < 0 || src >= top {
		return n, j.refuse(fmt.Errorf("exec: the space joined slots %d and %d, having opened %d", dst, src, top))
	}
	d, s := j.held(dst), j.held(src)
	n = node{d.first, s.last}
	if d.last != s.first || !n.isNode(j.leaves()) || tree.CeilPow2(n.last-n.first) != 2*(d.last-d.first) {
		return n, j.refuse(fmt.Errorf("exec: the space joined leaves %d to %d with leaves %d to %d, which are not the halves of a node", d.first, d.last-1, s.first, s.last-1))
	}
	j.hold(dst, n)
	return n, true
}
