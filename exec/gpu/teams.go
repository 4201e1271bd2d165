package gpu

import (
	"fmt"
	"sort"

	"github.com/gokkos/gokkos/exec/space"
)

// CheckTeams says what of the shape a complete device cannot run, or returns nil. A team is
// a block.
func (d Device) CheckTeams(t space.TeamShape) error {
	threads := t.Size * t.Vector
	switch {
	case threads > d.MaxBlock:
		return fmt.Errorf("gpu: a team of %d members with %d vector lanes each is %d threads, expected at most the %d of a block on %s", t.Size, t.Vector, threads, d.MaxBlock, d.Name)
	case t.Bytes(0) > d.SharedPerBlockBytes:
		return fmt.Errorf("gpu: scratch of level 0 of %d bytes per team and %d bytes for each of %d members is %d bytes, expected at most the %d bytes of shared memory of a block on %s", t.Scratch[0].Team, t.Scratch[0].Member, t.Size, t.Bytes(0), d.SharedPerBlockBytes, d.Name)
	case t.SubGroup != 0 && t.SubGroup != max(d.SubGroup/t.Vector, 1):
		return fmt.Errorf("gpu: sub-groups of %d members with %d vector lanes each, expected the %d lanes of %s", t.SubGroup, t.Vector, d.SubGroup, d.Name)
	}
	return nil
}

// TeamSizes returns the number of members of the largest team that a complete device can run
// with the vector length and the scratch of t, and that of the highest occupancy. The size of
// t does not matter. No size that fits is an error.
func (d Device) TeamSizes(t space.TeamShape) (most, recommended int, err error) {
	t.SubGroup = 0
	fits := func(size int) bool {
		t.Size = size
		return d.CheckTeams(t) == nil
	}
	most = sort.Search(space.MaxTeamSize, func(k int) bool { return !fits(k + 1) })
	if most < 1 {
		return 0, 0, fmt.Errorf("gpu: no team with %d vector lanes per member and scratch of level 0 of %d bytes per team and %d bytes per member fits a block on %s", t.Vector, t.Scratch[0].Team, t.Scratch[0].Member, d.Name)
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
