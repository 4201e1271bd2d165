package team

import (
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// ExclusiveScan returns to the member of rank k x₀ (+) … (+) xₖ₋₁, where xⱼ is the x of the
// member with rank j, and the identity to rank 0: OpenCL's work_group_scan_exclusive and
// sub_group_scan_exclusive, SYCL's exclusive_scan_over_group. op is the constructor of a
// reducer, as for [AllReduce], which calls no collective and no barrier.
//
// Final is not applied. A result shares no memory with other members' results or with
// any x.
//
// Order: with the tree of AllReduce, whose nodes are the joins of their left and right
// halves, the prefix of the root is the identity; a left half has its parent's prefix, a
// right half identity (+) prefix of the parent (+) left half. Results have the bits of
// exec.ParallelScan with leaves of one item, but for the sign of a zero that is initial.
//
// Errors: those of AllReduce.
//
//go:noinline
func ExclusiveScan[T any, R reducers.Reducer[T]](g Group, x T, op func(*T) R) T {
	return collective.Scan(participantOf(g), lane.Site(), "team: ExclusiveScan", collective.Exclusive, nil, x, op)
}
