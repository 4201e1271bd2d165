package exec

import (
	"context"
	"fmt"
	"reflect"
	"runtime/debug"
	"runtime/pprof"
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/environment"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/teams"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// launchTeams runs whole teams of the functor f, on any space, with columns that its members join into. bind returns what
// the members run that a worker runs.
func launchTeams(plan *policy.Plan, f any, bind func(w []*memberAccs) func(m *team.Member), columns ...column) error {
	on, err := check(plan, columns)
	if err != nil {
		return err
	}
	decided := teamsOn(on)
	if decided.Limits != nil {
		if err := decided.Limits.CheckTeams(plan.Team); err != nil {
			return refuse(plan, err)
		}
	}
	k := &teamKernel{shape: plan.Team, on: decided, f: f, bind: bind, watched: environment.Watches(on)}
	for _, c := range columns {
		k.accs = append(k.accs, &members{column: c, size: plan.Team.Size, watched: k.watched})
	}
	defer k.release()
	j := newJob(plan, k, columns)
	if err := j.launchOn(on); err != nil {
		return err
	}
	return j.store()
}

// teamsOn returns what a space decides about how teams run.
func teamsOn(on space.Space) space.Teams {
	var t space.Teams
	if s, ok := on.(space.TeamSpace); ok {
		t = s.Teams()
	}
	if t.SubGroup == 0 {
		t.SubGroup = defaultSubGroup
	}
	return t
}

// takeEngine returns an engine for a worker.
func (k *teamKernel) takeEngine() *lane.Engine {
	if k.on.Engines != nil {
		if e, ok := k.on.Engines.Take().(*lane.Engine); ok {
			return e
		}
	}
	return lane.New()
}

// giveEngine gives an engine back that nothing runs on.
func (k *teamKernel) giveEngine(e *lane.Engine) {
	if k.on.Engines == nil || e.Carriers() > maxCarriers {
		_ = e.Close() // it is idle
		return
	}
	k.on.Engines.Give(e)
}

// teamKernel runs teams. The accumulators of their members are joined in rank order,
// and what comes out is joined to the lanes of the leaf.
type teamKernel struct {
	shape    space.TeamShape
	on       space.Teams
	observer lane.Observer // told what happens in every team, or nil
	watched  bool
	f        any
	bind     func(w []*memberAccs) func(m *team.Member)
	accs     []*members
	workers  []teamWorker
	order    []int // in which the lanes of a leaf take their items, or nil
}

// teamWorker is what one worker runs teams with.
type teamWorker struct {
	runner teams.Runner
	engine *lane.Engine // nil for teams of one
}

// release gives back what the launch had. No worker runs any more.
func (k *teamKernel) release() {
	for _, w := range k.workers {
		if w.runner != nil {
			w.runner.Release()
		}
		if w.engine != nil {
			k.giveEngine(w.engine)
		}
	}
}

// schedule sets the order of the lanes of the leaf that comes next. Their partial results
// stay in their own places.
func (k *teamKernel) schedule(order []int) (moved bool) {
	k.order = order
	return false
}

func (k *teamKernel) about(a *about) {
	a.functor, a.source = k.f, codeOf(k.f) // nothing is to be remembered of it
	a.pass.Kernel, a.pass.Teams = "team", k.shape
	a.items, a.order, a.teams, a.runs = k, k, k, true
}

func (*teamKernel) policyName() string { return reflect.TypeFor[policy.TeamPolicy]().String() }

func (k *teamKernel) appendItems(buf []byte) []byte { return fmt.Appendf(buf, "%+v", k.shape) }

func (*teamKernel) indexOf(int) string { return "" }
func (*teamKernel) box() *space.Box    { return nil }

func (k *teamKernel) observe(o space.TeamObserver) { k.observer = observer{o, k.watched} }

// observer passes on what an engine says of teams.
type observer struct {
	space.TeamObserver
	watched bool
}

func (observer) Begin(int) {}

func (o observer) Complete(s *lane.Scope, site uintptr, op lane.Op) {
	if o.watched {
		watch.Met(s.Begin(), s.Whole(), site)
	}
	o.Met(space.Meeting{Kind: op.Kind, Members: s.Size(), Whole: s.Whole(), Bytes: op.Bytes})
}

func (o observer) End(fault error) { o.TeamObserver.End(fault == nil) }

func (k *teamKernel) open(workers int, _ space.Grid) {
	k.release() // of what another part of the launch had
	k.workers = make([]teamWorker, workers)
	for _, a := range k.accs {
		a.workers = make([]memberAccs, workers)
	}
}

func (k *teamKernel) run(at *walk, begin, end int) {
	worker := at.worker
	w := &k.workers[worker]
	if w.runner == nil {
		settings := teams.Settings{SubGroup: k.on.SubGroup, Schedule: k.on.Schedule, Poison: k.on.Poison, Observer: k.observer, Watched: k.watched}
		w.runner = teams.New(k.shape, settings, k.labelled(at.job.labels, k.bind(k.accsOf(worker))))
	}
	for _, a := range k.accs {
		a.beginTeams(worker, end-begin)
	}
	if k.shape.Size == 1 {
		k.alone(at, w.runner, begin, end)
		return
	}
	if w.engine == nil {
		w.engine = k.takeEngine()
	}
	var fault *teamFault
	_ = w.engine.Do(func() { // it is idle and open
		if labels := at.job.labels; labels != nil {
			pprof.SetGoroutineLabels(labels)
			defer pprof.SetGoroutineLabels(context.Background())
		}
		fault = k.teams(at, begin, end)
	})
	if fault != nil {
		panic(fault)
	}
}

// labelled returns a functor whose members have the labels of the launch: they run on goroutines that
// stay from one launch to the next.
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

// alone runs teams of one, on the calling goroutine.
func (k *teamKernel) alone(w *walk, r teams.Runner, begin, end int) {
	item, returned := begin, false
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil || !goexit.Runs() {
			panic(&teamFault{item, &lane.Panic{Value: value, Stack: debug.Stack()}})
		}
	}()
	if len(k.accs) == 0 && k.order == nil {
		for begin, end := range w.pieces(begin, end) {
			for item = begin; item < end; item++ {
				_ = r.Run(nil, item) // panics where others return an error
			}
		}
	} else {
		k.each(w, begin, end, func(next int) error {
			item = next
			for _, a := range k.accs {
				a.beginTeam(w.worker, item-begin)
			}
			return r.Run(nil, item)
		})
	}
	returned = true
}

