package launch

import (
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/laws"
)

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

// divided returns the grid that the space runs.
func (j *Job) divided() space.Grid {
	g := j.Grid
	g.Leaf, g.Leaves = j.leaf(), j.leaves()
	return g
}

// leaf returns the number of items of a leaf that the space runs.
func (j *Job) leaf() int { return j.Grid.Leaf >> j.halvings }

// leaves returns the number of leaves that the space runs.
func (j *Job) leaves() int {
	if j.halvings == 0 {
		return j.Grid.Leaves
	}
	return (j.Grid.Items-1)/j.leaf() + 1
}

// ruled returns the leaves of the rule that share items with node n.
func (j *Job) ruled(n Node) Node { return Node{n.First >> j.halvings, (n.Last-1)>>j.halvings + 1} }

// Hints implements [space.Hinter]. It names no functor to remember if the policy asks for a chunk or leaves
// have one item: items may be few and heavy then.
func (j *Job) Hints() space.Hints {
	h := j.Hint
	if !j.Chunked && j.Grid.Leaf != 1 {
		h.Functor = j.kernel.Key()
	}
	return h
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
