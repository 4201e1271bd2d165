package exec

import (
	"math/bits"
	"runtime/debug"
	"sync"

	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/reducers"
)

// A prefixTree joins the sums of the leaves of a scan, in whatever order they come, to those
// of the nodes above, and these to the prefixes of the leaves.
type prefixTree[A any] struct {
	job    *job
	r      reducers.Reducer[A]
	leaves int

	mu     sync.Mutex
	summed []bool  // leaves whose sum is known
	known  int     // leaves, from the first on, whose prefix is known
	torn   bool    // a join has panicked: what is left is for settle
	fault  fault   // what it panicked with
	levels []level // of the tree, that of the leaves first
	sums   []A     // of the nodes, level by level
	prefix []A     // what comes before each leaf
}

// level is the nodes of one height.
type level struct {
	first int // where their sums begin
	nodes int
	known int // nodes, from the first on, whose sum is known; not kept for leaves
}

// open readies the tree for the leaves of a job. Before the first of them comes the initial
// value of total.
func (t *prefixTree[A]) open(j *job, r reducers.Reducer[A], total *reducers.Slots[A]) {
	t.job, t.r, t.leaves = j, r, j.grid.Leaves
	t.levels = t.levels[:0]
	size := 0
	for nodes := t.leaves; nodes > 0; nodes = (nodes + 1) / 2 {
		t.levels = append(t.levels, level{first: size, nodes: nodes})
		if size += nodes; nodes == 1 {
			break
		}
	}
	t.sums = reuse.Resize(t.sums[:0], size)
	t.prefix = reuse.Resize(t.prefix[:0], t.leaves)
	t.summed = reuse.Resize(t.summed[:0], t.leaves)
	clear(t.summed)
	t.known, t.torn, t.fault = 0, false, fault{}
	if t.leaves > 0 {
		total.Seed(&t.prefix[0])
		t.known = 1
	}
}

func (t *prefixTree[A]) release() {
	t.job, t.r = nil, nil
	t.sums, t.prefix = reuse.Wipe(t.sums), reuse.Wipe(t.prefix)
}

// total returns the sum of all the leaves.
func (t *prefixTree[A]) total() *A { return &t.sums[len(t.sums)-1] }

// advance takes note of the sums of leaves and joins what can be joined now. It returns how
// many leaves, from the first on, have a prefix.
func (t *prefixTree[A]) advance(n node) (known int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for leaf := n.first; leaf < n.last; leaf++ {
		t.summed[leaf] = true
	}
	if t.torn {
		return t.known
	}
	t.torn = true
	defer func() {
		if !t.torn {
			return
		}
		if value := recover(); value != nil { // nil is runtime.Goexit, which goes on
			t.fault = t.job.panicked(t.job.all(), value, debug.Stack())
			known = t.known
		}
	}()
	for t.known < t.leaves && t.summed[t.known-1] {
		// The leaf before completes a node of each height up to that of the subtree
		// that ends with it, and this subtree's left sibling has a prefix.
		height := bits.TrailingZeros(uint(t.known))
		for h := 1; h <= height; h++ {
			t.joinSum(h, t.known>>h-1)
		}
		t.joinPrefix(height, t.known>>height)
		t.known++
	}
	t.torn = false
	return t.known
}

// joinSum joins the sum of node k of height h, unless it is known.
func (t *prefixTree[A]) joinSum(h, k int) {
	at, below := &t.levels[h], t.levels[h-1]
	if k < at.known {
		return
	}
	sum := &t.sums[at.first+k]
	t.r.Init(sum)
	t.r.Join(sum, &t.sums[below.first+2*k])
	if 2*k+1 < below.nodes {
		t.r.Join(sum, &t.sums[below.first+2*k+1])
	}
	at.known = k + 1
}

// joinPrefix joins the prefix of the right child k of height h. A node's prefix is kept
// with its first leaf, so that a left child has its parent's already.
func (t *prefixTree[A]) joinPrefix(h, k int) {
	p := &t.prefix[k<<h]
	t.r.Init(p)
	t.r.Join(p, &t.prefix[(k-1)<<h])
	t.r.Join(p, &t.sums[t.levels[h].first+k-1])
}

// settle joins the sums of the leaves up the tree and the prefixes down it, as far as
// this was not done before. The order is the same on all spaces, and so is a panic.
func (t *prefixTree[A]) settle() {
	top := len(t.levels) - 1
	for h := 1; h <= top; h++ {
		for k := range t.levels[h].nodes {
			t.joinSum(h, k)
		}
	}
	for h := top - 1; h >= 0; h-- {
		for k := 1; k < t.levels[h].nodes; k += 2 {
			if k<<h >= t.known {
				t.joinPrefix(h, k)
			}
		}
	}
}
