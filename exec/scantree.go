package exec

import (
	"runtime/debug"
	"sync"

	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
)

// A prefixTree finds the prefixes of the leaves of a scan from their sums, in whatever order
// these come.
type prefixTree[A any] struct {
	job   *job
	sweep tree.Sweep[A]

	mu     sync.Mutex
	summed []bool // leaves whose sum is known
	known  int    // leaves, from the first on, whose prefix is known
	torn   bool   // a join has panicked: there are no prefixes beyond those known
	fault  fault  // what it panicked with
}

// open readies the tree for the leaves of a job. Before the first of them comes the initial
// value of total.
func (t *prefixTree[A]) open(j *job, r reducers.Reducer[A], total *reducers.Slots[A]) {
	leaves := j.grid.Leaves
	t.job, t.sweep.R = j, r
	t.sweep.Sums = reuse.Resize(t.sweep.Sums[:0], leaves)
	t.sweep.Prefix = reuse.Resize(t.sweep.Prefix[:0], leaves)
	t.summed = reuse.Resize(t.summed[:0], leaves)
	clear(t.summed)
	t.known, t.torn, t.fault = 0, false, fault{}
	if leaves > 0 {
		total.Seed(&t.sweep.Prefix[0])
		t.known = 1
	}
}

func (t *prefixTree[A]) release() {
	t.job = nil
	t.sweep.Release()
	t.sweep.Sums, t.sweep.Prefix = reuse.Wipe(t.sweep.Sums), reuse.Wipe(t.sweep.Prefix)
}

// advance takes note of the sums of leaves and joins what can be joined now. It returns how
// many leaves, from the first on, have a prefix. In whatever order leaves come, the joins are
// those of settle, in the same order, and so is a panic.
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
	for t.known < len(t.summed) && t.summed[t.known-1] {
		t.sweep.Next(t.known)
		t.known++
	}
	t.torn = false
	return t.known
}

// settle joins the prefixes that are not known yet, and the sum of all the leaves.
func (t *prefixTree[A]) settle() {
	for ; t.known < len(t.summed); t.known++ {
		t.sweep.Next(t.known)
	}
	t.sweep.Total()
}
