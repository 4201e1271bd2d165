package exec

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// ErrDivergence is wrapped by the error of a launch in which members of a team waited
// for one another for ever, because only some of them reached a barrier or collective.
var ErrDivergence = errors.New("members of a team wait for one another for ever")

// launchTeams runs whole teams, on any space. bind returns what the members run that
// a worker runs.
func launchTeams(plan policy.Plan, bind func(worker int) func(m *team.Member), accs ...teamColumn) error {
	columns := make([]column, len(accs))
	for k, a := range accs {
		columns[k] = a.column()
	}
	space, err := check(plan, columns)
	if err != nil {
		return err
	}
	h := hostOf(space)
	if h == nil {
		h = newHost(team.Settings{SubGroup: defaultSubGroup})
		defer h.engines.close()
	}
	if h.check != nil {
		if err := h.check(plan); err != nil {
			return err
		}
	}
	j := newJob(plan, &teamKernel{shape: plan.Team, host: h, bind: bind, accs: accs}, columns)
	if err := j.run(space); err != nil {
		return err
	}
	return j.store()
}

// defaultSubGroup is the size of sub-groups on spaces that are no device.
const defaultSubGroup = 32

// refuseTeams returns the error of a pattern that does not run teams.
func refuseTeams(what string, plan policy.Plan) error {
	if plan.Err != nil || plan.Team.Size == 0 {
		return plan.Err
	}
	return fmt.Errorf("exec: %s over teams, expected a policy without teams; inside of a team there are team.Scan and the other collectives", what)
}

// A teamHost is a space that keeps the engines of teams from launch to launch, or has
// a say in how teams run.
type teamHost interface {
	// host returns nil if the space is not valid.
	host() *host
}

type host struct {
	engines  *engines
	settings team.Settings
	check    func(policy.Plan) error // what the space cannot run, or nil
}

func newHost(s team.Settings) *host { return &host{engines: new(engines), settings: s} }

func hostOf(space Space) *host {
	if s, ok := space.(teamHost); ok {
		return s.host()
	}
	return nil
}

// engines are those that no worker uses now.
type engines struct {
	mu   sync.Mutex
	free []*lane.Engine
}

func (p *engines) take() *lane.Engine {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.free) - 1
	if last < 0 {
		return lane.New()
	}
	e := p.free[last]
	p.free = p.free[:last]
	return e
}

func (p *engines) give(e *lane.Engine) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, e)
}

// close ends the engines. No worker uses one now.
func (p *engines) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.free {
		_ = e.Close() // it is idle
	}
	p.free = nil
}

// teamKernel runs teams. The accumulators of their members are joined in rank order,
// and what comes out is joined to the lanes of the leaf.
type teamKernel struct {
	shape   team.Shape
	host    *host
	bind    func(worker int) func(m *team.Member)
	accs    []teamColumn
	runners []*team.Runner
	order   []int // in which the lanes of a leaf take their items, or nil
}

// schedule sets the order of the lanes of the leaf that comes next. Their partial results
// stay in their own places.
func (k *teamKernel) schedule(order []int) (moved bool) {
	k.order = order
	return false
}

func (k *teamKernel) open(workers int, _ Grid) {
	k.runners = make([]*team.Runner, workers)
	for _, a := range k.accs {
		a.openTeams(workers, k.shape.Size)
	}
}

func (k *teamKernel) run(worker, _, begin, end int) {
	r := k.runners[worker]
	if r == nil {
		r = team.NewRunner(k.shape, k.host.settings, k.bind(worker))
		k.runners[worker] = r
	}
	for _, a := range k.accs {
		a.beginTeams(worker, end-begin)
	}
	if k.shape.Size == 1 {
		k.alone(worker, r, begin, end)
		return
	}
	e := k.host.engines.take()
	defer k.host.engines.give(e)
	var fault *teamFault
	_ = e.Do(func() { fault = k.teams(e, worker, r, begin, end) }) // e is idle and open
	if fault != nil {
		panic(fault)
	}
}

// alone runs teams of one.
func (k *teamKernel) alone(worker int, r *team.Runner, begin, end int) {
	if len(k.accs) == 0 && k.order == nil {
		for item := begin; item < end; item++ {
			_ = r.Run(nil, item) // panics where others return an error
		}
		return
	}
	k.each(begin, end, func(item int) error {
		for _, a := range k.accs {
			a.beginTeam(worker, item-begin)
		}
		return r.Run(nil, item)
	})
}

// teams runs teams of several members, and returns the fault of the first that fails.
func (k *teamKernel) teams(e *lane.Engine, worker int, r *team.Runner, begin, end int) *teamFault {
	return k.each(begin, end, func(item int) error {
		for _, a := range k.accs {
			a.beginTeam(worker, item-begin)
		}
		if err := r.Run(e, item); err != nil {
			return err
		}
		for _, a := range k.accs {
			a.endTeam(worker, item-begin)
		}
		return nil
	})
}

// each calls f for the items of a leaf until it fails.
func (k *teamKernel) each(begin, end int, f func(item int) error) *teamFault {
	if k.order != nil {
		for row := begin; row < end; row += len(k.order) {
			for _, l := range k.order[:min(len(k.order), end-row)] {
				if err := f(row + l); err != nil {
					return &teamFault{row + l, err}
				}
			}
		}
		return nil
	}
	for item := begin; item < end; item++ {
		if err := f(item); err != nil {
			return &teamFault{item, err}
		}
	}
	return nil
}

// teamFault is panicked with when a team could not finish.
type teamFault struct {
	item int
	err  error // of lane.Engine.Run
}

// teamColumn is what the members of teams join into on the way to a column.
type teamColumn interface {
	column() column
	openTeams(workers, size int)
	beginTeams(worker, items int) // a leaf
	beginTeam(worker, item int)   // an item of it
	endTeam(worker, item int)
}

// members are the accumulators of the members of teams.
type members[A any] struct {
	r       reducers.Reducer[A]
	slots   *reducers.Slots[A]
	size    int
	workers []memberAccs[A]
}

// memberAccs are the accumulators of the team that a worker runs. A team of one joins
// straight into a lane of the leaf.
type memberAccs[A any] struct {
	lanes []A
	accs  []A
}

func newMembers[A any](parts ...reducers.Reducer[A]) *members[A] {
	r := reducers.Compose(parts...)
	return &members[A]{r: r, slots: reducers.NewSlots(r)}
}

func (c *members[A]) column() column { return c.slots }

func (c *members[A]) openTeams(workers, size int) {
	c.size, c.workers = size, make([]memberAccs[A], workers)
}

func (c *members[A]) beginTeams(worker, items int) {
	w := &c.workers[worker]
	w.lanes = c.slots.Begin(worker, items)
	if c.size > 1 && w.accs == nil {
		w.accs = make([]A, c.size)
	}
}

func (c *members[A]) beginTeam(worker, item int) {
	w := &c.workers[worker]
	if c.size == 1 {
		k := item & (len(w.lanes) - 1)
		w.accs = w.lanes[k : k+1]
		return
	}
	for k := range w.accs {
		c.r.Init(&w.accs[k])
	}
}

func (c *members[A]) endTeam(worker, item int) {
	w := &c.workers[worker]
	reducers.JoinTree(c.r, w.accs)
	c.r.Join(&w.lanes[item&(len(w.lanes)-1)], &w.accs[0])
}

// of returns the accumulators of the members of the team that a worker runs, in rank
// order.
func (c *members[A]) of(worker int) *memberAccs[A] { return &c.workers[worker] }
