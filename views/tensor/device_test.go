package tensor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

func TestMemoryOfDevice(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200())
	host := views.Must(views.Of2("x", []float64{1, 2, 3, 4, 5, 6}, 2, 3))
	x := views.Must(views.MirrorCopy[float64](sim.Memory(), host))
	y := views.Must(views.New1[float64]("y", 2))
	require.NoError(t, tensor.Reduce(tensor.Over(x, 1), tensor.Fold(builtin.Sum[float64], tensor.Into(y))))
	require.Equal(t, 6., y.At(0))
	z := views.Must(views.NewIn[float64](sim.Memory(), "z", []int{2}))
	require.NoError(t, tensor.Reduce(tensor.Over(x, 1).On(sim), tensor.Fold(builtin.Sum[float64], tensor.Into(z))))
	h := views.Must(views.MirrorCopy[float64](views.Host, z))
	require.Equal(t, 6., h.At(0))
	require.Error(t, tensor.Reduce(tensor.Over(x, 1).On(exec.Serial{}), tensor.Fold(builtin.Sum[float64], tensor.Into(y))))
}
