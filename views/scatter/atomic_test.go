package scatter_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/scatter"
)

// An atomic scatter has the results of the other one, in any layout.
func TestAtomic(t *testing.T) {
	const n = 3000
	cells := func(k int) (i, j int) { return k * 7 % 5, k * k % 11 }
	layouts := map[string]func() views.View[int32]{
		"right": func() views.View[int32] { return views.Must(views.New[int32]("y", []int{5, 11})) },
		"left":  func() views.View[int32] { return views.Must(views.New[int32]("y", []int{5, 11}, views.Left)) },
		"gaps": func() views.View[int32] {
			return views.Must(views.Must(views.New[int32]("y", []int{5, 23})).Sub(views.All(), views.Range(1, 23).By(2)))
		},
	}
	operations := map[string][2]func(v views.Viewer[int32]) reducers.Reducer[scatter.Access[int32]]{
		"Sum":  {plain(scatter.Sum[int32]), scatter.AtomicSum[int32]},
		"Prod": {plain(scatter.Prod[int32]), scatter.AtomicProd[int32]},
		"Min":  {plain(scatter.Min[int32]), scatter.AtomicMin[int32]},
		"Max":  {plain(scatter.Max[int32]), scatter.AtomicMax[int32]},
	}
	for name, r := range operations {
		for layout, make := range layouts {
			for _, space := range spaces(t) {
				want, got := make(), make()
				require.NoError(t, views.Fill(want, 3))
				require.NoError(t, views.Fill(got, 3))
				f := func(k int, acc *scatter.Access[int32]) {
					i, j := cells(k)
					acc.Combine2(i, j, int32(k-1000)|1)
				}
				p := policy.Range(0, n).On(space)
				require.NoError(t, exec.ParallelReduce(p, f, r[0](want)))
				require.NoError(t, exec.ParallelReduce(p, f, r[1](got)))
				assert.Equal(t, elements(want), elements(got), "%s, layout %s, %s", name, layout, space.Name())
			}
		}
	}
}

func plain(r func(v views.Viewer[int32], on ...policy.Launch) reducers.Reducer[scatter.Access[int32]]) func(v views.Viewer[int32]) reducers.Reducer[scatter.Access[int32]] {
	return func(v views.Viewer[int32]) reducers.Reducer[scatter.Access[int32]] { return r(v) }
}

func elements[T any](v views.View[T]) (x []T) {
	for e := range v.Values() {
		x = append(x, e)
	}
	return x
}

// The least of floats is that of Go's min, whoever comes first.
func TestAtomicMinOfFloats(t *testing.T) {
	for _, space := range spaces(t) {
		y := views.Must(views.New1[float64]("y", 3))
		x := []float64{math.Copysign(0, -1), math.NaN(), -2}
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 300).On(space), func(k int, acc *scatter.Access[float64]) {
			acc.Combine1(k%3, x[k%3])
		}, scatter.AtomicMin(y)))
		assert.Equal(t, bitsOf(x), bitsOf(elements(y.View)), space.Name())
	}
}

// A view in the memory of a device is added to by the functors there, and by the host when
// they are done.
func TestMemoryOfDevice(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200())
	y := views.Must(views.NewIn[int](sim.Memory(), "y", []int{4}))
	require.NoError(t, views.Fill(y, 10))
	f := func(k int, acc *scatter.Access[int]) { acc.Combine1(k%3, 1) }
	p := policy.Range(0, 300).On(sim)
	require.NoError(t, exec.ParallelReduce(p, f, scatter.Sum(y)))
	require.NoError(t, exec.ParallelReduce(p, f, scatter.AtomicSum(y)))
	host := views.Must(views.MirrorCopy[int](views.Host, y))
	assert.Equal(t, []int{210, 210, 210, 10}, elements(host))
}

func TestLargestRank(t *testing.T) {
	extents := []int{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 3}
	y := views.Must(views.New[int]("y", extents))
	index := make([]int, 12)
	index[11], index[1] = 2, 1
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 5), func(k int, acc *scatter.Access[int]) { acc.Combine(index, k) }, scatter.Sum(y)))
	assert.Equal(t, 10, y.At(index...))
}
