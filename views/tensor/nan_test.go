package tensor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

func TestNaNModes(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	rows := [][]float64{
		{3, 1, 4, 1, -5}, {nan, 1, -4, 1, nan}, {2, 7, nan, 7, 2}, {nan, nan, nan, nan, nan}, {nan, inf, inf, nan, inf},
	}
	x := views.Must(views.New[float64]("x", []int{5, 5}))
	for i, row := range rows {
		for j, v := range row {
			x.Set([]int{i, j}, v)
		}
	}
	floats := func() views.View[float64] { return views.Must(views.New[float64]("y", []int{5})) }
	ints := func() views.View[int] { return views.Must(views.New[int]("at", []int{5})) }
	for _, layout := range []string{"rows", "columns"} {
		s := tensor.Over(x, 1)
		if layout == "columns" {
			s = tensor.Over(x.Transpose(), 0)
		}
		low, high, far, argLow, argHigh, argFar := floats(), floats(), floats(), ints(), ints(), ints()
		require.NoError(t, tensor.Reduce(s,
			tensor.Fold(builtin.Min[float64], tensor.Into(low)),
			tensor.Fold(builtin.Max[float64], tensor.Into(high)),
			tensor.Fold(builtin.AMax[float64], tensor.Into(far)),
			tensor.Fold(builtin.MinLoc[float64, int], tensor.IntoMap(argLow, tensor.Index[float64])),
			tensor.Fold(builtin.MaxLoc[float64, int], tensor.IntoMap(argHigh, tensor.Index[float64])),
			tensor.FoldMap(tensor.Abs[float64], builtin.MaxLoc[float64, int], tensor.IntoMap(argFar, tensor.Index[float64]))))
		same(t, []float64{-5, nan, nan, nan, nan}, list(low))
		same(t, []float64{4, nan, nan, nan, nan}, list(high))
		same(t, []float64{5, nan, nan, nan, nan}, list(far))
		assert.Equal(t, []int{4, 0, 2, 0, 0}, list(argLow))
		assert.Equal(t, []int{2, 0, 2, 0, 0}, list(argHigh))
		assert.Equal(t, []int{4, 0, 2, 0, 0}, list(argFar))

		values := floats()
		require.NoError(t, tensor.Reduce(s,
			tensor.Fold(tensor.IgnoreNaN(builtin.Min[float64]), tensor.Into(low)),
			tensor.Fold(tensor.IgnoreNaN(builtin.Max[float64]), tensor.Into(high)),
			tensor.Fold(tensor.IgnoreNaN(builtin.AMax[float64]), tensor.Into(far)),
			tensor.Fold(tensor.IgnoreNaN(builtin.MinLoc[float64, int]), tensor.IntoMap(argLow, tensor.Index[float64]), tensor.IntoMap(values, tensor.Value[float64])),
			tensor.Fold(tensor.IgnoreNaN(builtin.MaxLoc[float64, int]), tensor.IntoMap(argHigh, tensor.Index[float64])),
			tensor.FoldMap(tensor.Abs[float64], tensor.IgnoreNaN(builtin.MaxLoc[float64, int]), tensor.IntoMap(argFar, tensor.Index[float64]))))
		same(t, []float64{-5, -4, 2, inf, inf}, list(low))
		same(t, []float64{4, 1, 7, -inf, inf}, list(high))
		same(t, []float64{5, 4, 7, 0, inf}, list(far))
		assert.Equal(t, []int{4, 2, 0, -1, 1}, list(argLow))
		assert.Equal(t, []int{2, 1, 1, -1, 1}, list(argHigh))
		assert.Equal(t, []int{4, 2, 1, -1, 1}, list(argFar))
		same(t, []float64{-5, -4, 2, inf, inf}, list(values))
	}
}

// same compares values, where NaNs are equal.
func same(t *testing.T, want, got []float64) {
	t.Helper()
	require.Len(t, got, len(want))
	for k := range want {
		assert.True(t, want[k] == got[k] || want[k] != want[k] && got[k] != got[k], "%d: %v, expected %v", k, got[k], want[k])
	}
}

// Of equal values, the first one is found, wherever they are and whoever finds them.
func TestArgMinFirstIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	x := views.Must(views.New[int32]("x", []int{4, 30, 3, 50}))
	memory, _ := x.Slice()
	for k := range memory {
		memory[k] = int32(rng.IntN(3))
	}
	for _, dims := range subsets(4) {
		kept, lists := elements(x, dims)
		want := make([]int, len(lists))
		for k, list := range lists {
			for i, v := range list {
				if v < list[want[k]] {
					want[k] = i
				}
			}
		}
		for _, space := range append(spaces(t), exec.Space(exec.Serial{})) {
			for _, strategy := range strategies {
				at := views.Must(views.New[int]("at", kept))
				require.NoError(t, tensor.Reduce(tensor.Over(x, dims...).On(space).WithStrategy(strategy),
					tensor.Fold(builtin.MinLoc[int32, int], tensor.IntoMap(at, tensor.Index[int32]))))
				require.Equal(t, want, list(at), "%v", dims)
			}
		}
	}
}

// IgnoreNaN has the bits of the list without NaNs.
func TestIgnoreNaNOfLongReductions(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	x := views.Must(views.New[float64]("x", []int{5000, 20}))
	memory, _ := x.Slice()
	for k := range memory {
		if memory[k] = rng.NormFloat64(); rng.IntN(3) == 0 {
			memory[k] = math.NaN()
		}
	}
	_, lists := elements(x, []int{0})
	y, at := views.Must(views.New[float64]("y", []int{20})), views.Must(views.New[int]("at", []int{20}))
	require.NoError(t, tensor.Reduce(tensor.Over(x, 0),
		tensor.Fold(tensor.IgnoreNaN(builtin.Max[float64]), tensor.Into(y)),
		tensor.Fold(tensor.IgnoreNaN(builtin.MaxLoc[float64, int]), tensor.IntoMap(at, tensor.Index[float64]))))
	for k, list := range lists {
		best := -1
		for i, v := range list {
			if v == v && (best < 0 || v > list[best]) {
				best = i
			}
		}
		require.Equal(t, list[best], y.At(k))
		require.Equal(t, best, at.At(k))
	}
}
