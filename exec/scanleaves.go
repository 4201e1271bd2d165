package exec

import (
	"bytes"
	"fmt"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/internal/workers"
)

// What follows is the kernel of a scan: what it does with leaves.

func (s *scan[A]) run(w *walk, begin, end int) {
	s.runNode(w, 0, begin, end, s.job.grid.Leaf)
}

func (s *scan[A]) span(g space.Grid) int {
	switch {
	case s.unit > 1: // a node is of one unit
		return s.unit
	case s.fused && !s.job.chunked: // items are few and light: many short leaves cost little
		return max(s.group, tree.FloorPow2(scanItems/g.Leaf))
	}
	return s.group
}

// runNode learns the contributions of the leaves of a node, or of its unit.
func (s *scan[A]) runNode(at *walk, _, begin, end, leaf int) {
	n := nodeOf(begin, end, leaf)
	if s.unit > 1 {
		var mine bool
		if n, mine = s.takeUnit(n, 0); !mine {
			return
		}
	}
	if s.straight && n.first == s.tree.at {
		s.runStraight(at, n)
		return
	}
	w := &s.workers[at.worker]
	sums := w.sums.of(n.last - n.first)
	s.learn(at, n, sums)
	at.node = n
	if units, ok := s.settle(w, n, sums, at); ok {
		known := s.tree.advance(units, &at.place)
		switch {
		case s.late:
			w.wait(n, sums, s.unit)
		case s.fused:
			s.finishKnown(at, n, sums, known)
		}
	}
	clear(sums)
}

// runStraight is runNode where one worker has run all leaves before, and neither the policy nor a join panics.
func (s *scan[A]) runStraight(w *walk, n node) {
	sums := s.tree.sweep.Sums[n.first:n.last]
	s.total.Identities(sums)
	s.runLeaves(w, n, sums, false)
	s.tree.follows(n)
	accs := s.workers[w.worker].accs.of(len(sums))
	copy(accs, s.tree.sweep.Prefix[n.first:n.last])
	s.runLeaves(w, n, accs, true)
	s.finished(n)
}

// takeUnit returns the leaves of the unit that n is in. It is a worker's for a pass, 0 for
// sums and 1 for results, if no other node of the unit has been run in that pass.
func (s *scan[A]) takeUnit(n node, pass uint32) (unit node, mine bool) {
	first := n.first &^ (s.unit - 1)
	mine = atomic.CompareAndSwapUint32(&s.taken[first/s.unit], pass, pass+1)
	return node{first, min(first+s.unit, s.job.grid.Leaves)}, mine
}

// learn learns the contributions of leaves, which go to sums.
func (s *scan[A]) learn(w *walk, n node, sums []A) {
	step := s.stepOf(n)
	for first := n.first; first < n.last; first += step {
		next := node{first, min(first+step, n.last)}
		accs := sums[first-n.first : next.last-n.first]
		s.total.Identities(accs)
		s.runLeaves(w, next, accs, false)
	}
}

// settle gives the tree the sums of leaves, and returns the units that they are. It is not ok
// if a join has panicked.
func (s *scan[A]) settle(w *scanWorker[A], n node, sums []A, at *walk) (units node, ok bool) {
	if s.unit == 1 {
		copy(s.tree.sweep.Sums[n.first:], sums)
		return n, true
	}
	u := n.first / s.unit
	return node{u, u + 1}, s.tree.sum(u, w, sums, s.unit, &at.place)
}

// finishKnown computes the results of leaves whose sums are known, and of those that wait,
// as far as their prefixes are known, too.
func (s *scan[A]) finishKnown(at *walk, n node, sums []A, known int) {
	w := &s.workers[at.worker]
	s.finishWaiting(at, known)
	switch {
	case n.last <= known*s.unit:
		s.results(at, n, sums)
	case s.unit == 1 || len(w.waiting)-w.head < maxWaiting: // else it is left
		w.wait(n, sums, s.unit)
	}
}

// finishWaiting computes the results of the leaves that wait, as far as their prefixes are
// known.
func (s *scan[A]) finishWaiting(at *walk, known int) {
	w := &s.workers[at.worker]
	for w.waits() {
		next := w.first()
		if next.last > known*s.unit {
			return
		}
		s.results(at, next.node, w.sumsOf(next))
		w.drop()
	}
}

