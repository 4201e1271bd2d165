// Package scan computes prefixes: sums of leaves, a tree that joins the sums in any order of arrival,
// and results.
package scan

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/internal/checked"
	"github.com/gokkos/gokkos/exec/internal/environment"
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/loops"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
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

	job     *launch.Job
	wrong   launch.Faults  // in results that are computed along with sums
	rest    scanResults[A] // kernel of the launch for the results that are left
	tree    prefixTree[A]
	taken   []uint32 // by unit of several leaves: number of passes in which a worker has taken it
	done    []byte   // by unit: 1 if its results are computed
	workers []scanWorker[A]
}

func (s *scan[A]) Key() uintptr { return launch.CodeOf(s.functor) }

func (s *scan[A]) About(a *launch.About) {
	s.Tell(a, s.functor)
	a.Kind, a.Kernel = tools.Scan, "scan: sums"
	a.Nodes, a.Runs = s, true
	if s.array != nil {
		a.Scans = s
	}
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
	s.functor, s.loop, s.ints, s.spans, s.r, s.several, s.array = nil, nil, nil, nil, nil, nil, nil
	s.job, s.rest.scan = nil, nil
	s.total.Release()
	s.tree.Release(s.flat)
	s.workers = s.workers[:cap(s.workers)] // a part of the launch may have had more
	for w := range s.workers {
		s.workers[w].Release(s.flat)
	}
}

// launch runs the job of a scan for the sums and, if results are left, again for the results.
func (s *scan[A]) launch(on space.Space) error {
	j := s.job
	j.Later = &s.total.Column
	s.wrong.Reset()
	s.unit = tree.Unit(j.Grid.Leaves, scanUnits)
	if s.fused {
		j.Hint.MinClaim = max(s.group, s.unit)
		if !s.late {
			j.Hint.MaxClaim = max(j.Hint.MinClaim, launch.ScanItems/j.Grid.Leaf)
		}
		if s.last == nil {
			s.last = s.finishLast
		}
		j.Hint.AtEnd = s.last
	}
	if err := j.Attempt(on); err != nil {
		return err
	}
	if !s.settleAll() {
		if !j.Carries {
			return j.Fault.Raise()
		}
		// Other processes may not have made this join. They learn of the fault, which comes before all
		// results.
		s.wrong.Keep(s.tree.at-j.Grid.Leaves, j.Fault)
	}
	if sums := s.tree.sweep.Sums; len(sums) > 0 {
		*s.total.At(0) = sums[0]
	}
	if s.left() || j.Carries { // all processes make as many passes
		s.rest.scan = s
		j.Again(&s.rest, &s.wrong)
		if err := j.Attempt(on); err != nil {
			return err
		}
	}
	j.Columns = append(j.Columns, &s.total.Column)
	return j.Store()
}

// settleAll joins the remaining prefixes and the total, and reports whether no join failed. If other
// processes must learn of a fault, it joins on a goroutine of its own: a join that ends its goroutine
// does not end the caller's.
func (s *scan[A]) settleAll() bool {
	if !s.job.Carries {
		return s.settleHere()
	}
	settled := make(chan bool, 1)
	go func() {
		ok := false
		defer func() { settled <- ok }()
		ok = s.settleHere()
	}()
	return <-settled
}

func (s *scan[A]) settleHere() bool {
	return s.job.GuardAt(s.job.All(), func() bool { s.tree.settle(); return true })
}

// Over is exec.ParallelScan.
func Over[Index, A any, P items.Policy[Index]](p P, f func(i Index, acc *A, final bool), r reducers.Reducer[A]) error {
	var plan policy.Plan
	items.PlanOf[Index](&plan, &p)
	if f == nil {
		return launch.Refuse(&plan, items.ErrNilFunctor)
	}
	j, s := launch.Take[scan[A]]()
	launch.Keep[items.PointsOf[Index, P]](j).Of(&s.Items, p, &plan)
	s.functor = f
	launch.Prepare(&plan, func() {
		t := concept.TraitsOf(r)
		if s.r = r; t.Err != nil || t.Store != nil { // as for a field, which stores its own way
			s.r = reducers.Compose(r)
			t = concept.TraitsOf(s.r)
		}
		s.once = t.Once
		s.total.Take(s.r, &t)
	})
	called := erasedScan(f)
	if environment.Watches(plan.Space) {
		called = checked.Scan(called, &s.total.Column)
	}
	s.loop = scanEach[Index](called)
	switch f := any(called).(type) {
	case func(int, loops.Accumulator, bool):
		s.loop, s.ints = scanInts(f), f
	case func(policy.Span, loops.Accumulator, bool):
		s.spans = f
	}
	if s.once {
		return launch.Refuse(&plan, fmt.Errorf("exec: ParallelScan with a %T, to which each item must contribute once: a scan calls its functor twice", s.r))
	}
	if err := items.RefuseTeams("ParallelScan", plan); err != nil {
		return launch.Refuse(&plan, err)
	}
	j.Columns = append(j.Columns, &s.total.Column)
	on, err := launch.Check(&plan, j.Columns)
	j.Columns = j.Columns[:0] // until there is a total
	if err != nil {
		return err
	}
	plan.Chunk, plan.Whole = launch.ChunkOf(&plan), true // a leaf is scanned in one lane
	if !s.Plain {
		s.several, _ = typed.As[leavesScanner[A]](s.Points.Walks())
		s.array, _ = s.Points.Walks().(valuesScanner)
	}
	j.Plan(&plan, s)
	s.job = j
	s.group = s.groupOn(on)
	s.flat = s.total.Column.Profile(1).Flat
	s.fused = s.flat
	s.late = s.fused && s.fitsCaches(on)
	if tools.On() {
		err = tools.Do(j.Event(on), func() error { return s.launch(on) })
	} else {
		err = s.launch(on)
	}
	if err != nil {
		return err
	}
	j.Give()
	return nil
}

// scanResults is the kernel that computes the results of the leaves that have none.
type scanResults[A any] struct{ *scan[A] }
