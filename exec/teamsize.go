package exec

import (
	"fmt"
	"sort"

	"github.com/gokkos/gokkos/exec/gpu"
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
	on, err := check(&plan, nil, nil)
	if err != nil {
		return 0, 0, err
	}
	if l, ok := on.(teamLimiter); ok {
		return l.teamSizes(plan.Team)
	}
	return space.MaxTeamSize, 1, nil
}

// teamSizesOn returns the sizes of teams that have the vector length and the scratch of t.
func teamSizesOn(d *gpu.Device, t space.TeamShape) (most, recommended int, err error) {
	t.SubGroup = 0
	fits := func(size int) bool {
		t.Size = size
		return checkTeams(d, t) == nil
	}
	most = sort.Search(space.MaxTeamSize, func(k int) bool { return !fits(k + 1) })
	if most < 1 {
		return 0, 0, fmt.Errorf("exec: no team with %d vector lanes per member and scratch of level 0 of %d bytes per team and %d bytes per member fits a block on %s", t.Vector, t.Scratch[0].Team, t.Scratch[0].Member, d.Name)
	}
	recommended, warps := most, 0
	for size := 1; size <= most; size++ {
		threads := size * t.Vector
		if threads%d.SubGroup != 0 {
			continue
		}
		t.Size = size
		o, err := d.Occupancy(threads, 0, t.Bytes(0))
		if err == nil && (o.Warps > warps || o.Warps == warps && threads <= d.Block) {
			recommended, warps = size, o.Warps
		}
	}
	return most, recommended, nil
}
