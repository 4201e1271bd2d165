package scan

import (
	"bytes"
	"fmt"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/internal/workers"
)

// This file has the methods of scan and scanResults that run leaves.

func (s *scan[A]) Span(g space.Grid) int {
	switch {
	case s.unit > 1: // a node is of one unit
		return s.unit
	case s.fused && !s.job.Chunked: // items are few and light: many short leaves cost little
		return max(s.group, tree.FloorPow2(launch.ScanItems/g.Leaf))
	}
	return s.group
}

// RunNode computes the sums of the leaves of a node, or of its unit. If the scan is fused and not late,
// it also computes the results whose prefixes are known.
func (s *scan[A]) RunNode(at *launch.Walk, _, begin, end, leaf int) {
	n := nodeOf(begin, end, leaf)
	if s.accepted.Load() {
		panic(launch.Breach("exec: the space ran leaves %d to %d of a scan whose sum it has handed in, expected one or the other", n.First, n.Last-1))
	}
	if s.unit > 1 {
		var mine bool
		if n, mine = s.takeUnit(n, 0); !mine {
			return
		}
	}
	if s.straight && n.First == s.tree.at {
		s.runStraight(at, n)
		return
	}
	w := &s.workers[at.Worker]
	sums := w.sums.of(n.Last - n.First)
	s.learn(at, n, sums)
	at.Node = n
	if units, ok := s.settle(w, n, sums, at); ok {
		known := s.tree.advance(units, &at.Place)
		switch {
		case s.late:
			w.wait(n, sums, s.unit)
		case s.fused:
			s.finishKnown(at, n, sums, known)
		}
	}
	clear(sums)
}

// runStraight is RunNode for a worker that has run all leaves before n, if neither the policy nor a join
// panics.
func (s *scan[A]) runStraight(w *launch.Walk, n launch.Node) {
	sums := s.tree.sweep.Sums[n.First:n.Last]
	s.total.Identities(sums)
	s.runLeaves(w, n, sums, false)
	s.tree.follows(n)
	accs := s.workers[w.Worker].accs.of(len(sums))
	copy(accs, s.tree.sweep.Prefix[n.First:n.Last])
	s.runLeaves(w, n, accs, true)
	s.finished(n)
}

// takeUnit returns the leaves of the unit that n is in. mine reports whether no other node of the unit
// has been run in this pass: 0 for sums, 1 for results.
func (s *scan[A]) takeUnit(n launch.Node, pass uint32) (unit launch.Node, mine bool) {
	first := n.First &^ (s.unit - 1)
	mine = atomic.CompareAndSwapUint32(&s.taken[first/s.unit], pass, pass+1)
	return launch.Node{First: first, Last: min(first+s.unit, s.job.Grid.Leaves)}, mine
}

// learn computes the contributions of leaves into sums.
func (s *scan[A]) learn(w *launch.Walk, n launch.Node, sums []A) {
	step := s.stepOf(n)
	for first := n.First; first < n.Last; first += step {
		next := launch.Node{First: first, Last: min(first+step, n.Last)}
		accs := sums[first-n.First : next.Last-n.First]
		s.total.Identities(accs)
		s.runLeaves(w, next, accs, false)
	}
}

// settle gives the tree the sums of leaves, and returns the leaves as units. ok is false if a join has
// panicked.
func (s *scan[A]) settle(w *scanWorker[A], n launch.Node, sums []A, at *launch.Walk) (units launch.Node, ok bool) {
	if s.unit == 1 {
		copy(s.tree.sweep.Sums[n.First:], sums)
		return n, true
	}
	u := n.First / s.unit
	return launch.Leaf(u), s.tree.sum(u, w, sums, s.unit, &at.Place)
}

// finishKnown computes the results of waiting leaves, and then of the leaves n, as far as the first
// known units have prefixes. If n has none yet, it waits, or is left to another launch if too many units
// wait.
func (s *scan[A]) finishKnown(at *launch.Walk, n launch.Node, sums []A, known int) {
	w := &s.workers[at.Worker]
	s.finishWaiting(at, known)
	switch {
	case n.Last <= known*s.unit:
		s.results(at, n, sums)
	case s.unit == 1 || len(w.waiting)-w.head < launch.MaxWaiting: // else it is left
		w.wait(n, sums, s.unit)
	}
}

