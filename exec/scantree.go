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

	mu    sync.Mutex
	width []int // of the node at each unit whose sum is known, in units; 0 where none is
	at    int   // the node that has the last prefix that is known
	torn  bool  // a join of units has failed: there are no prefixes beyond those known
}

// open readies the tree for the units of a job. Before the first of them comes the initial
// value of total.
func (t *prefixTree[A]) open(j *job, units int, r reducers.Reducer[A], total *reducers.Slots[A]) {
	t.job, t.sweep.R = j, r
	t.sweep.Sums = reuse.Resize(t.sweep.Sums[:0], units)
	t.sweep.Prefix = reuse.Resize(t.sweep.Prefix[:0], units)
	t.width = reuse.Resize(t.width[:0], units)
	clear(t.width)
	t.at, t.torn = 0, false
	if units > 0 {
		total.Seed(&t.sweep.Prefix[0])
	}
}

func (t *prefixTree[A]) release() {
	t.job = nil
	t.sweep.Release()
	t.sweep.Sums, t.sweep.Prefix = reuse.Wipe(t.sweep.Sums), reuse.Wipe(t.sweep.Prefix)
}

// join calls f, which joins what the units from u on have come to, and reports whether it
// returned. A panic is one of all items, and comes behind all that go wrong in leaves. *at is
// what the worker is working on.
func (t *prefixTree[A]) join(u int, at *node, f func()) (ok bool) {
	behind := node{first: t.job.grid.Leaves + u}
	defer func() {
		if ok {
			return
		}
		if value := recover(); value != nil {
			t.job.keep(behind, t.job.panicked(t.job.all(), value, debug.Stack()))
		} else { // runtime.Goexit, which goes on
			*at = behind
		}
	}()
	f()
	return true
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
	t.torn = !t.join(t.at, at, t.follow)
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
