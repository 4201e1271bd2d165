package group

import (
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// ExclusiveScanFrom is [team.ExclusiveScan] with an initial value in place of the identity as
// the prefix of the root. It is the init of the member of rank 0. Order and errors are
// those of ExclusiveScan.
//
//go:noinline
func ExclusiveScanFrom[T any, R reducers.Reducer[T]](g team.Group, init, x T, op func(*T) R) T {
	return collective.Scan(collective.Of(g), lane.Site(), "group: ExclusiveScanFrom", collective.Exclusive, &init, x, op)
}

// InclusiveScan returns to the member of rank k x₀ (+) … (+) xₖ, where xⱼ is the x of the
// member with rank j: OpenCL's work_group_scan_inclusive and sub_group_scan_inclusive,
// SYCL's inclusive_scan_over_group.
//
// Order: it is what [team.ExclusiveScan] returns, joined with the member's own x: for rank 0,
// identity (+) x₀. Errors are those of ExclusiveScan.
//
//go:noinline
func InclusiveScan[T any, R reducers.Reducer[T]](g team.Group, x T, op func(*T) R) T {
	return collective.Scan(collective.Of(g), lane.Site(), "group: InclusiveScan", collective.Inclusive, nil, x, op)
}

// InclusiveScanFrom is [InclusiveScan] with an initial value in place of the identity. It
// is the init of the member of rank 0, whose result is init (+) x₀. Order and errors are
// those of [InclusiveScan].
//
//go:noinline
func InclusiveScanFrom[T any, R reducers.Reducer[T]](g team.Group, init, x T, op func(*T) R) T {
	return collective.Scan(collective.Of(g), lane.Site(), "group: InclusiveScanFrom", collective.Inclusive, &init, x, op)
}
