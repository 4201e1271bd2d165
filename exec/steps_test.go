package exec_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// stepping is a device that gives every k-th leaf an order of its own, and opens that many
// workers.
type stepping struct{ every, workers int }

func (stepping) Name() string     { return "stepping" }
func (stepping) Concurrency() int { return 1 }
func (s stepping) Launch(g space.Grid, j space.Job) error {
	steps := j.(device.Stepper).Steps()
	parts := steps.Parts()
	j.Open(s.workers, max(g.Leaves, 1))
	for leaf := range g.Leaves {
		items := min(g.Leaf, g.Items-leaf*g.Leaf)
		var order []int
		if s.every > 0 && leaf%s.every == 0 && items%g.Lanes == 0 {
			order = rand.Perm(g.Lanes)
		}
		steps.RunLanes(leaf, leaf, order)
		for k, c := range parts.Columns {
			for h := c.Lanes / 2; h > 0; h /= 2 {
				for l := 0; l < h && l+h < items; l++ {
					steps.JoinLanes(k, l, l+h)
				}
			}
			steps.EndLanes(k, leaf)
		}
	}
	for w := 1; w < g.Leaves; w *= 2 {
		for k := 0; k+w < g.Leaves; k += 2 * w {
			steps.JoinColumns(k, k+w, nil)
		}
	}
	return nil
}

// Results are the same whichever leaves a device gives an order.
func TestStepsOfAnyDevice(t *testing.T) {
	type affine struct{ a, b uint64 }
	join := func(d, s *affine) { *d = affine{d.a * s.a, d.b*s.a + s.b} }
	one := reducers.Init(func(v *affine) { *v = affine{1, 0} })
	f := func(i int, acc *affine) {
		x := uint64(i)*0x9e3779b97f4a7c15 | 1
		*acc = affine{acc.a * x, acc.b*x + x>>7}
	}
	for name, on := range map[string]stepping{
		"ascending":           {0, 1},
		"orders":              {1, 1},
		"orders now and then": {2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{17, 1000, 100_000} {
				var want, got affine
				require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(exec.Serial{}), f, reducers.New(&want, join, one)))
				require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(on), f, reducers.New(&got, join, one)))
				assert.Equal(t, want, got, "%d items", n)
			}
		})
	}
}

// What a device does against the contract of steps is an error, and no panic.
func TestMisuseOfSteps(t *testing.T) {
	for name, c := range map[string]struct {
		says string
		take func(g space.Grid, j space.Job, steps device.Steps)
	}{
		"workers": {"steps with 2 workers, expected 1", func(g space.Grid, j space.Job, _ device.Steps) { j.Open(2, g.Leaves) }},
		"leaf": {"which are not a node", func(g space.Grid, j space.Job, steps device.Steps) {
			j.Open(1, g.Leaves)
			steps.RunLanes(g.Leaves, 0, nil)
		}},
		"slot": {"having opened 1 workers and 3 slots", func(_ space.Grid, j space.Job, steps device.Steps) {
			j.Open(1, 3)
			steps.RunLanes(0, 3, nil)
		}},
		"column": {"column 1 and slot 0, there are 1 columns", func(_ space.Grid, j space.Job, steps device.Steps) {
			j.Open(1, 3)
			steps.RunLanes(0, 0, nil)
			steps.EndLanes(1, 0)
		}},
		"slot of a column": {"column 0 and slot 5", func(_ space.Grid, j space.Job, steps device.Steps) {
			j.Open(1, 3)
			steps.RunLanes(0, 0, nil)
			steps.EndLanes(0, 5)
		}},
		"lanes": {"joined lanes 0 and 99 of column 0", func(_ space.Grid, j space.Job, steps device.Steps) {
			j.Open(1, 3)
			steps.RunLanes(0, 0, nil)
			steps.JoinLanes(0, 0, 99)
		}},
		"collected from nowhere": {"column 0 and slot 7", func(_ space.Grid, j space.Job, steps device.Steps) {
			j.Open(1, 3)
			steps.Collect(0, 0, 7, true)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			result := 7
			on := taking(func(g space.Grid, j space.Job) { c.take(g, j, j.(device.Stepper).Steps()) })
			err := exec.ParallelReduce(policy.Range(0, 1000).On(on), func(_ int, acc *int) { *acc++ }, builtin.Sum(&result))
			assert.ErrorContains(t, err, c.says)
			assert.Equal(t, 7, result)
		})
	}
}

// taking is a space that does one thing.
type taking func(g space.Grid, j space.Job)

func (taking) Name() string     { return "taking" }
func (taking) Concurrency() int { return 1 }
func (f taking) Launch(g space.Grid, j space.Job) error {
	f(g, j)
	return nil
}
