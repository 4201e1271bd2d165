package exec

import (
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/league"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// TeamSizeMax returns the number of members of the largest team that the policy's space
// can run, given the policy's vector length and scratch memory, in a ParallelFor; a
// reduction may need shared memory of its own. The policy's own size does not matter. It is Kokkos' team_size_max.
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
	on, err := launch.Check(&plan, nil)
	if err != nil {
		return 0, 0, err
	}
	if l := league.TeamsOn(on).Limits; l != nil {
		return l.TeamSizes(plan.Team)
	}
	return space.MaxTeamSize, 1, nil
}
