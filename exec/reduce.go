//go:generate go run ./_generate

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

// ParallelReduce calls f once for every index of p, with an accumulator to join
// the item's contribution into, and joins the accumulators with r.
//
// One reducer looks after the whole accumulator; several look after one field
// each of an accumulator that is a struct, see [reducers.Field]. Reducers in a
// slice rs are passed as rs[0], rs[1:]...
//
// Order: items go to the lanes of their leaf, lanes and leaves are joined as a
// tree that depends on the policy and on the accumulator's type alone, so the
// result has the same bits on every space. The old content of the result place
// is dropped unless the reducer is made by [reducers.WithInitial]; an empty
// policy gives the identity. Final is applied once. The members of a team are joined
// in the order of their ranks, and then the teams as items.
//
// Errors and panics are those of [ParallelFor], and in addition a reducer that
// cannot be used. On any of them the result places keep their old content.
func ParallelReduce[Index, A any, P Policy[Index]](p P, f func(i Index, acc *A), r reducers.Reducer[A], more ...reducers.Reducer[A]) error {
	if f == nil {
		return items.RefuseNil[Index](p)
	}
	j, s := launch.Take[accumulators[A]]()
	s.kernel.Reset(f, s, &s.a.Column)
	return reduce1(j, &s.kernel, p, erased1(f), s.code.Of(f), func() { s.a.Reset(compose(r, more)) })
}

// accumulators are what a launch of [ParallelReduce] keeps for accumulators of a type.
type accumulators[A any] struct {
	kernel loops.Reduction
	code   loops.Code1[A]
	a      reduce.Slots[A]
}

func (s *accumulators[A]) Release() {
	s.code = loops.Code1[A]{}
	s.a.Release()
}

// compose is [reducers.Compose] that leaves a single reducer to [reduce.Slots.Reset], which
// looks what it is anyway.
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
