package policy

import (
	"context"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/team"
)

// TeamPolicy is the policy made by [Team]. Its index type is *[team.Member].
//
// Its items are the teams, so that Chunk counts teams and a reduction joins first what
// the members of a team contribute and then the teams, in the tree of a [Range] over
// the league.
type TeamPolicy struct {
	settings
	shape space.TeamShape
}

// Team returns the policy of a league of that many teams, each with size members, for
// a functor that every member of every team runs. Teams run in no promised order and
// must not wait for one another; members may, see package team.
//
// A size of [team.Auto] is the same on every space and machine. The size of the team
// decides the bits of floating-point results, as that of its sub-groups does where the
// functor uses these; the space does not.
func Team(league, size int) TeamPolicy {
	var p TeamPolicy
	if size == team.Auto {
		size = team.AutoSize
	}
	shape := space.TeamShape{League: league, Size: size, Dims: [3]int{size, 1, 1}, Vector: 1}
	if err := shape.Valid(); err != nil && league >= 0 {
		p.settings = p.fail("Team: %w, or team.Auto", err)
		return p
	}
	return p.withShape(shape)
}

// withShape returns p with a shape, which is checked.
func (p TeamPolicy) withShape(shape space.TeamShape) TeamPolicy {
	if err := shape.Valid(); err != nil {
		p.settings = p.fail("Team: %w", err)
		return p
	}
	p.shape = shape
	return p
}

// Dims gives the members local ids in up to three dimensions; see
// [team.Member.LocalID]. The product of the lengths must be the size of the team.
func (p TeamPolicy) Dims(x, y, z int) TeamPolicy {
	shape := p.shape
	shape.Dims = [3]int{x, y, z}
	return p.withShape(shape)
}

// Vector sets the number of vector lanes per member that a team.VectorRange is spread
// over; it is 1 otherwise.
func (p TeamPolicy) Vector(lanes int) TeamPolicy {
	shape := p.shape
	shape.Vector = lanes
	return p.withShape(shape)
}

// SubGroup sets the number of members per sub-group. Otherwise a sub-group has as many
// vector lanes as a warp of the device, on a space that simulates one, and 32 on others.
// A device runs its own size only.
func (p TeamPolicy) SubGroup(members int) TeamPolicy {
	if members < 1 {
		p.settings = p.fail("Team: sub-groups of %d members, expected at least 1", members)
		return p
	}
	shape := p.shape
	shape.SubGroup = members
	return p.withShape(shape)
}

// Scratch plans the scratch memory of a level, 0 or 1: bytes that a team shares, and
// bytes of each member. Level 0 is the shared memory of a device, level 1 its global
// memory. See [team.Scratch] and [team.MemberScratch].
//
// Units: each request begins at a multiple of 16 bytes, so that two of 12 bytes need 28;
// add up the [team.ScratchBytes] of all. A level has at most 1 GiB, with the bytes per team
// and those of each member rounded up to a multiple of 16.
func (p TeamPolicy) Scratch(level, teamBytes, memberBytes int) TeamPolicy {
	shape := p.shape
	if level < 0 || level >= len(shape.Scratch) {
		p.settings = p.fail("Team: scratch of level %d, expected 0 or 1", level)
		return p
	}
	shape.Scratch[level] = space.ScratchSize{Team: teamBytes, Member: memberBytes}
	return p.withShape(shape)
}

// Chunk asks for that many teams per leaf of the reduction tree; see
// [RangePolicy.Chunk].
func (p TeamPolicy) Chunk(teams int) TeamPolicy { p.settings = p.withChunk(teams); return p }

// On carries the execution space to launch on; nil means the default one.
func (p TeamPolicy) On(s space.Space) TeamPolicy { p.on.space = s; return p }

// WithContext carries a context that can cancel the launch; see [Launch.WithContext].
func (p TeamPolicy) WithContext(ctx context.Context) TeamPolicy { p.on.context = ctx; return p }

// WithLabel names the launch; see [Launch.WithLabel].
func (p TeamPolicy) WithLabel(label string) TeamPolicy { p.on.label = label; return p }

// With carries what launches carry; see [Launch.With].
func (p TeamPolicy) With(on ...Launch) TeamPolicy { p.on = p.on.With(on...); return p }

// Plan returns what a pattern needs to know of p.
func (p TeamPolicy) Plan() (plan Plan) {
	p.plan(&plan, p.shape.League, false)
	plan.Team = p.shape
	return plan
}

// Next writes nothing: it is the pattern that makes the members of a team.
func (p TeamPolicy) Next(begin, _ int, _ []*team.Member) (n, next int) { return 0, begin }
