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
	// Run runs items begin to end-1, the leaf where the worker is, and joins them into the lanes of the
	// columns. It runs fewer items if the launch is cancelled.
	Run(w *Walk, begin, end int)
	// About fills a for this launch.
	About(a *About)
	// Key returns the address of the functor's code, or 0: spaces remember nothing of it then. It is not a part of
	// About, which takes 40 ns to fill, as Goroutines asks for it in each launch.
	Key() uintptr
	// Release drops all that the caller gave, so that the kernel may serve another launch.
	Release()
}

// A NodeKernel is a kernel that may run several leaves in one call.
type NodeKernel interface {
	// Span returns the most leaves that RunNode takes at once; 0: none.
	Span(g space.Grid) int
	// RunNode reduces items begin to end-1, the leaves of the worker's node, into a slot. A leaf has leaf
	// items. If a leaf panics, the worker is then at that leaf. Leaves past a fault need not run, and then
	// the slot is not used.
	RunNode(w *Walk, slot, begin, end, leaf int)
}

// Job implements [space.Job] for all patterns.
type Job struct {
	Grid     space.Grid
	halvings int  // how often Divide has halved the leaves
	apart    bool // the space knows from Divide that nothing is reduced
	Chunked  bool // the policy asks for a chunk
	watched  bool // the functor reports which item runs
	kernel   Kernel
	about    About       // answers of the kernel, see ask
	answered atomic.Bool // about is filled
	Hint     space.Hints // hints for the space
	whole    NodeKernel  // the kernel, if it is a NodeKernel
	span     int         // leaves that RunNode takes in one call; 0: leaf by leaf
	Columns  []Column
	Later    Column // stored by a scan beside the columns; nil: none
	Workers  int
	nodes    []slotNode // by slot, the node in it, see held; walks use the slots behind
	opened   int        // calls of Open since the job was made
	depth    int        // slots that one walk needs besides its root's
	Walks    []Walk     // by worker
	toStep   bool       // Steps was called: the next Open is for steps
	Stepped  bool       // a device runs the job in steps
	torn     bool       // a step has failed
	Opens    int        // calls of Open in this launch, or in its second pass
	Carries  bool       // nodes may leave the process: AppendFingerprint was called
	told     bool       // SetFault was called: faults of other processes are known
	origin   string     // name of this process for others; "": none
	memo     any        // kept by a device for the next pass
	ordered  bool       // Schedule has given lanes an order
	laneAt   []int      // by lane, its place in the leaf; nil: its own
	samples  samples    // of a watched launch

	Ending
	kept []Owner // what launches of the job have needed, see Keep
}

// slotNode is the node in a slot, and the opening that put it there. So Open need not write to memory that
// workers have in their caches.
type slotNode struct {
	Node
	opened int
}

// hold notes the node in a slot.
func (j *Job) hold(slot int, n Node) { j.nodes[slot] = slotNode{n, j.opened} }

// held returns the node in a slot, or none if it is from before the last Open.
func (j *Job) held(slot int) Node {
	if s := &j.nodes[slot]; s.opened == j.opened {
		return s.Node
	}
	return Node{}
}

// All returns the root of the reduction tree.
func (j *Job) All() Node { return Node{0, j.leaves()} }

// Hints implements [space.Hinter]. It names no functor to remember if the policy asks for a chunk or leaves
// have one item: items may be few and heavy then.
func (j *Job) Hints() space.Hints {
	h := j.Hint
	if !j.Chunked && j.Grid.Leaf != 1 {
		h.Functor = j.kernel.Key()
	}
	return h
}

// CodeOf returns the address of a function's code, which identifies a functor.
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
		if whole, ok := j.kernel.(NodeKernel); ok && !j.Stepped { // a watched job is stepped
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
		switch {
		case leaves <= j.span:
			j.whole.RunNode(w, slot, begin, begin+items, leaf)
			if j.Past(n.First) { // perhaps it has run in part only
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

// ask returns what the kernel answers, and asks it the first time. Several workers may call ask at once.
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

// unask forgets what the kernel has answered.
func (j *Job) unask() {
	if j.answered.Load() {
		j.about = About{}
		j.answered.Store(false)
	}
}

// samples are the samplers by column, nil if nothing was joined in it.
type samples []*laws.Sampler

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
