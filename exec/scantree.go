package exec

import (
	"runtime/debug"
	"sync/atomic"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/internal/workers"
	"github.com/gokkos/gokkos/reducers"
)

// A prefixTree finds the prefixes of the units of a scan from their sums, in whatever order
// these come.
type prefixTree[A any] struct {
	job   *job
	sweep tree.Sweep[A]

	known atomic.Int64  // units, from the first on, that have a prefix
	mu    workers.Mutex // held for a few joins
	width []int         // of the node at each unit whose sum is known, in units; 0 where none is
	at    int           // the node that has the last prefix that is known
	torn  bool          // a join of units has failed: there are no prefixes beyond those known
}

// open readies the tree for the units of a job. Before the first of them comes the initial
// value of total.
func (t *prefixTree[A]) open(j *job, units int, r reducers.Reducer[A], total *reduce.Slots[A]) {
	t.job, t.sweep.R = j, r
	t.sweep.Sums = reuse.Resize(t.sweep.Sums[:0], units)
	t.sweep.Prefix = reuse.Resize(t.sweep.Prefix[:0], units)
	t.width = reuse.Resize(t.width[:0], units)
	clear(t.width)
	t.at, t.torn = 0, false
	t.known.Store(0)
	if units > 0 {
		total.Seed(&t.sweep.Prefix[0])
	}
}

func (t *prefixTree[A]) release() {
	t.job = nil
	t.sweep.Release()
	t.sweep.Sums, t.sweep.Prefix = reuse.Wipe(t.sweep.Sums), reuse.Wipe(t.sweep.Prefix)
}

// sum sets the sum of a unit to what a worker joins for it, and reports whether it could: a
// join may panic. *at is what the worker is working on.
func (t *prefixTree[A]) sum(u int, w *scanWorker[A], sums []A, unit int, at *node) (ok bool) {
	defer t.joined(u, at, &ok)
	t.sweep.Sums[u] = w.sum(sums, unit)
	return true
}

// join is sum for any joins, of the units from u on.
func (t *prefixTree[A]) join(u int, at *node, f func()) (ok bool) {
	defer t.joined(u, at, &ok)
	f()
	return true
}

// joined is deferred by what joins what the units from u on have come to. A panic is one of all
// items, and comes behind all that go wrong in leaves.
func (t *prefixTree[A]) joined(u int, at *node, ok *bool) {
	if *ok {
		return
	}
	behind := node{first: t.job.grid.Leaves + u}
	if value := recover(); value != nil {
		t.job.keep(behind, t.job.panicked(t.job.all(), value, debug.Stack()))
	} else { // runtime.Goexit, which goes on
		*at = behind
	}
}

// advance takes note of the sums of units and joins what can be joined now. It returns how
// many units, from the first on, have a prefix. In whatever order units come, the joins are
// those of settle, in the same order, and so is a panic.
func (t *prefixTree[A]) advance(n node, at *node) (known int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for u := n.first; u < n.last; u++ {
		t.width[u] = 1
	}
	if t.torn || t.job.carries { // which wants the sums of units as they are
		return t.at + 1
	}
	t.torn = true // unless all goes well
	if t.torn = !t.join(t.at, at, t.follow); !t.torn {
		t.known.Store(int64(t.at + 1))
	}
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
