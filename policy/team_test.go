package policy_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

func TestTeamPlan(t *testing.T) {
	p := policy.Team(7, 12).Dims(3, 2, 2).Vector(4).SubGroup(8).Scratch(0, 100, 3).Scratch(1, 5, 0).Chunk(2).WithLabel("x")
	plan := p.Plan()
	assert.NoError(t, plan.Err)
	assert.Equal(t, 7, plan.Items)
	assert.Equal(t, 2, plan.Chunk)
	assert.Equal(t, "x", plan.Label)
	assert.Equal(t, space.TeamShape{
		League: 7, Size: 12, Dims: [3]int{3, 2, 2}, Vector: 4, SubGroup: 8,
		Scratch: [2]space.ScratchSize{{Team: 100, Member: 3}, {Team: 5}},
	}, plan.Team)
	assert.Equal(t, 112+12*16, plan.Team.Bytes(0))
	assert.Equal(t, team.AutoSize, policy.Team(1, team.Auto).Plan().Team.Size)
	assert.Equal(t, space.TeamShape{League: 7, Size: 12, Dims: [3]int{12, 1, 1}, Vector: 1}, policy.Team(7, 12).Plan().Team)
}

func TestTeamErrors(t *testing.T) {
	p := policy.Team(4, 12)
	for want, p := range map[string]policy.TeamPolicy{
		"policy: Team: a league of -1 teams, expected at least 0":                                                                                          policy.Team(-1, 3),
		"policy: Team: 0 members, expected 1 to 65536, or team.Auto":                                                                                       policy.Team(2, 0),
		"policy: Team: 65537 members, expected 1 to 65536, or team.Auto":                                                                                   policy.Team(2, 65537),
		"policy: Team: dimensions 3 x 4 x 2 of a team of 12 members, expected lengths with that product":                                                   p.Dims(3, 4, 2),
		"policy: Team: dimensions -3 x -4 x 1 of a team of 12 members, expected lengths with that product":                                                 p.Dims(-3, -4, 1),
		"policy: Team: a vector length of 0, expected 1 to 1024":                                                                                           p.Vector(0),
		"policy: Team: a vector length of 1025, expected 1 to 1024":                                                                                        p.Vector(1025),
		"policy: Team: sub-groups of 0 members, expected at least 1":                                                                                       p.SubGroup(0),
		"policy: Team: scratch of level 2, expected 0 or 1":                                                                                                p.Scratch(2, 1, 1),
		"policy: Team: scratch of level 0 of -8 bytes per team and 0 bytes for each of 12 members, expected 0 to 1073741824 in all, each a multiple of 16": p.Scratch(0, -8, 0),
		"policy: a chunk of -1 items, expected at least 1, or 0 for the rule's own":                                                                        p.Chunk(-1),
	} {
		assert.EqualError(t, p.Plan().Err, want)
	}
	for _, p := range []policy.TeamPolicy{
		p.Scratch(1, 0, math.MaxInt), p.Scratch(1, math.MaxInt, 0), p.Scratch(0, math.MaxInt, math.MaxInt), p.Scratch(0, 0, -1),
		policy.Team(1, 1).Scratch(1, 1<<30, 1<<30), policy.Team(1, 1).Scratch(1, 1<<30, 1), policy.Team(1, 1).Scratch(1, 1<<30+1, 0),
		policy.Team(1, 3).Scratch(0, 0, 1<<30/3), policy.Team(1, 1<<16).Scratch(0, 0, 1<<14+1), policy.Team(1, 1<<16).Scratch(0, 1<<30-15, 1<<30),
	} {
		assert.ErrorContains(t, p.Plan().Err, "expected 0 to 1073741824 in all")
	}
	assert.NoError(t, policy.Team(1, 1<<16).Scratch(0, 0, 1<<14).Scratch(1, 1<<30, 0).Plan().Err)
	assert.NoError(t, policy.Team(1, 1).Scratch(0, 1<<29, 1<<29).Plan().Err)
	assert.Error(t, policy.Team(1, 3).Scratch(0, team.ScratchBytes[int](-1), 0).Plan().Err)
	assert.EqualError(t, policy.Team(2, 0).Chunk(3).Vector(2).Plan().Err, "policy: Team: 0 members, expected 1 to 65536, or team.Auto")
	assert.NoError(t, p.Plan().Err, "a policy is a value")
}
