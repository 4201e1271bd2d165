package check_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/exectest"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
)

// smoothInPlace has a bug: item i writes x[i], which items i-1 and i+1 read.
func smoothInPlace(s exec.Space) ([]float64, error) {
	x := make([]float64, 1000)
	x[500] = 1
	err := exec.ParallelFor(policy.Range(1, len(x)-1).WithLabel("smooth").On(s), func(i int) {
		x[i] = (x[i-1] + x[i] + x[i+1]) / 3
	})
	return x, err
}

// smooth reads one array and writes another one.
func smooth(s exec.Space) ([]float64, error) {
	x, y := make([]float64, 1000), make([]float64, 1000)
	x[500] = 1
	err := exec.ParallelFor(policy.Range(1, len(x)-1).WithLabel("smooth").On(s), func(i int) {
		y[i] = (x[i-1] + x[i] + x[i+1]) / 3
	})
	return y, err
}

func TestSmooth(t *testing.T) {
	exectest.TestKernel(t, func(s exec.Space) any {
		y, err := smooth(s)
		require.NoError(t, err)
		return y
	})
}

// What docs/races.md says of the kernel that has a bug.
func TestSmoothInPlace(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	want, err := smoothInPlace(exec.Serial{})
	require.NoError(t, err)
	got, err := smoothInPlace(sim.WithSchedule(2))
	if allAreWatched() {
		t.Skip("all launches are watched, and this compares one that is not")
	}
	require.NoError(t, err)
	assert.NotEqual(t, want, got)
	_, err = smoothInPlace(sim.WithChecks())
	if err == nil {
		t.Skip("accesses are seen with -gcflags=-race")
	}
	require.ErrorIs(t, err, check.ErrRace)
	assert.EqualError(t, err, `check: launch "smooth" on H200, schedule 0:
race: two accesses to the same memory, one of them a write, that nothing orders
	item 2 reads at race_test.go:21
	item 1 writes at race_test.go:21, earlier in this schedule
	seen 1994 times, then by item 3 and item 2; item 4 and item 3
	do: write to memory that no other one reads, or split the launch in two`)
}
