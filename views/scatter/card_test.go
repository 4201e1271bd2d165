package scatter_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/cardtest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/scatter"
)

// A scatter into the memory of a card is an error before anything runs.
func TestCard(t *testing.T) {
	card := cardtest.New(t, 1<<20)
	y := views.Must(views.NewIn[int](card.Memory(), "y", []int{4}))
	require.NoError(t, views.Fill(y, 10))
	before := card.Counts()
	scatters := map[string]reducers.Reducer[scatter.Access[int]]{
		"Sum": scatter.Sum(y), "Prod": scatter.Prod(y), "Min": scatter.Min(y), "Max": scatter.Max(y),
		"AtomicSum": scatter.AtomicSum(y), "AtomicProd": scatter.AtomicProd(y), "AtomicMin": scatter.AtomicMin(y), "AtomicMax": scatter.AtomicMax(y),
	}
	require.Len(t, cardtest.EntryPoints(t, "."), len(scatters), "each is called here")
	scatters["Duplicated"] = scatter.Duplicated(scatter.Sum(y))
	for name, r := range scatters {
		for _, space := range []exec.Space{card, exec.Serial{}} {
			err := exec.ParallelReduce(policy.Range(0, 9).On(space), func(int, *scatter.Access[int]) { t.Error("the functor ran") }, r)
			assert.ErrorContains(t, err, ` into "y" [4] in the memory of Card, which functors cannot touch from the host; views.MirrorCopy or views.DeepCopy copies it`, name)
			assert.ErrorContains(t, err, "scatter: ", name)
		}
	}
	assert.Equal(t, before, card.Counts())
}

// Nothing is lost in memory that was freed.
func TestFreedMemory(t *testing.T) {
	device := exec.NewSimGPU(gpu.Device{})
	defer device.Close()
	y := views.Must(views.NewIn[int](device.Memory(), "y", []int{4}))
	before := scatter.Sum(y)
	require.NoError(t, views.Free(y))
	for _, r := range []reducers.Reducer[scatter.Access[int]]{scatter.Sum(y), before} {
		err := exec.ParallelReduce(policy.Range(0, 9).On(device), func(int, *scatter.Access[int]) { t.Error("the functor ran") }, r)
		assert.EqualError(t, err, `scatter: Sum into "y" [4], whose memory was freed`)
	}
}
