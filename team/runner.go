package team

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/schedule"
	"github.com/gokkos/gokkos/internal/teams"
	"github.com/gokkos/gokkos/internal/watch"
)

func init() {
	teams.New = func(shape space.TeamShape, s teams.Settings, body any) teams.Runner {
		return newRunner(shape, s, body.(func(m *Member)))
	}
}

// A runner is the [teams.Runner] of members.
type runner struct {
	shape    space.TeamShape
	settings teams.Settings
	subGroup int

	league  int // the team that runs
	body    func(m *Member)
	run     func(l *lane.Lane) // the method lane, bound once
	members []*Member          // of this launch: one for each carrier that has run a lane
	solo    Member             // the member of a team of one
	arena   arena
	pools   []any // of nested reductions: a *pool for every type of accumulator
	sites   sites
}

// newRunner returns a runner for teams of the given shape.
func newRunner(shape space.TeamShape, s teams.Settings, body func(m *Member)) *runner {
	r := &runner{shape: shape, settings: s, subGroup: shape.SubGroup, body: body}
	if r.subGroup == 0 {
		r.subGroup = max(s.SubGroup/shape.Vector, 1)
	}
	r.run = r.lane
	r.solo = Member{run: r, size: 1}
	r.arena = newArena(shape, s)
	if s.Watched {
		r.arena.watch()
	}
	return r
}

// Run implements [teams.Runner].
func (r *runner) Run(e *lane.Engine, league int) error {
	r.league = league
	r.arena.clear()
	if r.settings.Watched {
		watch.Team(r.shape.Size, r.subGroup)
	}
	if r.shape.Size == 1 {
		m := &r.solo
		m.scratch = cursor{}
		m.enter()
		r.body(m)
		m.leave()
		return nil
	}
	return e.Run(lane.Block{Lanes: r.shape.Size, Schedule: schedule.Part(r.settings.Schedule, r.league), Warp: r.subGroup, Observer: r.settings.Observer}, r.run)
}

// lane runs one member of the team. A carrier has one Member, for all lanes that it runs.
func (r *runner) lane(l *lane.Lane) {
	m, ok := l.Local.(*Member)
	if !ok {
		m = new(Member)
		l.Local = m
	}
	if m.run != r {
		*m = Member{run: r, lane: l, all: l.All(), size: l.Size()}
		r.members = append(r.members, m)
	}
	m.rank = l.Rank()
	if m.sub.m != nil { // the sub-group of the carrier's last lane
		m.sub.m = nil
	}
	m.enter()
	if !r.arena.planned {
		r.body(m)
		m.leave()
		return
	}
	m.scratch = cursor{}
	r.body(m)
	m.leave()
	r.arena.leave(m)
}

// enter says that the functor runs, or goes on, in this member, where the launch is watched.
func (m *Member) enter() {
	if m.run.settings.Watched {
		watch.Member(m.rank)
	}
}

// leave says that it does not run.
func (m *Member) leave() {
	if m.run.settings.Watched {
		watch.Leave()
	}
}

// meet is [lane.Lane.Meet], between two steps of the functor.
func (m *Member) meet(s *lane.Scope, site uintptr, op lane.Op, c lane.Combiner) bool {
	if m.run.settings.Watched {
		watch.Calling(site)
	}
	m.leave()
	ok := m.lane.Meet(s, site, op, c)
	m.enter()
	return ok
}

// A meeter is a Member as package collective knows it.
type meeter Member

// Meet implements [collective.Member].
func (m *meeter) Meet(s *lane.Scope, site uintptr, op lane.Op, c lane.Combiner) bool {
	return (*Member)(m).meet(s, site, op, c)
}

// Watched implements [collective.Member].
func (m *meeter) Watched() bool { return m.run.settings.Watched }

// Release implements [teams.Runner]. Carriers outlive the launch: without their members they
// keep neither the runner alive nor what its functor refers to.
func (r *runner) Release() {
	r.solo = Member{}
	for _, m := range r.members {
		*m = Member{}
	}
	r.members = nil
}
