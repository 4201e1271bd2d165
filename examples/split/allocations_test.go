//go:build !race

package split

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// A space of five lines pays no more than those of package exec.
func TestFiveLinesAllocateLittle(t *testing.T) {
	on := fiveLines{new(space.Engines)}
	defer on.Close()
	var sum float64
	x, y := make([]float64, 100_000), make([]float64, 100_000)
	for name, launch := range map[string]struct {
		most float64
		run  func() error
	}{
		"reduce of one item": {2, func() error {
			return exec.ParallelReduce(policy.Range(0, 1).On(on), func(_ int, acc *float64) { *acc++ }, builtin.Sum(&sum))
		}},
		"scan": {5, func() error {
			return exec.ParallelScan(policy.Range(0, len(x)).On(on), func(i int, acc *float64, final bool) {
				if final {
					y[i] = *acc
				}
				*acc += x[i]
			}, builtin.Sum(&sum))
		}},
		"team of 32 with a barrier": {30, func() error {
			return exec.ParallelFor(policy.Team(1, 32).On(on), func(m *team.Member) { m.Barrier() })
		}},
	} {
		got := testing.AllocsPerRun(20, func() { assert.NoError(t, launch.run()) })
		assert.LessOrEqual(t, got, launch.most, name)
	}
}
