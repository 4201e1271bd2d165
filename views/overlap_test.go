package views_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/views"
)

func TestOverlap(t *testing.T) {
	sim := exec.NewSimGPU(gpu.Device{})
	defer sim.Close()
	a := views.Must(views.New2[float64]("a", 6, 4))
	column := func(k int) views.View[float64] { return views.Must(a.Sub(views.All(), views.Index(k))) }
	empty := views.Must(a.Sub(views.Range(2, 2), views.All()))
	device := views.Must(views.NewIn[float64](sim.Memory(), "b", []int{6, 4}))
	assert.True(t, views.Overlap(a, column(3)))
	assert.True(t, views.Overlap(column(2), views.Must(a.Sub(views.Range(1, 3), views.Range(2, 4)))))
	assert.False(t, views.Overlap(column(1), column(2)), "of one matrix")
	assert.False(t, views.Overlap(a, empty))
	assert.False(t, views.Overlap(a, device))
	assert.True(t, views.Overlap(device, device), "in memory that the host may not touch")
	assert.False(t, views.Overlap[float64, float64](nil, a))
	assert.False(t, views.Overlap[float64, float64](a, nil))
	var none *views.View1[float64]
	assert.False(t, views.Overlap[float64, float64](none, a))
	assert.False(t, views.Overlap[float64, float64](a, none))
	assert.ErrorContains(t, views.DeepCopy(none, a), "nil view")
	assert.ErrorContains(t, views.DeepCopy(a, none), "nil view")
	assert.True(t, views.Overlap(&a, a), "a pointer to a view is one")
}
