package group

import (
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// All reports whether pred is true for all members of the group: OpenCL's
// work_group_all and sub_group_all, SYCL's all_of_group.
//
// Every member must call it at the same place, see the package documentation.
//
//go:noinline
func All(g team.Group, pred bool) bool {
	yes, size, met := vote(g, lane.Site(), "all", pred)
	return met && yes == size
}

// Any reports whether pred is true for any member of the group: OpenCL's
// work_group_any and sub_group_any, SYCL's any_of_group.
//
//go:noinline
func Any(g team.Group, pred bool) bool {
	yes, _, met := vote(g, lane.Site(), "any", pred)
	return met && yes > 0
}

// vote returns for how many of the group's members pred is true, unless met is false: they
// cannot meet.
func vote(g team.Group, site uintptr, kind string, pred bool) (yes, size int, met bool) {
	p := collective.Of(g)
	b := collective.Buffer[votes](p.Exchange)
	if pred {
		b.yes++
	}
	met = p.Meet(site, lane.Op{Kind: kind}, b)
	return b.result, p.Size, met
}

type votes struct{ yes, result int }

func (b *votes) Combine(*lane.Scope) { b.result, b.yes = b.yes, 0 }
