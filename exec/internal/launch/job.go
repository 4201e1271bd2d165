package launch

import (
	"fmt"
	"math/bits"
	"reflect"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/laws"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/internal/watch"
)

// A Kernel is what a pattern makes of a functor: the loop over a leaf's items.
type Kernel interface {
	Open(workers int, g space.Grid)
	// Run runs the items begin to end, which are the leaf that the worker is at, and adds them
	// to the lanes of the columns, fewer of them if the launch is cancelled.
	Run(w *Walk, begin, end int)
	// About says what may be asked of the kernel in this launch.
	About(a *About)
	// Release lets go of everything that a caller gave, so that the kernel may be
	// kept for another launch.
	Release()
}

// NodeKernel is a kernel that may run several leaves in one call.
type NodeKernel interface {
	// Span returns the most leaves that RunNode takes at once, 0 if it takes none.
	Span(g space.Grid) int
	// RunNode reduces the items begin to end, which are the leaves of the node that the worker is at, into a
	// slot. If one of its leaves panics, the worker is then at that leaf. Leaves that
	// are past what has failed need not run, and then the slot is not used.
	RunNode(w *Walk, slot, begin, end, leaf int)
}

// Job is the one Job that all patterns use.
type Job struct {
	Grid     space.Grid
	halvings int  // of its leaves, see Divide
	apart    bool // the space knows that nothing is reduced
	Chunked  bool // the policy asks for a chunk
	watched  bool // it says which item runs
	kernel   Kernel
	about    About       // the kernel, see ask
	answered atomic.Bool // the kernel has said it
	Hint     space.Hints // what the space is told of the launch
	whole    NodeKernel  // the kernel, if it is one
	span     int         // see there
	Columns  []Column
	Later    Column // which the launch stores beside the columns, or nil
	Workers  int
	nodes    []slotNode // what each slot holds, see held; walks use further slots behind
	opened   int        // how often Open was called since the job was made
	depth    int        // slots that a walk needs besides its root
	Walks    []Walk     // where the workers are
	toStep   bool       // a device has asked for the steps, and has yet to open the job
	Stepped  bool       // a device takes the job's steps
	torn     bool       // a step has failed
	Opens    int        // how often Open was called
	Carries  bool       // nodes may leave the process: there is a fingerprint
	told     bool       // what has happened in other processes is known
	origin   string     // what others are told that this process is
	memo     any        // what the device keeps for the next pass
	ordered  bool       // lanes of a leaf had an order of their own
	laneAt   []int      // where the lanes of the leaf are, nil for their own places
	samples  samples    // of a launch that is watched

	Ending
	kept []Owner // what launches of the job have needed, see Take
}

// slotNode is the node that a slot holds, and the opening of the job since when it does: so that Open need not write to
// what workers have in their caches.
type slotNode struct {
	Node
	opened int
}

// hold notes the node that a slot holds.
func (j *Job) hold(slot int, n Node) { j.nodes[slot] = slotNode{n, j.opened} }

// held returns the node that a slot holds, none if that was before the job was opened last.
func (j *Job) held(slot int) Node {
	if s := &j.nodes[slot]; s.opened == j.opened {
		return s.Node
	}
	return Node{}
}

// All is the root of the reduction tree.
func (j *Job) All() Node { return Node{0, j.leaves()} }

// Hints implements [space.Hinter]. Nothing is to be remembered where a chunk was asked for or
// items do not share leaves: they may be few and heavy then.
func (j *Job) Hints() space.Hints {
	h := j.Hint
	if !j.Chunked && j.Grid.Leaf != 1 {
		h.Functor = j.ask().Key
	}
	return h
}

// CodeOf returns the address of a function's code, which tells functors apart.
func CodeOf(f any) uintptr { return reflect.ValueOf(f).Pointer() }

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
		if whole, ok := j.kernel.(NodeKernel); ok && !j.Stepped { // as all are that are watched
			j.whole, j.span = whole, whole.Span(j.divided())
		}
		return true
	})
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

// ready takes note of what a worker runs into a slot, or refuses it.
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

// walk reduces the node n into a slot, depth first, and uses further slots from
// stack on.
func (j *Job) walk(w *Walk, n Node, slot, stack int) bool {
	if leaves := n.Last - n.First; leaves == 1 || leaves <= j.span {
		if j.Past(n.First) || j.stopped() {
			return false
		}
		w.Node = n
		leaf := j.leaf()
		begin := n.First * leaf
		items := j.Grid.Items - begin
		if n.Last < j.leaves() { // all leaves, were the last one a whole one, may be more than an int can count
			items = leaves * leaf
		}
		switch {
		case leaves <= j.span:
			j.whole.RunNode(w, slot, begin, begin+items, leaf)
			if j.Past(n.First) { // no more than a part of it may have run
				return false
			}
		default:
			j.kernel.Run(w, begin, begin+items)
			for _, c := range j.Columns {
				c.End(w.Worker, slot, items)
			}
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

// joined takes note of a join and returns the node that two slots become, or refuses it.
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

// ask returns what may be asked of the kernel. Several workers may ask.
func (j *Job) ask() *About {
	if !j.answered.Load() {
		j.mu.Lock()
		defer j.mu.Unlock()
		if !j.answered.Load() {
			j.kernel.About(&j.about)
			j.answered.Store(true)
		}
	}
	return &j.about
}

// unask forgets what the kernel has said.
func (j *Job) unask() {
	if j.answered.Load() {
		j.about = About{}
		j.answered.Store(false)
	}
}

// samples are of the columns of a launch, nil where nothing was joined.
type samples []*laws.Sampler

// openWalks makes ready for that many workers. Walks of before are used again.
func (j *Job) openWalks(workers int) {
	if cap(j.Walks) < workers {
		j.Walks = make([]Walk, 0, workers)
	}
	for k := len(j.Walks); k < workers; k++ {
		j.Walks = j.Walks[:k+1]
		j.Walks[k].Worker, j.Walks[k].Ending = k, &j.Ending
	}
	for k := range workers { // a store writes to the caches of all
		if w := &j.Walks[k]; w.columns != len(j.Columns) {
			w.columns = len(j.Columns)
		}
	}
	if j.done != nil {
		for k := range workers {
			j.Walks[k].looks = looks{}
		}
	}
}
