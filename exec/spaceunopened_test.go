package exec_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// unopened is a space that does not call Open.
type unopened struct {
	exec.Serial
	runs bool
}

func (unopened) Name() string { return "unopened" }
func (s unopened) Launch(g space.Grid, j space.Job) error {
	if s.runs && g.Leaves > 0 {
		j.Run(0, 0, g.Leaves, 0)
	}
	return nil
}

// A space that does not open a job is an error, also where the job has served a launch before.
func TestSpaceThatDoesNotOpen(t *testing.T) {
	for _, runs := range []bool{false, true} {
		for _, n := range []int{1000, 0} {
			for range 50 {
				for _, on := range []exec.Space{exec.Serial{}, exec.Serial{}, unopened{runs: runs}} {
					sum := 7
					add := func(_ int, acc *int) { *acc++ }
					scan := func(_ int, acc *int, _ bool) { *acc++ }
					_, serial := on.(exec.Serial)
					items := n
					if serial {
						items = 1000
					}
					for what, launch := range map[string]func() error{
						"reduce": func() error { return exec.ParallelReduce(policy.Range(0, items).On(on), add, builtin.Sum(&sum)) },
						"scan":   func() error { return exec.ParallelScan(policy.Range(0, items).On(on), scan, builtin.Sum(&sum)) },
					} {
						sum = 7
						var err error
						require.NotPanics(t, func() { err = launch() }, "%s of %d items, runs %v", what, items, runs)
						if serial {
							require.NoError(t, err)
						} else if n > 0 {
							require.Error(t, err, "%s of %d items, runs %v", what, items, runs)
							assert.Equal(t, 7, sum)
						}
					}
				}
			}
		}
	}
}
