// Package league runs launches whose items are teams. The members of a team are coroutines with
// accumulators of their own.
package league

import (
	"context"
	"fmt"
	"reflect"
	"runtime/debug"
	"runtime/pprof"

	"github.com/gokkos/gokkos/exec/internal/environment"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/loops"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/teams"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// Launch runs teams of the functor f, on any space.
func Launch(plan *policy.Plan, f func(m *team.Member)) error {
	j, k := launch.Take[teamKernel]()
	k.member = f
	if err := k.launch(j, plan, f); err != nil {
		return err
	}
	j.Give()
	return nil
}

// launch runs teams of the functor f, whose members join into the columns of the job. After an error it has released k.
func (k *teamKernel) launch(j *launch.Job, plan *policy.Plan, f any) error {
	on, err := launch.Check(plan, j.Columns)
	if err != nil {
		return err
	}
	decided := TeamsOn(on)
	if decided.Limits != nil {
		if err := decided.Limits.CheckTeams(plan.Team); err != nil {
			return launch.Refuse(plan, err)
		}
	}
	k.shape, k.on, k.f, k.watched = plan.Team, decided, f, environment.Watches(on)
	for _, c := range j.Columns {
		k.accs = append(k.accs, &members{column: c, size: plan.Team.Size, watched: k.watched})
	}
	if !k.watched && decided.Schedule == 0 && !decided.Poison {
		k.loop, _ = kernel.Of(f).(kernel.Teams)
	}
	j.Plan(plan, k)
	well := false
	defer func() {
		if !well {
			k.Release()
		}
	}()
	if err := j.LaunchOn(on); err != nil {
		return err
	}
	if err := j.Store(); err != nil {
		return err
	}
	well = true
	return nil
}

// Reduce is [Launch] for teams whose members join into the columns of of, for which the job j was taken. bind returns the
// functor for the members that one worker runs, given their accumulators by column. After a launch without an error, Reduce
// releases of.
func Reduce(j *launch.Job, plan *policy.Plan, of *loops.Reduction, bind func(w []*Accs) func(m *team.Member)) error {
	k := launch.Keep[teamKernel](j)
	k.bind = bind
	j.Columns = append(j.Columns, of.Columns...)
	if err := k.launch(j, plan, of.Functor); err != nil {
		return err
	}
	of.Release()
	j.Give()
	return nil
}

// TeamsOn returns the settings of a space for teams, with the default size of sub-groups if the space
// sets none.
func TeamsOn(on space.Space) space.Teams {
	var t space.Teams
	if s, ok := on.(space.TeamSpace); ok {
		t = s.Teams()
	}
	if t.SubGroup == 0 {
		t.SubGroup = launch.DefaultSubGroup
	}
	return t
}

// takeEngine returns an engine for a worker, an idle engine of the space if there is one.
func (k *teamKernel) takeEngine() *lane.Engine {
	if k.on.Engines != nil {
		if e, ok := k.on.Engines.Take().(*lane.Engine); ok {
			return e
		}
	}
	return lane.New()
}

// giveEngine gives an idle engine back to the space. It closes the engine if the space keeps none, or if
// it has more than MaxCarriers coroutines.
func (k *teamKernel) giveEngine(e *lane.Engine) {
	if k.on.Engines == nil || e.Carriers() > launch.MaxCarriers {
		_ = e.Close() // it is idle
		return
	}
	k.on.Engines.Give(e)
}

// teamKernel runs teams. It joins the accumulators of a team's members in rank order, and the result
// into a lane of the leaf.
type teamKernel struct {
	shape    space.TeamShape
	on       space.Teams
	observer lane.Observer // receives the events of every team; nil: none
	watched  bool
	f        any
	member   func(m *team.Member)                 // f, if its members join into nothing
	bind     func(w []*Accs) func(m *team.Member) // for others
	accs     []*members
	loop     kernel.Teams // what runs teams in place of the functor; nil: nothing
	workers  []teamWorker
	order    []int // order in which the lanes of a leaf take their items; nil: ascending
}

// teamWorker is the state of one worker that runs teams.
type teamWorker struct {
	runner teams.Runner // nil until a functor is called
	engine *lane.Engine // nil for teams of one
	team   *kernel.Team // what the loop is given; nil until it runs
}

// Release gives back what workers have, and forgets the launch.
func (k *teamKernel) Release() {
	k.end()
	workers := k.workers
	clear(workers)
	*k = teamKernel{workers: workers[:0]}
}

// end gives back the runners and engines of all workers. No worker runs any more.
func (k *teamKernel) end() {
	for _, w := range k.workers {
		if w.runner != nil {
			w.runner.Release()
		}
		if w.engine != nil {
			k.giveEngine(w.engine)
		}
		if w.team != nil {
			giveTeam(w.team)
		}
	}
}

// Schedule sets the order of the lanes for the next leaf. It returns false: partial results stay in
// their lanes.
func (k *teamKernel) Schedule(order []int) (moved bool) {
	k.order = order
	return false
}

func (k *teamKernel) Key() uintptr { return 0 }

func (k *teamKernel) About(a *launch.About) {
	a.Functor, a.Kernel = k.f, "team" // nothing is to be remembered of it
	a.Items, a.Order, a.Teams = k, k, k
}

func (*teamKernel) PolicyName() string { return reflect.TypeFor[policy.TeamPolicy]().String() }

func (k *teamKernel) AppendItems(buf []byte) []byte { return fmt.Appendf(buf, "%+v", k.shape) }

func (*teamKernel) IndexOf(int) string { return "" }
func (*teamKernel) Box() *device.Box   { return nil }

func (k *teamKernel) Shape() space.TeamShape { return k.shape }

func (k *teamKernel) Observe(o device.TeamObserver) { k.observer = observer{o, k.watched} }

func (k *teamKernel) Open(workers int, _ space.Grid) {
	k.end() // of what another part of the launch had
	k.workers = reuse.Resize(k.workers, workers)
	clear(k.workers)
	for _, a := range k.accs {
		a.workers = make([]Accs, workers)
	}
}

// Span returns 0: the accumulators of teams stay in lanes.
func (*teamKernel) Span(space.Grid) int { return 0 }

func (k *teamKernel) RunNode(at *launch.Walk, _, begin, end, _ int) {
	for _, a := range k.accs {
		a.beginTeams(at.Worker, end-begin)
	}
	if k.loop == nil || k.order != nil || k.observer != nil {
		k.call(at, begin, begin, end)
		return
	}
	for from, to := range at.Pieces(begin, end) {
		k.runLoop(at, begin, from, to)
	}
}

// call calls the functor for the teams begin to end-1 of the leaf that begins with team leaf.
func (k *teamKernel) call(at *launch.Walk, leaf, begin, end int) {
	worker := at.Worker
	w := &k.workers[worker]
	if w.runner == nil {
		settings := teams.Settings{SubGroup: k.on.SubGroup, Schedule: k.on.Schedule, Poison: k.on.Poison, Observer: k.observer, Watched: k.watched}
		w.runner = teams.New(k.shape, settings, k.labelled(at.Labels, k.functorOf(worker)))
	}
	if k.shape.Size == 1 {
		k.alone(at, w.runner, leaf, begin, end)
		return
	}
	if w.engine == nil {
		w.engine = k.takeEngine()
	}
	var fault *launch.TeamFault
	_ = w.engine.Do(func() { // it is idle and open
		if labels := at.Labels; labels != nil {
			pprof.SetGoroutineLabels(labels)
			defer pprof.SetGoroutineLabels(context.Background())
		}
		fault = k.teams(at, leaf, begin, end)
	})
	if fault != nil {
		panic(fault)
	}
}

// labelled returns f with the profiler labels of the launch: members run on goroutines that outlive the
// launch.
func (k *teamKernel) labelled(labels context.Context, f func(m *team.Member)) func(m *team.Member) {
	if labels == nil || k.shape.Size == 1 {
		return f
	}
	return func(m *team.Member) {
		pprof.SetGoroutineLabels(labels)
		defer pprof.SetGoroutineLabels(context.Background())
		f(m)
	}
}

// alone runs teams of one member, on the calling goroutine.
func (k *teamKernel) alone(w *launch.Walk, r teams.Runner, leaf, begin, end int) {
	item, returned := begin, false
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil || !goexit.Runs() {
			panic(&launch.TeamFault{Item: item, Err: &lane.Panic{Value: value, Stack: debug.Stack()}})
		}
	}()
	if len(k.accs) == 0 && k.order == nil {
		for begin, end := range w.Pieces(begin, end) {
			for item = begin; item < end; item++ {
				_ = r.Run(nil, item) // panics where others return an error
			}
		}
	} else {
		k.each(w, begin, end, func(next int) error {
			item = next
			for _, a := range k.accs {
				a.beginTeam(w.Worker, item-leaf)
			}
			return r.Run(nil, item)
		})
	}
	returned = true
}

