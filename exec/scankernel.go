package exec

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/internal/environment"
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

// scan is the kernel that learns the contributions of the leaves. Where it is fused, a worker
// also computes the results of its leaves:
//
//	soon  once their prefixes are known. Workers take leaves in their order, and what they
//	      have read is still in the caches close by.
//	late  once no worker finds further leaves. Each takes leaves next to each other, and finds
//	      in its own caches what it has read now, and written in the launch before.
//
// A worker waits a little for prefixes, once it finds no leaves; what is left then is computed
// by another launch.
//
// Sums and prefixes are those of the tree, in whatever order the leaves come. They are kept
// by unit, see there.
type scan[A any] struct {
	items
	functor  any
	loop     scanLoop
	ints     func(i int, a accumulator, final bool)         // the functor, if it is one
	spans    func(s policy.Span, a accumulator, final bool) // or if it is this
	r        reducers.Reducer[A]
	total    reduce.Slots[A]
	several  leavesScanner[A] // the policy, if it is one
	array    valuesScanner    // the policy, if it is one
	group    int              // leaves that a worker runs in step
	unit     int              // leaves of a unit
	once     bool             // see Traits
	flat     bool             // values refer to no memory elsewhere
	fused    bool
	late     bool
	straight bool             // see runStraight
	last     func(worker int) // finishLast, made once

	job     *job
	wrong   faults         // of results that are computed along with sums
	rest    scanResults[A] // the kernel of what is left
	tree    prefixTree[A]
	taken   []uint32 // by unit of several leaves: the passes for which a worker has it
	done    []byte   // by unit: 1 if it has run for its results
	workers []scanWorker[A]
}

func (s *scan[A]) about(a *about) {
	s.tell(a, s.functor)
	a.kind, a.pass.Kernel = tools.Scan, "scan: sums"
	a.nodes, a.runs = s, true
	if s.array != nil {
		a.scans = s
	}
}

func (s *scan[A]) open(workers int, g space.Grid) {
	s.items.open(workers, g)
	s.fused = s.fused && !s.job.stepped && !s.job.carries
	s.late = s.late && s.fused && workers > 1
	if s.late && s.several != nil { // each worker joins inside of what it runs
		s.unit = max(s.group, s.unit) // for a join that panics, the order of joins would matter
	}
	if s.job.opens == 1 {
		s.openTree(g)
	}
	s.tree.alone = workers == 1
	s.straight = s.tree.alone && s.fused && s.several != nil && s.unit == 1 && s.tree.sweep.Run != nil
	s.openWorkers(workers)
}

// openTree readies what is kept for each unit.
func (s *scan[A]) openTree(g space.Grid) {
	if s.job.stepped { // a device takes leaves one by one, and may keep a value for each
		s.unit = 1
	}
	s.total.Column.Open(1, 1, 1) // the initial value is read before f can change it
	units := (g.Leaves + s.unit - 1) / s.unit
	s.tree.open(s.job, units, s.r, &s.total)
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
		s.workers[w].open(s.unit, s.r, s.tree.sweep.Run)
	}
}

func (s *scan[A]) release() {
	s.items.release()
	s.functor, s.loop, s.ints, s.spans, s.r, s.several, s.array = nil, nil, nil, nil, nil, nil, nil
	s.job, s.rest.scan = nil, nil
	s.total.Release()
	s.tree.release(s.flat)
	s.workers = s.workers[:cap(s.workers)] // a part of the launch may have had more
	for w := range s.workers {
		s.workers[w].release(s.flat)
	}
}

// launch runs the job of a scan for the sums, and if there are results left, again for these.
func (s *scan[A]) launch(on space.Space) error {
	j := s.job
	j.later = &s.total.Column
	s.wrong.reset()
	s.unit = tree.Unit(j.grid.Leaves, scanUnits)
	if s.fused {
		j.hint.MinClaim = max(s.group, s.unit)
		if !s.late {
			j.hint.MaxClaim = max(j.hint.MinClaim, scanItems/j.grid.Leaf)
		}
		if s.last == nil {
			s.last = s.finishLast
		}
		j.hint.AtEnd = s.last
	}
	if err := j.attempt(on); err != nil {
		return err
	}
	if !s.settleAll() {
		if !j.carries {
			return j.fault.raise()
		}
		// The others may not have joined this: they are told, and it comes before all results.
		s.wrong.keep(s.tree.at-j.grid.Leaves, j.fault)
	}
	if sums := s.tree.sweep.Sums; len(sums) > 0 {
		*s.total.At(0) = sums[0]
	}
	if s.left() || j.carries { // all processes make as many passes
		s.rest.scan = s
		j.again(&s.rest, &s.wrong)
		if err := j.attempt(on); err != nil {
			return err
		}
	}
	j.columns = append(j.columns, &s.total.Column)
	return j.store()
}

// settleAll joins the prefixes and the total. Where others have to be told, a join that ends
// its goroutine does not end the caller's.
func (s *scan[A]) settleAll() bool {
	if !s.job.carries {
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
	return s.job.guardAt(s.job.all(), func() bool { s.tree.settle(); return true })
}

// scanOver is exec.ParallelScan.
func scanOver[Index, A any, P Policy[Index]](p P, f func(i Index, acc *A, final bool), r reducers.Reducer[A]) error {
	var plan policy.Plan
	planOf[Index](&plan, &p)
	if f == nil {
		return refuse(&plan, errNilFunctor)
	}
	j, s := take[scan[A]]()
	keep[pointsOf[Index, P]](j).of(&s.items, p, &plan)
	s.functor = f
	prepare(&plan, func() {
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
		called = watchedScan(called, &s.total.Column)
	}
	s.loop = scanEach[Index](called)
	switch f := any(called).(type) {
	case func(int, accumulator, bool):
		s.loop, s.ints = scanInts(f), f
	case func(policy.Span, accumulator, bool):
		s.spans = f
	}
	if s.once {
		return refuse(&plan, fmt.Errorf("exec: ParallelScan with a %T, to which each item must contribute once: a scan calls its functor twice", s.r))
	}
	if err := refuseTeams("ParallelScan", plan); err != nil {
		return refuse(&plan, err)
	}
	j.columns = append(j.columns, &s.total.Column)
	on, err := check(&plan, j.columns)
	j.columns = j.columns[:0] // until there is a total
	if err != nil {
		return err
	}
	plan.Chunk, plan.Whole = chunkOf(&plan), true // a leaf is scanned in one lane
	if !s.plain {
		s.several, _ = typed.As[leavesScanner[A]](s.points.walks())
		s.array, _ = s.points.walks().(valuesScanner)
	}
	j.plan(&plan, s)
	s.job = j
	s.group = s.groupOn(on)
	s.flat = s.total.Column.Profile(1).Flat
	s.fused = s.flat
	s.late = s.fused && s.fitsCaches(on)
	if tools.On() {
		err = tools.Do(j.event(on), func() error { return s.launch(on) })
	} else {
		err = s.launch(on)
	}
	if err != nil {
		return err
	}
	j.give()
	return nil
}