// finishLast is what a worker does that finds no more leaves: it computes the results of those
// that it has run. It waits for their prefixes as long as another launch would take to begin,
// and leaves them to that then: who is to learn the sums before them may have lost its
// processor, or wait for this worker.
func (s *scan[A]) finishLast(worker int) {
	if opened := s.job.workers; uint(worker) >= uint(opened) {
		s.job.refuse(fmt.Errorf("exec: the space called AtEnd for worker %d, having opened %d workers", worker, opened))
		return
	}
	w := &s.workers[worker]
	for w.waits() {
		last, known := w.first().last, 0
		workers.Spin(func() bool {
			known = int(s.tree.known.Load())
			return known*s.unit < last && !s.job.failed.Load()
		})
		if known*s.unit < last {
			return
		}
		s.finishWaiting(&s.job.walks[worker], known)
	}
}

// results computes the results of leaves whose prefixes are known, unless the launch fails
// anyway. A panic is one of the launch for results: it gives way to any of the others.
func (s *scan[A]) results(w *walk, n node, sums []A) {
	if s.job.failed.Load() || s.job.Cancelled() || s.wrong.past(n.first) {
		return
	}
	was := w.place
	defer func() { w.place = was }() // also where the functor ends its goroutine
	w.at(n)
	s.job.guardFor(&s.wrong, &w.place, func() bool { s.finish(w, n, sums); return true })
	s.finished(n)
}

// finished takes note that leaves have run for their results.
func (s *scan[A]) finished(n node) {
	done := s.done[n.first/s.unit : (n.last+s.unit-1)/s.unit]
	for u := range done {
		done[u] = 1
	}
}

// finish runs the items of leaves from their prefixes. Of leaves that share a unit, it learns
// the sums anew where there are none.
func (s *scan[A]) finish(at *walk, n node, sums []A) {
	w := &s.workers[at.worker]
	prefixes := s.tree.sweep.Prefix
	if s.unit == 1 {
		prefixes = prefixes[n.first:]
	} else {
		if sums == nil {
			sums = w.sums.of(n.last - n.first)
			s.learn(at, n, sums)
			defer clear(sums) // they are in the prefixes now
		}
		at.node = n
		prefixes = w.prefixes(&prefixes[n.first/s.unit], sums)
	}
	step := s.stepOf(n)
	for first := n.first; first < n.last; first += step {
		next := node{first, min(first+step, n.last)}
		accs := w.accs.of(next.last - first)
		copy(accs, prefixes[first-n.first:])
		s.runLeaves(at, next, accs, true)
		clear(accs)
	}
}

// left reports whether there are leaves that have not run for their results, or a panic
// among those that have.
func (s *scan[A]) left() bool { return s.wrong.failed.Load() || bytes.IndexByte(s.done, 0) >= 0 }

// scanResults is the kernel that computes the results of the leaves that have none.
type scanResults[A any] struct{ *scan[A] }

func (k *scanResults[A]) about(a *about) {
	k.scan.about(a)
	a.key, a.nodes = 0, k
	a.pass.Before, a.pass.Kernel = "scan: offsets", "scan: results"
}

func (k *scanResults[A]) open(workers int, g space.Grid) {
	k.items.open(workers, g)
	k.openWorkers(workers)
}

func (k *scanResults[A]) run(w *walk, begin, end int) {
	k.runNode(w, 0, begin, end, k.job.grid.Leaf)
}

func (k *scanResults[A]) runNode(w *walk, _, begin, end, leaf int) {
	n := nodeOf(begin, end, leaf)
	if k.unit > 1 {
		if n, mine := k.takeUnit(n, 1); mine && k.done[n.first/k.unit] == 0 {
			k.finish(w, n, nil)
		}
		return
	}
	for n.first < n.last { // some may be done: the space may have run other nodes before
		next := node{n.first, n.first + 1}
		for next.last < n.last && k.done[next.last] == k.done[next.first] {
			next.last++
		}
		if k.done[next.first] == 0 {
			k.finish(w, next, nil)
		}
		n.first = next.last
	}
}
