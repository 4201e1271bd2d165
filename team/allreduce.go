package team

import (
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// AllReduce returns to every member of the group x₀ (+) x₁ (+) … (+) xₙ₋₁, where xₖ is the
// x of the member with rank k: OpenCL's work_group_reduce and sub_group_reduce, SYCL's
// reduce_over_group. op is the constructor of a reducer, for example
//
//	total := team.AllReduce(m, x, builtin.Sum)
//
// x is a partial result of the reducer, and Final is applied to what all are joined
// into. The result shares no memory with x or with the results of other members.
//
// Order: ranks are joined in pairs, (0,1), (2,3), …, then (0,2), (4,6), … and so on; the
// left one is the dst of the join, and one without a right neighbour is passed up as it
// is. A value that refers to memory elsewhere is copied by joining it to an identity.
//
// op and the functions of the reducer must call no collective and no barrier: they run for
// one member or none.
//
// Errors: a reducer that cannot be used, or that asks for an initial value. The op of one
// member is called; all must make the same kind of reducer.
//
//go:noinline
func AllReduce[T any, R reducers.Reducer[T]](g Group, x T, op func(*T) R) T {
	return collective.Reduce(participantOf(g), lane.Site(), "team: AllReduce", nil, x, op)
}
