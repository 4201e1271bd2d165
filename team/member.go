package team

import (
	"errors"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// A Member is one member of a team, what the functor over a team policy receives. As
// a [Group] it stands for the whole team.
//
// A Member, its sub-group and its ranges are valid in the call of the functor that it is
// given to, on the goroutine of that call. The package documentation says what other uses
// end in, and what a member may do with locks, channels and threads.
type Member struct {
	run  *runner    // nil after the launch
	lane *lane.Lane // nil in a team of one
	all  *lane.Scope
	rank int
	size int
	sub  SubGroup

	scratch  cursor              // what was asked for of the scratch memory
	exchange collective.Exchange // of groups of one: this member
}

// A Group is the members that make a collective call together: a *[Member] stands for
// its team, a *[SubGroup] for itself.
type Group interface {
	// Rank returns the number of the calling member in the group, from 0.
	Rank() int
	// Size returns the number of members of the group.
	Size() int
	// Barrier waits until all members of the group have called it.
	Barrier()

	member() *Member
	scope() *lane.Scope
}

// runner returns the Runner of the member, and panics after the launch. It costs one compare:
// the panic does not name the caller's line, and so the compiler inlines runner.
func (m *Member) runner() *runner {
	if m.run == nil {
		panic(errExpired)
	}
	return m.run
}

// expired is the message for a zero Member, too.
const expired = "a member was used after its launch, or its sub-group after its call: expected a Member in the call that it was given to, until that returns"

var errExpired = &lane.Misuse{Err: errors.New("team: " + expired)}

// LeagueRank returns the number of the team in the league, from 0.
func (m *Member) LeagueRank() int { return m.runner().league }

// LeagueSize returns the number of teams.
func (m *Member) LeagueSize() int { return m.runner().shape.League }

// Rank returns the number of the member in its team, from 0.
func (m *Member) Rank() int {
	m.runner()
	return m.rank
}

// Size returns the number of members in the team.
func (m *Member) Size() int {
	m.runner()
	return m.size
}

// LocalID returns the member's place in a team that has up to three dimensions. The
// first varies fastest: rank = x + X·(y + Y·z), with (X, Y, Z) the [Member.LocalSize].
func (m *Member) LocalID() (x, y, z int) {
	d := &m.runner().shape.Dims
	return m.rank % d[0], m.rank / d[0] % d[1], m.rank / (d[0] * d[1])
}

// LocalSize returns the lengths of the team in its dimensions; see policy.TeamPolicy.Dims.
func (m *Member) LocalSize() (x, y, z int) {
	d := &m.runner().shape.Dims
	return d[0], d[1], d[2]
}

// VectorLength returns the number of vector lanes that a [VectorRange] is spread over.
func (m *Member) VectorLength() int { return m.runner().shape.Vector }

// Barrier waits until all members of the team have called it. What they wrote before
// it is seen by all after it.
//
// Cost: one compare in a team of one, else two switches of coroutines.
func (m *Member) Barrier() {
	if m.size != 1 {
		m.barrier()
	}
}

//go:noinline
func (m *Member) barrier() {
	site := lane.Site()
	if !m.runner().sites.inlined(site) {
		site = lane.SiteAbove()
	}
	if m.run.settings.Watched {
		m.meet(m.all, site, barrier, nil)
		return
	}
	m.lane.Meet(m.all, site, barrier, nil) // without another call between: see lane.Lane.Meet
}

var barrier = lane.Op{Kind: "barrier"}

func (m *Member) member() *Member    { return m }
func (m *Member) scope() *lane.Scope { return m.all }

// SubGroup returns the sub-group that the member belongs to: the members whose ranks
// have the same quotient by the size of a sub-group. The last one of a team may be
// short. Sub-groups are the warps, wavefronts or sub-groups of a device; members with
// several vector lanes take more room in one.
func (m *Member) SubGroup() *SubGroup {
	if m.sub.m == nil {
		m.sub = newSubGroup(m)
	}
	return &m.sub
}

// A SubGroup is a [Group] of members with consecutive ranks.
type SubGroup struct {
	m     *Member     // nil after the launch
	lanes *lane.Scope // nil in a team of one
	rank  int
	size  int
}

func newSubGroup(m *Member) SubGroup {
	r := m.runner()
	if m.lane == nil {
		return SubGroup{m, nil, 0, 1}
	}
	s := m.lane.Group(r.subGroup)
	return SubGroup{m, s, m.rank - s.Begin(), s.Size()}
}

// of returns the member of the sub-group, and panics after the launch, as [Member.runner].
func (s *SubGroup) of() *Member {
	if s.m == nil {
		panic(errExpired)
	}
	return s.m
}

// Rank returns the number of the calling member in the sub-group, from 0.
func (s *SubGroup) Rank() int {
	s.of()
	return s.rank
}

// Size returns the number of members in this sub-group.
func (s *SubGroup) Size() int {
	s.of()
	return s.size
}

// ID returns the number of the sub-group in its team, from 0.
func (s *SubGroup) ID() int { return s.of().rank / s.m.runner().subGroup }

// Count returns the number of sub-groups in the team.
func (s *SubGroup) Count() int { return (s.of().size-1)/s.m.runner().subGroup + 1 }

// MaxSize returns the number of members in every sub-group but the last.
func (s *SubGroup) MaxSize() int { return min(s.of().runner().subGroup, s.m.size) }

// Barrier waits until all members of the sub-group have called it. What they wrote
// before it is seen by all of them after it.
func (s *SubGroup) Barrier() {
	if s.size != 1 {
		s.barrier()
	}
}

//go:noinline
func (s *SubGroup) barrier() {
	site := lane.Site()
	if !s.of().runner().sites.inlined(site) {
		site = lane.SiteAbove()
	}
	if s.m.run.settings.Watched {
		s.m.meet(s.lanes, site, barrier, nil)
		return
	}
	s.m.lane.Meet(s.lanes, site, barrier, nil)
}

func (s *SubGroup) member() *Member    { return s.m }
func (s *SubGroup) scope() *lane.Scope { return s.lanes }
