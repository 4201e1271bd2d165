// Package scan computes prefixes: sums of leaves, a tree that joins the sums in any order of arrival,
// and results.
package scan

import (
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/loops"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// scan is the kernel that computes the sums of the leaves. If it is fused, a worker also computes the
// results of its leaves:
//
//	soon  once their prefixes are known. Workers take leaves in order, so that the input is
//	      still in the nearest caches.
//	late  once no worker finds further leaves. Each worker takes neighbouring leaves, and
//	      finds in its own caches the input, and the output of the launch before.
//
// A worker that finds no more leaves waits a little for prefixes. Another launch computes the results
// that are left then.
//
// Sums and prefixes are those that the tree defines, in whatever order the leaves come. The scan keeps
// them by unit, see tree.Unit.
type scan[A any] struct {
	items.Items
	functor  any
	loop     scanLoop
	ints     func(i int, a loops.Accumulator, final bool)         // the functor if it takes an int, or nil
	code     kernel.Scan[A]                                       // the compiled loop in place of ints, or nil
	spans    func(s policy.Span, a loops.Accumulator, final bool) // the functor if it takes a span, or nil
	r        reducers.Reducer[A]
	total    reduce.Slots[A]
	several  leavesScanner[A] // the policy if it scans leaves itself, or nil
	array    valuesScanner    // the policy if it names values in memory, or nil
	group    int              // leaves that a worker runs in step
	unit     int              // leaves of a unit, a power of two
	once     bool             // each item must contribute once, see concept.Traits
	flat     bool             // values refer to no other memory
	fused    bool
	late     bool
	straight bool             // RunNode may call runStraight
	last     func(worker int) // finishLast as a value, made once

	job      *launch.Job
	wrong    launch.Faults  // in results that are computed along with sums
	rest     scanResults[A] // kernel of the launch for the results that are left
	tree     prefixTree[A]
	taken    []uint32    // by unit of several leaves: number of passes in which a worker has taken it
	done     []byte      // by unit: 1 if its results are computed
	accepted atomic.Bool // a space has handed in the sum of all leaves
	workers  []scanWorker[A]
}

func (s *scan[A]) Key() uintptr { return launch.CodeOf(s.functor) }

func (s *scan[A]) About(a *launch.About) {
	s.Tell(a, s.functor)
	a.Kind, a.Kernel = tools.Scan, "scan: sums"
	a.Nodes, a.Scans = s, s
}

func (s *scan[A]) Open(workers int, g space.Grid) {
	s.Items.Open(workers, g)
	s.fused = s.fused && !s.job.Stepped && !s.job.Carries
	s.late = s.late && s.fused && workers > 1
	if s.late && s.several != nil { // each worker joins inside of what it runs
		s.unit = max(s.group, s.unit) // for a join that panics, the order of joins would matter
	}
	if s.job.Opens == 1 {
		s.openTree(g)
	}
	s.tree.alone = workers == 1
	s.straight = s.tree.alone && s.fused && s.several != nil && s.unit == 1 && s.tree.sweep.Run != nil
	s.openWorkers(workers)
}

// openTree prepares the state of each unit.
func (s *scan[A]) openTree(g space.Grid) {
	if s.job.Stepped { // a device takes leaves one by one, and may keep a value for each
		s.unit = 1
	}
	s.total.Column.Open(1, 1, 1) // the initial value is read before f can change it
	units := (g.Leaves + s.unit - 1) / s.unit
	s.accepted.Store(false)
	s.tree.Open(s.job, units, s.r, &s.total)
	s.done = reuse.Resize(s.done[:0], units)
	clear(s.done)
	if s.unit > 1 {
		s.taken = reuse.Resize(s.taken[:0], units)
		clear(s.taken)
	}
}

func (s *scan[A]) openWorkers(workers int) {
	s.workers = reuse.Resize(s.workers, workers)
	for w := range s.workers {
		s.workers[w].Open(s.unit, s.r, s.tree.sweep.Run)
	}
}

func (s *scan[A]) Release() {
	s.Items.Release()
	s.functor, s.loop, s.ints, s.code, s.spans = nil, nil, nil, nil, nil
	s.r, s.several, s.array = nil, nil, nil
	s.job, s.rest.scan = nil, nil
	s.total.Release()
	s.tree.Release(s.flat)
	s.workers = s.workers[:cap(s.workers)] // a part of the launch may have had more
	for w := range s.workers {
		s.workers[w].Release(s.flat)
	}
}

// scanResults is the kernel that computes the results of the leaves that have none.
type scanResults[A any] struct{ *scan[A] }
