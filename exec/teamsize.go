package exec

import (
	"fmt"

	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// TeamSizeMax returns the number of members of the largest team that the policy's space
// can run, given the policy's vector length and scratch memory. The policy's own size
// does not matter. It is Kokkos' team_size_max.
//
// The size of a team decides the bits of results: a size that depends on the space gives
// up that these are the same everywhere.
func TeamSizeMax(p policy.TeamPolicy) (int, error) {
	most, _, err := teamSizes(p)
	return most, err
}

// TeamSizeRecommended returns a good number of members for teams on the policy's space:
// on a device, that of the highest occupancy; elsewhere 1, since members that wait for
// one another cost time there. It is Kokkos' team_size_recommended; see [TeamSizeMax].
func TeamSizeRecommended(p policy.TeamPolicy) (int, error) {
	_, recommended, err := teamSizes(p)
	return recommended, err
}

func teamSizes(p policy.TeamPolicy) (most, recommended int, err error) {
	plan := p.Plan()
	space, err := check(plan, nil)
	if err != nil {
		return 0, 0, err
	}
	gpu, ok := space.(*SimGPU)
	if !ok {
		return team.MaxSize, 1, nil
	}
	if err := gpu.invalid(); err != nil {
		return 0, 0, err
	}
	d, t := gpu.device, plan.Team
	one := t
	one.Size = 0
	perTeam := one.Bytes(0)
	one.Size = 1
	perMember := one.Bytes(0) - perTeam
	// Threads are members times vector lanes; the memory is asked for by members.
	fits := func(threads int) int { return threads / t.Vector }
	perThread := (perMember + t.Vector - 1) / t.Vector
	most = fits(d.maxThreads(0, perTeam, perThread))
	if most < 1 {
		return 0, 0, fmt.Errorf("exec: no team with %d vector lanes per member and scratch of level 0 of %d bytes per team and %d bytes per member fits a block on %s", t.Vector, perTeam, perMember, d.Name)
	}
	return most, max(fits(d.recommended(0, perTeam, perThread)), 1), nil
}
