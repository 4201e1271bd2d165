package launch

import (
	"runtime/debug"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/policy"
)

// Prepare calls f, which calls methods of the launch's reducers. A panic in f becomes a panic of the launch,
// in all its items.
func Prepare(plan *policy.Plan, f func()) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil || !goexit.Runs() {
			panic(&space.Panic{Value: value, Stack: debug.Stack(), End: max(plan.Items, 0), Label: plan.Label})
		}
	}()
	f()
	returned = true
}