// teams runs teams of several members, and returns the fault of the lowest that fails.
func (k *teamKernel) teams(at *walk, begin, end int) *teamFault {
	worker := at.worker
	w := k.workers[worker]
	return k.each(at, begin, end, func(item int) error {
		for _, a := range k.accs {
			a.beginTeam(worker, item-begin)
		}
		if err := w.runner.Run(w.engine, item); err != nil {
			return err
		}
		for _, a := range k.accs {
			a.endTeam(worker, item-begin)
		}
		return nil
	})
}

// each calls f for the items of a leaf until one fails. Those below it that the order has
// put behind it still run: they may fail, too.
func (k *teamKernel) each(w *walk, begin, end int, f func(item int) error) (fault *teamFault) {
	if k.order == nil {
		for begin, end := range w.pieces(begin, end) {
			for item := begin; item < end; item++ {
				if err := f(item); err != nil {
					return &teamFault{item, err}
				}
			}
		}
		return nil
	}
	for row := begin; row < end && fault == nil; row += len(k.order) {
		for _, l := range k.order[:min(len(k.order), end-row)] {
			item := row + l
			if fault != nil && item > fault.item {
				continue
			}
			if w.upTo(item, item+1) == item {
				return fault // cancelled
			}
			if err := f(item); err != nil {
				fault = &teamFault{item, err}
			}
		}
	}
	return fault
}

// accsOf returns the accumulators of the members of the teams that a worker runs, by column.
func (k *teamKernel) accsOf(worker int) []*memberAccs {
	all := make([]*memberAccs, len(k.accs))
	for n, a := range k.accs {
		all[n] = &a.workers[worker]
	}
	return all
}

// members are the accumulators of the members of teams, which join into them on the way to a column.
type members struct {
	column  column
	size    int // of a team
	watched bool
	workers []memberAccs
}

// memberAccs are the accumulators of the team that a worker runs, in rank order. A team of one joins
// straight into a lane of the leaf.
type memberAccs struct {
	lanes reduce.Lanes
	accs  reduce.Lanes
}

// of returns the accumulator of a member.
func (w *memberAccs) of(rank int) unsafe.Pointer { return w.accs.Lane(rank) }

// beginTeams begins a leaf.
func (c *members) beginTeams(worker, items int) {
	w := &c.workers[worker]
	w.lanes = c.column.Begin(worker, items)
	if c.size > 1 && w.accs.At == nil {
		w.accs = c.column.Make(c.size)
	}
}

// beginTeam begins an item of a leaf.
func (c *members) beginTeam(worker, item int) {
	w := &c.workers[worker]
	if c.size == 1 {
		w.accs = reduce.Lanes{At: w.lanes.OfItem(item), N: 1, Room: 1, Size: w.lanes.Size}
	} else {
		c.column.Identities(w.accs)
	}
	if c.watched { // accumulators begin anew
		for k := range w.accs.N {
			watch.RenewAll(reflect.ValueOf(c.column.Pointer(w.accs.Lane(k))))
		}
	}
}

// endTeam joins the accumulators of the members in the order of their ranks, and what that comes to to the lane of the item.
func (c *members) endTeam(worker, item int) {
	w := &c.workers[worker]
	c.column.JoinTree(w.accs)
	c.column.JoinValues(w.lanes.OfItem(item), w.accs.At)
}
