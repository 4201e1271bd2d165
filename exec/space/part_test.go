package space_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/exectest"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// Parts have the optional parts of the whole: spaces that take steps, and such that have code
// of their own, run them as they would run launches.
func TestPartsOfSpaces(t *testing.T) {
	sim := exec.NewSimGPU(gpu.Device{})
	defer sim.Close()
	for name, on := range map[string]shared{
		"own code":  {&card{leaves: 1}, &runner{card: card{leaves: 4}, target: "go"}},
		"no code":   {&runner{card: card{leaves: 2}, target: "go"}, exec.Serial{}},
		"steps":     {sim.WithSchedule(5), sim},
		"of shares": {shared{exec.Serial{}, sim}, &card{leaves: 2}},
	} {
		t.Run(name, func(t *testing.T) { exectest.TestSpace(t, on) })
	}
}

func TestOwnCodeRunsParts(t *testing.T) {
	const n = 1000
	x, y, want := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i], want[i] = 1/float64(i+1), float64(i), float64(i)+3*(1/float64(i+1))
	}
	left, right := &runner{card: card{leaves: 1}, target: "go"}, &runner{card: card{leaves: 1}, target: "go"}
	on := shared{left, right}
	require.NoError(t, exec.ParallelFor(policy.Range(0, n).On(on), Axpy(3, x, y)))
	assert.Equal(t, want, y)
	assert.Equal(t, []bool{true, true, false, false}, []bool{left.own.Load() > 0, right.own.Load() > 0, left.ran.Load() > 0, right.ran.Load() > 0})

	a, b := &card{leaves: 1}, &card{leaves: 1}
	var got, serial float64
	fold := func(on exec.Space, to *float64) {
		require.NoError(t, exec.ParallelFold(exec.Products(policy.Range(7, n).On(on), x, y), builtin.Sum(to)))
	}
	fold(shared{a, b}, &got)
	fold(exec.Serial{}, &serial)
	assert.Equal(t, serial, got, "values are those of the part")
	assert.Equal(t, []bool{true, true}, []bool{a.own.Load() > 0, b.own.Load() > 0})

	_, part := space.Part(space.NewGrid(n, 0, false), nil, 0, 1)
	_, ok := part.(space.Folder).Fold()
	assert.False(t, ok, "a job that does not tell what it folds")
	assert.Nil(t, part.(space.Caller).Functor().Func)
}
