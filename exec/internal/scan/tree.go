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

// A prefixTree computes the prefixes of the units of a scan from their sums, in any order of arrival.
type prefixTree[A any] struct {
	job   *launch.Job
	alone bool // there is one worker
	sweep tree.Sweep[A]

	width []int32 // units of the node at each unit whose sum is known; 0: not known

	_       [launch.LineBytes]byte // between what all look at and what one at a time works on
	at      int                    // first unit of the node with the last known prefix
	_       [launch.LineBytes]byte
	known   atomic.Int64 // number of units, from the first on, that have a prefix
	_       [launch.LineBytes]byte
	pending atomic.Int64 // calls of advance that no worker has handled; stays above 0 once a join has failed
	_       [launch.LineBytes]byte
}

// Open prepares the tree for the units of a job. The prefix of the first unit is the initial value of
// total.
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

// sum sets the sum of a unit to the joined sums of its leaves, and reports whether no join panicked. *at
// is the place of the worker.
func (t *prefixTree[A]) sum(u int, w *scanWorker[A], sums []A, unit int, at *launch.Place) (ok bool) {
	defer t.joined(u, at, &ok)
	t.sweep.Sums[u] = w.sum(sums, unit)
	return true
}

// join calls f, which joins sums of the units from u on, and reports whether no join panicked.
func (t *prefixTree[A]) join(u int, at *launch.Place, f func()) (ok bool) {
	defer t.joined(u, at, &ok)
	f()
	return true
}

// joined is deferred around joins of the units from u on. It keeps a panic as a fault of all items,
// behind the faults of all leaves.
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

// advance records that the sums of the units n are known, and joins all prefixes that can be joined now.
// It returns how many units, from the first on, have a prefix. If sums may leave the process, it joins
// nothing.
//
// In whatever order units come, advance makes the joins of settle, in the same order, so that a panic is
// the same, too. No worker waits: one worker joins at a time, and workers that come meanwhile leave
// their units to it.
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

// follow joins the prefixes behind the last known one, as far as the sums are known.
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

// follows is advance for units behind all units that have come, if one worker takes them and no join
// panics.
func (t *prefixTree[A]) follows(n launch.Node) {
	t.width[n.Last-1] = 1
	t.through(min(n.Last, len(t.width)-1))
}

// through joins the prefixes up to the prefix of unit last, by joins that do not panic. The sums of all
// units before last must be known.
func (t *prefixTree[A]) through(last int) {
	t.sweep.Through(t.at+1, last+1)
	t.at = last
}

// settle joins the prefixes that are not known yet, and the sum of all units.
func (t *prefixTree[A]) settle() {
	if len(t.width) > 0 {
		t.follow()
		t.sweep.Node(tree.CeilPow2(t.widthAt(t.at)), len(t.width))
	}
}

// widthAt returns the width of the node at a unit, 0 if its sum is not known.
func (t *prefixTree[A]) widthAt(u int) int { return int(atomic.LoadInt32(&t.width[u])) }
