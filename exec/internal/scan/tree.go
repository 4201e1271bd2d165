package scan

import (
	"runtime/debug"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
)

// A prefixTree finds the prefixes of the units of a scan from their sums, in whatever order
// these come.
type prefixTree[A any] struct {
	job   *launch.Job
	alone bool // there is one worker
	sweep tree.Sweep[A]

	width []int32 // of the node at each unit whose sum is known, in units; 0 where none is

	_       [launch.LineBytes]byte // between what all look at and what one at a time works on
	at      int                    // the node that has the last prefix that is known
	_       [launch.LineBytes]byte
	known   atomic.Int64 // units, from the first on, that have a prefix
	_       [launch.LineBytes]byte
	pending atomic.Int64 // calls of advance since nobody joined; above 0 for good once a join has failed
	_       [launch.LineBytes]byte
}

// Open readies the tree for the units of a job. Before the first of them comes the initial
// value of total.
func (t *prefixTree[A]) Open(j *launch.Job, units int, r reducers.Reducer[A], total *reduce.Slots[A]) {
	t.job, t.sweep.R, t.sweep.Run = j, r, reduce.RunOf(total)
	t.sweep.Sums = reuse.Resize(t.sweep.Sums[:0], units)
	t.sweep.Prefix = reuse.Resize(t.sweep.Prefix[:0], units)
	t.width = reuse.Resize(t.width[:0], units)
	clear(t.width)
	t.at = 0
	t.known.Store(0)
	t.pending.Store(0)
	if units > 0 {
		total.Seed(&t.sweep.Prefix[0])
	}
}

func (t *prefixTree[A]) Release(flat bool) {
	t.job = nil
	t.sweep.Release()
	t.sweep.Sums, t.sweep.Prefix = forget(t.sweep.Sums, flat), forget(t.sweep.Prefix, flat)
}

// sum sets the sum of a unit to what a worker joins for it, and reports whether it could: a
// join may panic. *at is what the worker is working on.
func (t *prefixTree[A]) sum(u int, w *scanWorker[A], sums []A, unit int, at *launch.Place) (ok bool) {
	defer t.joined(u, at, &ok)
	t.sweep.Sums[u] = w.sum(sums, unit)
	return true
}

// join is sum for any joins, of the units from u on.
func (t *prefixTree[A]) join(u int, at *launch.Place, f func()) (ok bool) {
	defer t.joined(u, at, &ok)
	f()
	return true
}

// joined is deferred by what joins what the units from u on have come to. A panic is one of all
// items, and comes behind all that go wrong in leaves.
func (t *prefixTree[A]) joined(u int, at *launch.Place, ok *bool) {
	if *ok {
		return
	}
	behind := t.job.Grid.Leaves + u
	if value := recover(); value != nil || !goexit.Runs() {
		t.job.Keep(behind, t.job.Panicked(&launch.Place{Node: t.job.All()}, value, debug.Stack()))
	} else { // runtime.Goexit, which goes on
		at.Node = launch.Node{First: behind}
	}
}

// advance takes note of the sums of units and joins what can be joined now. It returns how
// many units, from the first on, have a prefix. In whatever order units come, the joins are
// those of settle, in the same order, and so is a panic.
//
// Nobody waits: one worker joins at a time, and who comes meanwhile leaves its units to it.
func (t *prefixTree[A]) advance(n launch.Node, at *launch.Place) (known int) {
	for u := n.First; u < n.Last; u++ {
		if t.alone { // an atomic store would take ten times as long
			t.width[u] = 1
		} else {
			atomic.StoreInt32(&t.width[u], 1)
		}
	}
	if t.job.Carries || t.pending.Add(1) > 1 { // others want the sums of units as they are
		return int(t.known.Load())
	}
	if n.First == t.at && t.sweep.Run != nil { // as where one worker takes all, in their order
		t.through(min(n.Last, len(t.width)-1))
	}
	for {
		came := t.pending.Load()
		if !t.join(t.at, at, t.follow) {
			return int(t.known.Load()) // there are no prefixes beyond those
		}
		known = t.at + 1
		t.known.Store(int64(known))
		if t.pending.CompareAndSwap(came, 0) { // from here on others may join
			return known
		}
	}
}

// follow joins the prefixes that come behind those that are known.
func (t *prefixTree[A]) follow() {
	for w := t.widthAt(t.at); w > 0 && t.at+w < len(t.width); w = t.widthAt(t.at) {
		if w == 1 && t.sweep.Run != nil { // which does not panic halfway
			last := t.at + 1
			for last+1 < len(t.width) && t.widthAt(last) == 1 {
				last++
			}
			t.through(last)
			continue
		}
		t.sweep.After(t.at+w, w)
		t.at += w
	}
}

// follows is advance for units that come behind all that have come, where one worker takes them and no join panics.
func (t *prefixTree[A]) follows(n launch.Node) {
	t.width[n.Last-1] = 1
	t.through(min(n.Last, len(t.width)-1))
}

// through joins the prefixes up to that of a unit, by joins that do not panic: of all units before it the sum is known.
func (t *prefixTree[A]) through(last int) {
	t.sweep.Through(t.at+1, last+1)
	t.at = last
}

// settle joins the prefixes that are not known yet, and the sum of all the units.
func (t *prefixTree[A]) settle() {
	if len(t.width) > 0 {
		t.follow()
		t.sweep.Node(tree.CeilPow2(t.widthAt(t.at)), len(t.width))
	}
}

// widthAt returns the width of the node at a unit, 0 if its sum is not known.
func (t *prefixTree[A]) widthAt(u int) int { return int(atomic.LoadInt32(&t.width[u])) }
