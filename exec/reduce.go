//go:generate go run ../internal/_generate

package exec

import (
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/loops"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// ParallelReduce calls f once for every index of p, with an accumulator to join the item's contribution into,
// and joins the accumulators with r.
//
// One reducer joins the whole accumulator; several reducers join one field each of a struct, see
// [reducers.Field]. Reducers in a slice rs are passed as rs[0], rs[1:]...
//
// Order: items go to the lanes of their leaf, and lanes and leaves are joined as a tree. The tree depends on
// the policy and on the accumulator's type alone, so the result has the same bits on every space. The members
// of a team are joined in the order of their ranks, and then the teams as items.
//
// The old content of the result place is dropped unless the reducer is made by [reducers.WithInitial]. An
// empty policy gives the identity. Final is applied once.
//
// It fails as [ParallelFor] does, and if a reducer cannot be used. On any error or panic the result places
// keep their old content.
func ParallelReduce[Index, A any, P Policy[Index]](p P, f func(i Index, acc *A), r reducers.Reducer[A], more ...reducers.Reducer[A]) error {
	if f == nil {
		return items.RefuseNil[Index](p)
	}
	j, s := launch.Take[accumulators[A]]()
	s.kernel.Reset(f, s, &s.a.Column)
	return reduce1(j, &s.kernel, p, erased1(f), s.code.Of(f), func() { s.a.Reset(compose(r, more)) })
}

// accumulators is what launches of [ParallelReduce] keep for accumulators of type A.
type accumulators[A any] struct {
	kernel loops.Reduction
	code   loops.Code1[A]
	a      reduce.Slots[A]
}

func (s *accumulators[A]) Release() {
	s.code = loops.Code1[A]{}
	s.a.Release()
}

// compose is [reducers.Compose], but returns a single reducer as it is: [reduce.Slots.Reset] finds out what
// it is anyway.
func compose[A any](r reducers.Reducer[A], more []reducers.Reducer[A]) reducers.Reducer[A] {
	if len(more) == 0 {
		return r
	}
	return reducers.Compose(r, more...)
}

var (
	_ Policy[int]          = policy.RangePolicy{}
	_ Policy[*team.Member] = policy.TeamPolicy{}
)
