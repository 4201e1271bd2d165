package tensor_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/cardtest"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// Nothing on the host reads a tensor in the memory of a card: that is an error. Results can go
// there, by copies.
func TestCard(t *testing.T) {
	require.Equal(t, []string{"Into", "IntoMap", "Over"}, cardtest.EntryPoints(t, "."), "each is called here")
	card := cardtest.New(t, 1<<20)
	host := views.Must(views.Of2("x", []float64{1, 2, 3, 4, 5, 6}, 2, 3))
	x := views.Must(views.MirrorCopy(card.Memory(), host))
	y := views.Must(views.New1[float64]("y", 2))
	for _, s := range []tensor.Source[float64]{tensor.Over(x, 1), tensor.Over(x, 1).On(card), tensor.Map(tensor.Over(x, 1), tensor.Abs[float64])} {
		err := tensor.Reduce(s, tensor.Fold(builtin.Sum[float64], tensor.Into(y)))
		assert.EqualError(t, err, `tensor: Reduce of "x" [2 3] in the memory of Card, which functors cannot touch from the host; views.MirrorCopy or views.DeepCopy copies it`)
	}
	err := tensor.Reduce(tensor.Over(x, 1).On(exec.Serial{}), tensor.Fold(builtin.Sum[float64], tensor.Into(y)))
	assert.ErrorContains(t, err, "on the space serial, which cannot touch it")
	assert.Equal(t, 0., y.At(0))

	z := views.Must(views.AsStrided1(views.NewIn[float64](card.Memory(), "z", []int{2}, views.Stride{5})))
	sums := func(o tensor.Output[float64]) error {
		return tensor.Reduce(tensor.Over(host, 1), tensor.Fold(builtin.Sum[float64], o, tensor.Into(y)))
	}
	require.NoError(t, sums(tensor.Into(z)))
	assert.Equal(t, []float64{6, 15}, fetched(t, z))
	require.NoError(t, sums(tensor.Into(z).Scaled(2, 10)))
	assert.Equal(t, []float64{72, 180}, fetched(t, z))
	require.NoError(t, sums(tensor.IntoMap(z, tensor.Average[float64])))
	assert.Equal(t, []float64{2, 5}, fetched(t, z))

	broken := errors.New("a wire came off")
	card.FailNext(broken)
	assert.ErrorIs(t, sums(tensor.Into(z).Scaled(2, 10)), broken)
	assert.Equal(t, []float64{2, 5}, fetched(t, z))
}

// fetched returns the elements of a view of any memory.
func fetched(t *testing.T, v views.Viewer[float64]) (x []float64) {
	h, err := views.MirrorCopy(views.Host, views.As(v))
	require.NoError(t, err)
	for e := range h.Values() {
		x = append(x, e)
	}
	return x
}

func TestFreedMemory(t *testing.T) {
	device := exec.NewSimGPU(gpu.Device{})
	defer device.Close()
	x := views.Must(views.NewIn[float64](device.Memory(), "x", []int{4}))
	y := views.Must(views.New1[float64]("y", 1))
	before := tensor.Over(x, 0)
	require.NoError(t, views.Free(x))
	sum := func(s tensor.Source[float64], to ...tensor.Output[float64]) error {
		return tensor.Reduce(s, tensor.Fold(builtin.Sum[float64], to...))
	}
	for _, s := range []tensor.Source[float64]{tensor.Over(x, 0), before, tensor.Map(before, tensor.Abs[float64])} {
		assert.EqualError(t, sum(s, tensor.Into(y)), `tensor: Reduce of "x" [4], whose memory was freed`)
	}
	host := views.Must(views.Of1("host", []float64{1, 2, 3}))
	for _, m := range []views.MemorySpace{device.Memory(), cardtest.New(t, 1<<20).Memory()} {
		z := views.Must(views.NewIn[float64](m, "z", []int{}))
		to := tensor.Into(z)
		require.NoError(t, views.Free(z))
		for _, o := range []tensor.Output[float64]{to, tensor.Into(z).Scaled(2, 1), tensor.IntoMap(z, tensor.Average[float64])} {
			err := sum(tensor.Over(host, 0), tensor.Into(views.Must(y.Reshape())), o)
			assert.EqualError(t, err, `tensor: the output of "host" [3] is "z" [], whose memory was freed`)
		}
	}
	assert.Zero(t, y.At(0), "no other output is written")
}
