package team

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/lane"
)

// Settings are what a space decides about the teams that it runs.
type Settings struct {
	SubGroup int           // lanes per sub-group, if the shape does not say
	Seed     uint64        // permutes the order in which members run, unless it is 0
	Poison   bool          // scratch memory begins as NaN, not as zero
	Observer lane.Observer // told what happens in every team, or nil
}

// A Runner runs the teams of one launch, one at a time, for one worker of a space.
type Runner struct {
	shape    space.TeamShape
	settings Settings
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

// NewRunner returns a Runner for teams of the given shape.
func NewRunner(shape space.TeamShape, s Settings, body func(m *Member)) *Runner {
	r := &Runner{shape: shape, settings: s, subGroup: shape.SubGroup, body: body}
	if r.subGroup == 0 {
		r.subGroup = max(s.SubGroup/shape.Vector, 1)
	}
	r.run = r.lane
	r.solo = Member{run: r, size: 1}
	r.arena = newArena(shape, s)
	return r
}

// Run runs the team with the given rank in the league. The engine runs the members of
// a team of several, so that the caller must be in a [lane.Engine.Do]; a team of one
// needs none and panics as its functor does. An error is that of [lane.Engine.Run].
func (r *Runner) Run(e *lane.Engine, league int) error {
	r.league = league
	r.arena.clear()
	if r.shape.Size == 1 {
		m := &r.solo
		m.scratch = cursor{}
		r.body(m)
		return nil
	}
	return e.Run(lane.Block{Lanes: r.shape.Size, Seed: r.seed(), Observer: r.settings.Observer}, r.run)
}

// lane runs one member of the team. A carrier has one Member, for all lanes that it runs.
func (r *Runner) lane(l *lane.Lane) {
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
	if !r.arena.planned {
		r.body(m)
		return
	}
	m.scratch = cursor{}
	r.body(m)
	r.arena.leave(m)
}

// Release ends the launch. Members that a functor has kept are zero then, so that their use
// is an error. Carriers outlive the launch: without their members they keep neither the
// Runner alive nor what its functor refers to. The caller holds the engine.
func (r *Runner) Release() {
	r.solo = Member{}
	for _, m := range r.members {
		*m = Member{}
	}
	r.members = nil
}

// seed returns the seed of the running team's schedule, another one for every team.
func (r *Runner) seed() uint64 {
	if r.settings.Seed == 0 {
		return 0
	}
	return max(r.settings.Seed^uint64(r.league)*0x9e3779b97f4a7c15, 1)
}
