package scan

import (
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// Units is how many units a scan has at most.
var Units = &scanUnits

// On is a scan on a space of which it is not known how it runs leaves, and fused all the same if asked for.
func On[A any](on space.Space, fused bool, p policy.RangePolicy, f func(i int, acc *A, final bool), r reducers.Reducer[A]) error {
	plan := p.Plan()
	plan.Whole = true
	s := new(scan[A])
	s.functor, s.ints, s.r, s.fused, s.group = f, erasedScan(f), r, fused, 1
	new(items.PointsOf[int, policy.RangePolicy]).Of(&s.Items, p, &plan)
	s.total.Reset(r)
	s.job = launch.NewJob(&plan, s, nil)
	return s.launch(on)
}
