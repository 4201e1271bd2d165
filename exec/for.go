package exec

import (
	"github.com/gokkos/gokkos/exec/internal/environment"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// ParallelFor calls f once for every index of p, in no promised order.
//
// It returns an error, without calling f, if the policy is invalid or its space
// cannot be used, and an error that wraps the context's cause if the launch was
// cancelled. If f panics, ParallelFor panics with a [*Panic].
func ParallelFor[Index any, P Policy[Index]](p P, f func(i Index)) error {
	var plan policy.Plan
	planOf[Index](&plan, &p)
	if f == nil {
		return refuse(&plan, errNilFunctor)
	}
	if f, ok := any(f).(func(*team.Member)); ok && plan.Team.Size > 0 {
		return launchTeams(&plan, f, func([]*memberAccs) func(*team.Member) { return f })
	}
	j, k := take[forKernel]()
	keep[pointsOf[Index, P]](j).of(&k.items, p, &plan)
	k.functor = f
	if environment.Watches(plan.Space) {
		k.loop = newForLoop(watchedFor(f), &k.items)
	} else {
		k.loop = k.compile(newForLoop(f, &k.items))
	}
	return j.launch(&plan, k)
}
