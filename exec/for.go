package exec

import (
	"github.com/gokkos/gokkos/exec/internal/checked"
	"github.com/gokkos/gokkos/exec/internal/environment"
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/league"
	"github.com/gokkos/gokkos/exec/internal/loops"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// ParallelFor calls f once for every index of p, in no promised order.
//
// It returns an error, without calling f, if the policy is invalid or its space cannot be used. If the launch
// was cancelled, it returns an error that wraps the context's cause. If f panics, ParallelFor panics with a
// [*Panic].
func ParallelFor[Index any, P Policy[Index]](p P, f func(i Index)) error {
	var plan policy.Plan
	items.PlanOf[Index](&plan, &p)
	if f == nil {
		return launch.Refuse(&plan, items.ErrNilFunctor)
	}
	if f, ok := any(f).(func(*team.Member)); ok && plan.Team.Size > 0 {
		return league.Launch(&plan, f)
	}
	j, k := launch.Take[loops.For]()
	launch.Keep[items.PointsOf[Index, P]](j).Of(&k.Items, p, &plan)
	k.Functor = f
	if environment.Watches(plan.Space) {
		k.Loop = loops.NewFor(checked.For(f), &k.Items)
	} else {
		k.Loop = k.Compile(loops.NewFor(f, &k.Items))
	}
	return j.Launch(&plan, k)
}
