package scan

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/internal/checked"
	"github.com/gokkos/gokkos/exec/internal/environment"
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/loops"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

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
	prepare(s, f, environment.Watches(plan.Space))
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

// prepare keeps the loops of a functor by its form, which is watched or may have a compiled loop.
func prepare[Index, A any](s *scan[A], f func(i Index, acc *A, final bool), watched bool) {
	called := erasedScan(f)
	if watched {
		called = checked.Scan(called, &s.total.Column)
	} else {
		s.code, _ = typed.As[kernel.Scan[A]](kernel.Of(f))
	}
	s.loop = scanEach[Index](called)
	switch f := any(called).(type) {
	case func(int, loops.Accumulator, bool):
		s.loop, s.ints = scanInts(f), f
	case func(policy.Span, loops.Accumulator, bool):
		s.spans = f
	}
}
