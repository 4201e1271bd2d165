package exec_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// stranger is a space of a few lines, as anybody may write it.
type stranger struct {
	*space.Engines
	launches *int
}

func (stranger) Name() string     { return "stranger" }
func (stranger) Concurrency() int { return 1 }
func (s stranger) Launch(g space.Grid, j space.Job) error {
	*s.launches++
	space.Alone(g, j)
	return nil
}

// A space that is none of ours launches from kept memory, as ours do, and scans in one pass.
func TestStrangersAllocateLittle(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	on := stranger{new(space.Engines), new(int)}
	defer on.Close()
	var sum float64
	x := make([]float64, 100_000)
	one, many, teams := policy.Range(0, 1).On(on), policy.Range(0, len(x)).On(on), policy.Team(1, 32).On(on)
	for _, c := range []struct {
		what   string
		most   float64
		launch func() error
	}{
		{"reduce of one item", 2, func() error {
			return exec.ParallelReduce(one, func(_ int, acc *float64) { *acc++ }, builtin.Sum(&sum))
		}},
		{"scan of 1e5", 5, func() error {
			return exec.ParallelScan(many, func(i int, acc *float64, final bool) {
				if final {
					x[i] = *acc
				}
				*acc++
			}, builtin.Sum(&sum))
		}},
		{"team of 32 with a barrier", 30, func() error {
			return exec.ParallelFor(teams, func(m *team.Member) { m.Barrier() })
		}},
	} {
		*on.launches = 0
		allocs := testing.AllocsPerRun(20, func() { exec.Must(c.launch()) })
		assert.Equal(t, 21, *on.launches, "%s: one launch each, and one to begin with", c.what)
		assert.LessOrEqual(t, allocs, c.most, c.what)
	}
	assert.EqualValues(t, len(x)-1, x[len(x)-1])
}
