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
func ParallelFor[Index any, P Policy[Index]](p P, f func(i Index)) error {
	if f == nil {
		return errNilFunctor
	}
	plan := planOf[Index](p)
	if f, ok := any(f).(func(*team.Member)); ok && plan.Team.Size > 0 {
		return launchTeams(&plan, f, func(int) func(*team.Member) { return f })
	}
	j, k := take[forKernel[Index, P]]()
	k.of(p, &plan)
	k.f = f
	return j.launch(&plan, k)
}

var errNilFunctor = errors.New("exec: the functor is nil")

type forKernel[I any, P Policy[I]] struct {
	indices[I, P]
	f func(i I)
}

func (k *forKernel[I, P]) key() uintptr { return codeOf(k.f) }

func (k *forKernel[I, P]) release() {
	k.indices.release()
	k.f = nil
}

func (k *forKernel[I, P]) run(worker, _, begin, end int) {
	if f, ok := any(k.f).(func(int)); ok && k.plain {
		for begin, end := range k.poll.pieces(worker, begin, end) {
			forInts(f, k.first+begin, k.first+end)
		}
		return
	}
	f := k.f
	for begin < end {
		var block []I
		block, begin = k.next(worker, begin, end)
		for _, i := range block {
			f(i)
		}
	}
}

// forInts calls f for the integers from i to end-1. The loop is unrolled because its
// variables are in memory: a call saves no registers.
func forInts(f func(int), i, end int) {
	for ; end-i >= 4; i += 4 {
		f(i)
		f(i + 1)
		f(i + 2)
		f(i + 3)
	}
	for ; i < end; i++ {
		f(i)
	}
}