// finishWaiting computes the results of the waiting leaves whose units are among the first known ones.
func (s *scan[A]) finishWaiting(at *launch.Walk, known int) {
	w := &s.workers[at.Worker]
	for w.waits() {
		next := w.first()
		if next.Last > known*s.unit {
			return
		}
		s.results(at, next.Node, w.sumsOf(next))
		w.drop()
	}
}

// finishLast computes the results that a worker still owes when it finds no more leaves. It waits for
// prefixes as long as another launch would take to begin, and then leaves the results to that launch. A
// longer wait may be in vain: the worker that has to compute an earlier sum may have lost its processor,
// or wait for this worker.
func (s *scan[A]) finishLast(worker int) {
	if opened := s.job.Workers; uint(worker) >= uint(opened) {
		s.job.Refuse(fmt.Errorf("exec: the space called AtEnd for worker %d, having opened %d workers", worker, opened))
		return
	}
	w := &s.workers[worker]
	for w.waits() {
		last, known := w.first().Last, 0
		workers.Spin(func() bool {
			known = int(s.tree.known.Load())
			return known*s.unit < last && !s.job.Failed.Load()
		})
		if known*s.unit < last {
			return
		}
		s.finishWaiting(&s.job.Walks[worker], known)
	}
}

// results computes the results of leaves whose prefixes are known, unless the launch fails or is
// cancelled. A panic counts as a panic of the launch for results: any fault of the launch for sums comes
// before it.
func (s *scan[A]) results(w *launch.Walk, n launch.Node, sums []A) {
	if s.job.Failed.Load() || s.job.Cancelled() || s.wrong.Past(n.First) {
		return
	}
	was := w.Place
	defer func() { w.Place = was }() // also where the functor ends its goroutine
	w.At(n)
	s.job.GuardFor(&s.wrong, &w.Place, func() bool { s.finish(w, n, sums); return true })
	s.finished(n)
}

// finished records that the results of leaves are computed.
func (s *scan[A]) finished(n launch.Node) {
	done := s.done[n.First/s.unit : (n.Last+s.unit-1)/s.unit]
	for u := range done {
		done[u] = 1
	}
}

// finish runs the items of leaves from their prefixes. If leaves share a unit and sums is nil, it
// computes their sums again.
func (s *scan[A]) finish(at *launch.Walk, n launch.Node, sums []A) {
	w := &s.workers[at.Worker]
	prefixes := s.tree.sweep.Prefix
	if s.unit == 1 {
		prefixes = prefixes[n.First:]
	} else {
		if sums == nil {
			sums = w.sums.of(n.Last - n.First)
			s.learn(at, n, sums)
			defer clear(sums) // they are in the prefixes now
		}
		at.Node = n
		prefixes = w.prefixes(&prefixes[n.First/s.unit], sums)
	}
	step := s.stepOf(n)
	for first := n.First; first < n.Last; first += step {
		next := launch.Node{First: first, Last: min(first+step, n.Last)}
		accs := w.accs.of(next.Last - first)
		copy(accs, prefixes[first-n.First:])
		s.runLeaves(at, next, accs, true)
		clear(accs)
	}
}

// left reports whether some leaves lack results, or a panic occurred in computing results.
func (s *scan[A]) left() bool { return s.wrong.Failed.Load() || bytes.IndexByte(s.done, 0) >= 0 }

func (k *scanResults[A]) Key() uintptr { return 0 }

func (k *scanResults[A]) About(a *launch.About) {
	k.scan.About(a)
	a.Nodes = k
	a.Before, a.Kernel = "scan: offsets", "scan: results"
}

func (k *scanResults[A]) Open(workers int, g space.Grid) {
	k.Items.Open(workers, g)
	k.openWorkers(workers)
}

func (k *scanResults[A]) RunNode(w *launch.Walk, _, begin, end, leaf int) {
	n := nodeOf(begin, end, leaf)
	if k.unit > 1 {
		if n, mine := k.takeUnit(n, 1); mine && k.done[n.First/k.unit] == 0 {
			k.finish(w, n, nil)
		}
		return
	}
	for n.First < n.Last { // some may be done: the space may have run other nodes before
		next := launch.Leaf(n.First)
		for next.Last < n.Last && k.done[next.Last] == k.done[next.First] {
			next.Last++
		}
		if k.done[next.First] == 0 {
			k.finish(w, next, nil)
		}
		n.First = next.Last
	}
}
