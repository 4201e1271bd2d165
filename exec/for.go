package exec

import (
	"errors"

	"github.com/gokkos/gokkos/team"
)

// ParallelFor calls f once for every index of p, in no promised order.
//
// It returns an error, without calling f, if the policy is invalid or its space
// cannot be used, and an error that wraps the context's cause if the launch was
// cancelled. If f panics, ParallelFor panics with a [*Panic].
func ParallelFor[I any](p Policy[I], f func(i I)) error {
	if f == nil {
		return errNilFunctor
	}
	plan := planOf(p)
	if f, ok := any(f).(func(*team.Member)); ok && plan.Team.Size > 0 {
		return launchTeams(plan, func(int) func(*team.Member) { return f })
	}
	return launch(plan, &forKernel[I]{indices: indices[I]{p: p}, f: f})
}

var errNilFunctor = errors.New("exec: the functor is nil")

type forKernel[I any] struct {
	indices[I]
	f func(i I)
}

func (k *forKernel[I]) run(worker, _, begin, end int) {
	for begin < end {
		var block []I
		block, begin = k.next(worker, begin, end)
		for _, i := range block {
			k.f(i)
		}
	}
}
