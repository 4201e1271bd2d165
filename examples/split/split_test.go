package split

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space/spacetest"
)

func TestSpaces(t *testing.T) {
	two := exec.NewGoroutines(2)
	defer two.Close()
	sim := exec.NewSimGPU(gpu.Device{})
	defer sim.Close()
	for _, inner := range [][]exec.Space{
		{exec.Serial{}},
		{exec.Serial{}, two},
		{sim.WithSchedule(3), exec.Serial{}},
		{two, exec.Serial{}, two, two, sim},
	} {
		on, err := Over(inner...)
		require.NoError(t, err)
		t.Run(on.Name(), func(t *testing.T) { spacetest.TestSpace(t, on) })
	}
}

func TestOverNothing(t *testing.T) {
	_, err := Over()
	require.EqualError(t, err, "split: no spaces, expected at least one")
	_, err = Over(exec.Serial{}, nil)
	require.EqualError(t, err, "split: a space is nil")
}
