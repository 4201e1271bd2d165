package exec

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/reducers"
)

// ParallelScan computes prefix reductions. It calls f for every index of p with
// the accumulator of all the items before it; f must join its own contribution
// into *acc. Where f reads *acc decides the kind of scan: before the join it is
// the exclusive prefix, after it the inclusive one.
//
//	func(i int, acc *float64, final bool) {
//		if final {
//			exclusive[i] = *acc
//		}
//		*acc += x[i]
//	}
//
// For each item f is called once with final true, and before that possibly with
// final false to learn the contributions; it must contribute the same both
// times, and write its results only when final is true. Some items may be final before
// the contributions of others are learned: a result must not be written where another
// item's contribution is read. Items of several leaves may take turns on one worker, on
// Serial too. The first exclusive prefix is the identity, or the initial
// value with [reducers.WithInitial].
//
// The total of all items goes through Final to r's result place. Final is not
// applied to the prefixes.
//
// Cost: a leaf's results are computed while what it has read is in cache, as soon as all
// that comes before it is known. Up to three partial results are kept for each leaf, of
// which there are at most 4096.
//
// A reducer whose traits say Once is an error: f contributes twice.
//
// Order: a leaf's prefix is joined down the tree of [ParallelReduce]; inside a
// leaf the items are joined in their order, in one lane. Errors and panics are
// those of ParallelReduce; f may by then have been called with final true.
func ParallelScan[Index, A any, P Policy[Index]](p P, f func(i Index, acc *A, final bool), r reducers.Reducer[A]) error {
	if f == nil {
		return errNilFunctor
	}
	plan := planOf[Index](p)
	up, s := take[scan[Index, A, P]]()
	s.of(p, &plan)
	s.f = f
	once := false
	prepare(&plan, func() {
		s.r = reducers.Compose(r)
		once = reducers.TraitsOf(s.r).Once
		s.total.Reset(s.r)
	})
	if once {
		return fmt.Errorf("exec: ParallelScan with a %T, to which each item must contribute once: a scan calls its functor twice", s.r)
	}
	if err := refuseTeams("ParallelScan", plan); err != nil {
		return err
	}
	down := jobs.Get().(*job)
	down.columns = append(down.columns, &s.total)
	on, err := check(&plan, down.columns)
	down.columns = down.columns[:0] // until there is a total
	if err != nil {
		return err
	}
	plan.Whole = true // a leaf is scanned in one lane
	up.plan(&plan, s)
	s.rest = scanResults[Index, A, P]{s}
	down.plan(&plan, &s.rest)
	s.up, s.down = up, down
	s.several, _ = any(p).(leavesScanner[A])
	s.group = s.groupOn(on)
	s.fused = reducers.IsFlat[A]()
	if err := s.launch(on); err != nil {
		return err
	}
	down.give()
	up.give()
	return nil
}

// launch runs the jobs of a scan.
func (s *scan[I, A, P]) launch(on Space) error {
	up, down := s.up, s.down
	if s.fused {
		up.hints.MinClaim, up.hints.MaxClaim = s.group, max(s.group, scanItems/up.grid.Leaf)
	}
	if err := up.run(on); err != nil {
		return err
	}
	if s.tree.torn {
		return s.tree.fault.raise()
	}
	all := up.all()
	if !up.guard(&all, func() bool { s.tree.settle(); return true }) {
		return up.fault.raise()
	}
	if sums := s.tree.sweep.Sums; len(sums) > 0 {
		*s.total.At(0) = sums[0]
	}
	if s.left() {
		down.memo = up.memo
		if err := down.run(on); err != nil {
			return err
		}
	}
	down.columns = append(down.columns, &s.total)
	return down.store()
}

// scan is the kernel that learns the contributions of the leaves. Where it is fused, a
// worker also computes the results of those of its leaves whose prefix is known by then;
// nobody waits, and what is left is computed by another launch.
//
// Sums and prefixes are those of the tree, in whatever order the leaves come.
type scan[I, A any, P Policy[I]] struct {
	indices[I, P]
	f       func(i I, acc *A, final bool)
	r       reducers.Reducer[A]
	total   reducers.Slots[A]
	several leavesScanner[A] // the policy, if it is one
	group   int              // leaves that a worker runs at once
	fused   bool

	up, down *job
	rest     scanResults[I, A, P] // the kernel of down
	accs     buffers[A]           // of each worker, one for each leaf of a group
	tree     prefixTree[A]
	at       []place  // whose results each worker computes
	done     []bool   // leaves that have run for their results
	waiting  [][]node // leaves that each worker has run and whose prefixes are not known
}