// teams runs teams of several members, and returns the fault of the lowest team that fails.
func (k *teamKernel) teams(at *launch.Walk, leaf, begin, end int) *launch.TeamFault {
	worker := at.Worker
	w := k.workers[worker]
	return k.each(at, begin, end, func(item int) error {
		for _, a := range k.accs {
			a.beginTeam(worker, item-leaf)
		}
		if err := w.runner.Run(w.engine, item); err != nil {
			return err
		}
		for _, a := range k.accs {
			a.endTeam(worker, item-leaf)
		}
		return nil
	})
}

// each calls f for the items of a leaf until an item fails. Lower items that come later in the order
// still run, because they may fail, too.
func (k *teamKernel) each(w *launch.Walk, begin, end int, f func(item int) error) (fault *launch.TeamFault) {
	if k.order == nil {
		for begin, end := range w.Pieces(begin, end) {
			for item := begin; item < end; item++ {
				if err := f(item); err != nil {
					return &launch.TeamFault{Item: item, Err: err}
				}
			}
		}
		return nil
	}
	for row := begin; row < end && fault == nil; row += len(k.order) {
		for _, l := range k.order[:min(len(k.order), end-row)] {
			item := row + l
			if fault != nil && item > fault.Item {
				continue
			}
			if w.UpTo(item, item+1) == item {
				return fault // cancelled
			}
			if err := f(item); err != nil {
				fault = &launch.TeamFault{Item: item, Err: err}
			}
		}
	}
	return fault
}

// functorOf returns the functor for the members that a worker runs.
func (k *teamKernel) functorOf(worker int) func(m *team.Member) {
	if k.bind == nil {
		return k.member
	}
	return k.bind(k.accsOf(worker))
}

// accsOf returns the accumulators of the team that a worker runs, by column.
func (k *teamKernel) accsOf(worker int) []*Accs {
	all := make([]*Accs, len(k.accs))
	for n, a := range k.accs {
		all[n] = &a.workers[worker]
	}
	return all
}
