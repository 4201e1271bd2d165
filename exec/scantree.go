package exec

import (
	"runtime/debug"
	"sync"

	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
)

// A prefixTree finds the prefixes of the units of a scan from their sums, in whatever order
// these come.
type prefixTree[A any] struct {
	job   *job
	sweep tree.Sweep[A]

	mu     sync.Mutex
	width  []int // of the node at each unit whose sum is known, in units; 0 where none is
	at     int   // the node that has the last prefix that is known
	torn   bool  // a join of units has panicked: there are no prefixes beyond those known
	fault  fault // what it panicked with
	unit   int   // the lowest unit in which a join has panicked, or their number
	inside fault // what that panicked with
}

// open readies the tree for the units of a job. Before the first of them comes the initial
// value of total.
func (t *prefixTree[A]) open(j *job, units int, r reducers.Reducer[A], total *reducers.Slots[A]) {
	t.job, t.sweep.R = j, r
	t.sweep.Sums = reuse.Resize(t.sweep.Sums[:0], units)
	t.sweep.Prefix = reuse.Resize(t.sweep.Prefix[:0], units)
	t.width = reuse.Resize(t.width[:0], units)
	clear(t.width)
	t.at, t.torn, t.fault = 0, false, fault{}
	t.unit, t.inside = units, fault{}
	if units > 0 {
		total.Seed(&t.sweep.Prefix[0])
	}
}

func (t *prefixTree[A]) release() {
	t.job = nil
	t.sweep.Release()
	t.sweep.Sums, t.sweep.Prefix = reuse.Wipe(t.sweep.Sums), reuse.Wipe(t.sweep.Prefix)
}

// sum sets the sum of a unit to what f joins for it, and reports whether it could: f may panic.
func (t *prefixTree[A]) sum(u int, f func() A) (ok bool) {
	defer func() {
		if ok {
			return
		}
		if value := recover(); value != nil { // nil is runtime.Goexit, which goes on
			t.mu.Lock()
			defer t.mu.Unlock()
			if u < t.unit {
				t.unit, t.inside = u, t.job.panicked(t.job.all(), value, debug.Stack())
			}
		}
	}()
	t.sweep.Sums[u] = f()
	return true
}

// failed returns what a join has panicked with: the lowest, which is known once all the units
// have run.
func (t *prefixTree[A]) failed() (fault, bool) {
	if t.torn {
		return t.fault, true
	}
	return t.inside, t.unit < len(t.width)
}

// advance takes note of the sums of units and joins what can be joined now. It returns how
// many units, from the first on, have a prefix. In whatever order units come, the joins are
// those of settle, in the same order, and so is a panic.
func (t *prefixTree[A]) advance(n node) (known int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for u := n.first; u < n.last; u++ {
		t.width[u] = 1
	}
	if t.torn || t.job.carries { // which wants the sums of units as they are
		return t.at + 1
	}
	t.torn = true
	defer func() {
		if !t.torn {
			return
		}
		if value := recover(); value != nil { // nil is runtime.Goexit, which goes on
			t.fault = t.job.panicked(t.job.all(), value, debug.Stack())
			known = t.at + 1
		}
	}()
	t.follow()
	t.torn = false
	return t.at + 1
}

// follow joins the prefixes that come behind those that are known.
func (t *prefixTree[A]) follow() {
	for w := t.width[t.at]; w > 0 && t.at+w < len(t.width); w = t.width[t.at] {
		t.sweep.After(t.at+w, w)
		t.at += w
	}
}

// settle joins the prefixes that are not known yet, and the sum of all the units.
func (t *prefixTree[A]) settle() {
	if len(t.width) > 0 {
		t.follow()
		t.sweep.Node(tree.CeilPow2(t.width[t.at]), len(t.width))
	}
}