func (s *scan[I, A, P]) key() uintptr { return codeOf(s.f) }

func (s *scan[I, A, P]) parts(p *space.Parts) { p.Kernel = "scan: sums" }

func (s *scan[I, A, P]) open(workers int, g space.Grid, p *poller) {
	s.fused = s.fused && !s.up.stepped
	s.total.Open(1, 1, 1) // the initial value is read before f can change it
	s.indices.open(workers, g, p)
	s.openAccs(workers)
	s.tree.open(s.up, s.r, &s.total)
	s.at = reuse.Resize(s.at, workers)
	s.done = reuse.Resize(s.done[:0], g.Leaves)
	clear(s.done)
	s.waiting = reuse.Resize(s.waiting, workers)
	for w := range s.waiting {
		s.waiting[w] = s.waiting[w][:0]
	}
}

// openAccs makes room for the accumulators of that many workers.
func (s *scan[I, A, P]) openAccs(workers int) { s.accs.open(workers, maxGroup+apart[A]()) }

func (s *scan[I, A, P]) release() {
	s.indices.release()
	s.f, s.r, s.several = nil, nil, nil
	s.up, s.down, s.rest.scan = nil, nil, nil
	s.total.Release()
	s.accs.release()
	s.tree.release()
}

func (s *scan[I, A, P]) run(worker, _, begin, end int) {
	s.runNode(worker, 0, begin, end, s.up.grid.Leaf, new(node))
}

func (s *scan[I, A, P]) span(space.Grid) int { return s.group }

// runNode learns the contributions of leaves, at most a group of them.
func (s *scan[I, A, P]) runNode(worker, _, begin, end, leaf int, at *node) {
	n := nodeOf(begin, end, leaf)
	accs := s.accs.room(worker, n.last-n.first)
	for k := range accs {
		s.r.Init(&accs[k])
	}
	s.items(worker, n, accs, false, at)
	copy(s.tree.sweep.Sums[n.first:], accs)
	clear(accs)
	if !s.fused {
		return
	}
	known := s.tree.advance(n)
	waiting := append(s.waiting[worker], n)
	for len(waiting) > 0 && waiting[0].last <= known {
		next := waiting[0]
		waiting = append(waiting[:0], waiting[1:]...)
		s.results(worker, next)
	}
	s.waiting[worker] = waiting
}

// results computes the results of leaves whose prefixes are known, unless the launch fails
// anyway. A panic is one of the launch for results: it gives way to any of the others.
func (s *scan[I, A, P]) results(worker int, n node) {
	if s.up.failed.Load() || s.up.cancelled() || int64(n.first) >= s.down.limit.Load() {
		return
	}
	at := &s.at[worker].node
	*at = n
	s.down.guard(at, func() bool { s.finish(worker, n, at); return true })
	for leaf := n.first; leaf < n.last; leaf++ {
		s.done[leaf] = true
	}
}

// finish runs the items of the leaves n, at most a group, from their prefixes.
func (s *scan[I, A, P]) finish(worker int, n node, at *node) {
	accs := s.accs.room(worker, n.last-n.first)
	copy(accs, s.tree.sweep.Prefix[n.first:])
	s.items(worker, n, accs, true, at)
	clear(accs)
}

// left reports whether there are leaves that have not run for their results, or a panic
// among those that have.
func (s *scan[I, A, P]) left() bool { return s.down.failed.Load() || slices.Contains(s.done, false) }

// scanResults is the kernel that computes the results of the leaves that have none.
type scanResults[I, A any, P Policy[I]] struct{ *scan[I, A, P] }

func (k *scanResults[I, A, P]) parts(p *space.Parts) {
	p.Before, p.Kernel = "scan: offsets", "scan: results"
}

func (k *scanResults[I, A, P]) key() uintptr { return 0 }

func (k *scanResults[I, A, P]) open(workers int, g space.Grid, p *poller) {
	k.indices.open(workers, g, p)
	k.openAccs(workers)
}

func (k *scanResults[I, A, P]) release() {}

func (k *scanResults[I, A, P]) run(worker, _, begin, end int) {
	k.runNode(worker, 0, begin, end, k.up.grid.Leaf, new(node))
}

func (k *scanResults[I, A, P]) runNode(worker, _, begin, end, leaf int, at *node) {
	n := nodeOf(begin, end, leaf)
	for n.first < n.last { // some may be done: the space may have run other nodes before
		next := node{n.first, n.first + 1}
		for next.last < n.last && k.done[next.last] == k.done[next.first] {
			next.last++
		}
		if !k.done[next.first] {
			k.finish(worker, next, at)
		}
		n.first = next.last
	}
}
