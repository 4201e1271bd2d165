package group

import (
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// AllReduceFrom is [team.AllReduce] with an initial value, which is joined once per group, to the
// left of everything else and before Final. It is the init of the member of rank 0.
//
// Order and errors are those of AllReduce.
//
//go:noinline
func AllReduceFrom[T any, R reducers.Reducer[T]](g team.Group, init, x T, op func(*T) R) T {
	return collective.Reduce(collective.Of(g), lane.Site(), "group: AllReduceFrom", &init, x, op)
}
