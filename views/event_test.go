package views_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

func TestEventsOfViews(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	var told []tools.Event
	stop := tools.Listen(func(e tools.Event) func(error) {
		told = append(told, e)
		return nil
	})
	x := views.Must(views.New[float32]("x", []int{30, 2}))
	y := views.Must(views.NewIn[float32](sim.Memory(), "y", []int{30, 2}))
	require.NoError(t, views.DeepCopy(y, x, policy.On(exec.Serial{})))
	_, err := views.NewIn[*int](sim.Memory(), "z", []int{0}) // which holds no pointers
	require.Error(t, err)
	stop()
	require.NotEmpty(t, told)
	for k := range told {
		if told[k].Kind == tools.For { // the launch of the copy
			told = append(told[:k], told[k+1:]...)
			break
		}
	}
	memory := sim.Memory().String()
	assert.Equal(t, []tools.Event{
		{Kind: tools.Allocation, Label: `"x" [30 2]`, Space: "Host", Bytes: 240},
		{Kind: tools.Allocation, Label: `"y" [30 2]`, Space: memory, Bytes: 240},
		{Kind: tools.Copy, Label: `"x" [30 2] to "y" [30 2]`, From: "Host", Space: memory, Bytes: 240},
		{Kind: tools.Allocation, Label: `"z" [0]`, Space: memory},
	}, told)
}
