package scan

import (
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// Units points to the most units of a scan.
var Units = &scanUnits

// On runs a scan that assumes nothing about how the space runs leaves. The scan is fused if asked for,
// whatever the type of its values.
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
