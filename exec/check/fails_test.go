//gokkosvet:ignore kernels that race

package check_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// A launch that does not end well says what was found, too: a race may be why.
func TestFindingsOfLaunchesThatFail(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	defer sim.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for name, c := range map[string]struct {
		run  func(x []int) error
		also error
	}{
		"panic": {func(x []int) error {
			return exec.ParallelFor(policy.Range(0, 10).On(sim), func(i int) { x[0]++; x[x[0]] = i })
		}, nil},
		"panic with an error": {func(x []int) error {
			return exec.ParallelFor(policy.Range(0, 10).On(sim), func(i int) {
				if x[0]++; i == 9 {
					panic(io.ErrUnexpectedEOF)
				}
			})
		}, io.ErrUnexpectedEOF},
		"panic of a member": {func(x []int) error {
			return exec.ParallelFor(policy.Team(2, 4).On(sim), func(m *team.Member) { x[0]++; x[x[0]] = 1 })
		}, nil},
		"divergence": {func(x []int) error {
			return exec.ParallelFor(policy.Team(1, 4).On(sim), func(m *team.Member) {
				if x[0]++; m.Rank() == 2 {
					m.Barrier()
				}
			})
		}, team.ErrDivergence},
		"cancel": {func(x []int) error {
			return exec.ParallelFor(policy.Range(0, 1000).WithContext(ctx).On(sim), func(i int) {
				if x[0]++; i == 9 {
					cancel()
				}
			})
		}, context.Canceled},
	} {
		err := func() (err error) {
			defer func() {
				if p, ok := recover().(*exec.Panic); ok {
					err = p
				}
			}()
			return c.run(make([]int, 4))
		}()
		require.Error(t, err, name)
		if c.also != nil {
			require.ErrorIs(t, err, c.also, name)
		}
		if r, _ := sim.LastReport(); r.Accesses == 0 && !errors.Is(err, check.ErrRace) {
			t.Skip("accesses are seen with -gcflags=-race")
		}
		require.ErrorIs(t, err, check.ErrRace, name)
		assert.Contains(t, err.Error(), "fails_test.go:", name)
		assert.NotContains(t, err.Error(), "space: the launch has failed", name)
	}
}
