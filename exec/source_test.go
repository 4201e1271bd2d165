package exec_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// A fold of products has the bits of a functor that rounds each product, on every space
// and with every set of instructions.
func TestProducts(t *testing.T) {
	two := exec.NewGoroutines(2)
	t.Cleanup(func() { assert.NoError(t, two.Close()) })
	for _, items := range []struct{ n, chunk int }{
		{0, 0}, {1, 0}, {33, 0}, {300, 0}, {1000, 0}, {3000, 0}, {5000, 0}, {70_001, 0}, {200_001, 0},
		{300, 4}, {40_000, 16384}, {40_000, 65536}, {70_001, 256},
	} {
		t.Run(fmt.Sprint(items), func(t *testing.T) {
			n := items.n
			x, y := make([]float64, n+3), make([]float64, n+5)
			for i := range x {
				x[i], y[i] = value(i), noise(i+7)
			}
			p := policy.Range(3, n+3).Chunk(items.chunk)
			var want, wantOrdered, low float64
			product := func(i int, acc *float64) { *acc += float64(x[i] * y[i]) }
			require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), product, builtin.Sum(&want)))
			require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), product, reducers.Ordered(builtin.Sum(&wantOrdered))))
			for _, space := range []exec.Space{exec.Serial{}, two, exec.NewSimGPU(gpu.H200())} {
				for _, l := range []simd.Level{simd.None, simd.AVX2, simd.AVX512} {
					_, undo := simd.Limit(l)
					var dot float64
					s := exec.Products(p.On(space), x, y)
					assert.NoError(t, exec.ParallelFold(s, builtin.Sum(&dot)))
					assert.Equal(t, math.Float64bits(want), math.Float64bits(dot), "%s, %v", space.Name(), l)
					dot = 0
					assert.NoError(t, exec.ParallelFold(s, builtin.Min(&low), builtin.Sum(&dot)))
					assert.Equal(t, math.Float64bits(want), math.Float64bits(dot), "%s, %v, of two folds", space.Name(), l)
					assert.NoError(t, exec.ParallelFold(s, reducers.Ordered(builtin.Sum(&dot))))
					assert.Equal(t, math.Float64bits(wantOrdered), math.Float64bits(dot), "%s, %v, ordered", space.Name(), l)
					undo()
				}
			}
		})
	}
}

func TestProductsOutOfRange(t *testing.T) {
	x, y := make([]float32, 10), make([]float32, 9)
	dot := float32(7)
	fold := func(begin, end int, x, y []float32) error {
		return exec.ParallelFold(exec.Products(policy.Range(begin, end), x, y), builtin.Sum(&dot))
	}
	assert.EqualError(t, fold(1, 10, x, y), "exec: Products over Range(1, 10) of slices of lengths 10 and 9, expected 0 <= begin <= end <= 9")
	assert.EqualError(t, fold(0, 10, y, x), "exec: Products over Range(0, 10) of slices of lengths 9 and 10, expected 0 <= begin <= end <= 9")
	assert.EqualError(t, fold(-1, 3, x, y), "exec: Products over Range(-1, 3) of slices of lengths 10 and 9, expected 0 <= begin <= end <= 9")
	assert.EqualError(t, fold(-5, -5, x, y), "exec: Products over Range(-5, -5) of slices of lengths 10 and 9, expected 0 <= begin <= end <= 9")
	assert.ErrorContains(t, fold(3, 2, x, y), "policy: ")
	assert.EqualValues(t, 7, dot)
	require.NoError(t, fold(9, 9, x, y))
	assert.Zero(t, dot)
}

// One fold takes all of a leaf at once, and several take it in pieces: the values are
// the same, and come in order.
func TestFoldsTakeAllValues(t *testing.T) {
	x := make([]float64, 300_001)
	for i := range x {
		x[i] = value(i)
	}
	var alone, first, second, low float64
	p := policy.Range(1, len(x)).On(exec.Serial{})
	for _, chunk := range []int{1, 1000, 1 << 12, 1 << 14} {
		require.NoError(t, exec.ParallelReduce(p.Chunk(chunk), func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&second)))
		require.NoError(t, exec.ParallelFold(exec.Slice(p.Chunk(chunk), x), builtin.Sum(&alone)))
		require.NoError(t, exec.ParallelFold(exec.Slice(p.Chunk(chunk), x), builtin.Max(&low), builtin.Sum(&first)))
		assert.Equal(t, math.Float64bits(second), math.Float64bits(alone), "chunk %d", chunk)
		assert.Equal(t, math.Float64bits(second), math.Float64bits(first), "chunk %d, two folds", chunk)
	}
}
