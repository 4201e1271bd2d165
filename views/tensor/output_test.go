package tensor_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
	"github.com/gokkos/gokkos/views/tensor/bfloat16"
)

// scaled returns what Reduce makes of results, of one element each, and old contents. The elements are numbers of
// results, whatever the type of these: what depends on it is made for each.
func scaled[T any](results, old []T, alpha, beta float64) ([]T, error) {
	numbers := make([]int, len(results))
	for k := range numbers {
		numbers[k] = k
	}
	x := views.Must(views.Of("x", numbers, []int{len(numbers)}))
	y := views.Must(views.Of("y", old, []int{len(numbers)}))
	to := tensor.IntoMap(y, func(k, _ int) T { return results[k] })
	return old, tensor.Reduce(tensor.Over(x), tensor.Fold(builtin.Sum[int], to.Scaled(alpha, beta)))
}

func checkScaled[T any](t *testing.T, results, old []T, alpha, beta float64, want ...T) {
	t.Helper()
	got, err := scaled(results, old, alpha, beta)
	require.NoError(t, err)
	assert.Equal(t, want, got, "%T", want)
}

type celsius float32

// TestAlphaBetaOfEveryType has the other types.
func TestAlphaBeta(t *testing.T) {
	checkScaled(t, []float64{1, 2}, []float64{10, 20}, 3, 0.5, 8, 16)
	checkScaled(t, []float32{1, 2}, []float32{10, 20}, 3, 0.5, 8, 16)
	checkScaled(t, []float32{1, 2}, []float32{10, 20}, 1, 1, 11, 22)
	checkScaled(t, []celsius{1, 2}, []celsius{10, 20}, -2, 1, 8, 16)
	checkScaled(t, []complex128{1 + 2i}, []complex128{1i}, 2, 3, 2+7i)
	checkScaled(t, []int{7}, []int{100}, -2, 3, 286)
	checkScaled(t, []int8{100}, []int8{100}, 2, 1, 44) // wraps
	checkScaled(t, []uint32{3}, []uint32{1 << 15}, 1, 2, 1<<16+3)
	checkScaled(t, []int64{math.MaxInt64}, []int64{5}, 1, -1, math.MaxInt64-5) // no float64 is that
	// Products are rounded, not fused with the sum.
	const x = 1 + 0x1p-30
	checkScaled(t, []float64{x}, []float64{-(1 + 0x1p-29)}, x, 1, 0)

	_, err := scaled([]int{1}, []int{2}, 0.5, 0)
	assert.EqualError(t, err, `tensor: output "y" [1]: integers of type int scaled by alpha 0.5 and beta 0, expected integers`)
	_, err = scaled([]int{1}, []int{2}, 1, math.NaN())
	assert.EqualError(t, err, `tensor: output "y" [1]: integers of type int scaled by alpha 1 and beta NaN, expected integers`)
	_, err = scaled([]bool{true}, []bool{true}, 2, 0)
	assert.EqualError(t, err, `tensor: output "y" [1]: elements of type bool cannot be scaled, expected numbers`)
	_, err = scaled([]bool{true}, []bool{false}, 1, 0)
	assert.NoError(t, err)
}

// Old contents are those of the same result, in any layout and with or without the
// reduced dimensions.
func TestAlphaBetaOfLayouts(t *testing.T) {
	x := views.Must(views.New[int]("x", []int{3, 4, 5}))
	require.NoError(t, views.Fill(x, 1))
	for _, extents := range [][]int{{3, 5}, {3, 1, 5}} {
		for _, order := range []views.Layout{views.Right, views.Left} {
			y := views.Must(views.New[int]("y", extents, order))
			index, want := make([]int, len(extents)), []int(nil)
			for k := range y.Len() {
				y.Set(index, k)
				want = append(want, 2*4+10*k)
				next(index, extents)
			}
			require.NoError(t, tensor.Reduce(tensor.Over(x, 1), tensor.Fold(builtin.Sum[int], tensor.Into(y).Scaled(2, 10))))
			assert.Equal(t, want, list(y))
		}
	}
}

func TestBetaZeroNeverReads(t *testing.T) {
	nan := math.NaN()
	for _, alpha := range []float64{1, 2} {
		checkScaled(t, []float64{3}, []float64{nan}, alpha, 0, 3*alpha)
		checkScaled(t, []float32{3}, []float32{float32(nan)}, alpha, 0, float32(3*alpha))
		checkScaled(t, []complex128{3}, []complex128{complex(nan, nan)}, alpha, 0, complex(3*alpha, 0))
		y := views.Must(views.Of("y", []bfloat16.BFloat16{bfloat16.FromFloat32(float32(nan))}, []int{1}))
		x := views.Must(views.Of("x", []float32{3}, []int{1}))
		require.NoError(t, tensor.Reduce(tensor.Over(x), tensor.Fold(builtin.Sum[float32],
			tensor.IntoMap(y, func(a float32, _ int) bfloat16.BFloat16 { return bfloat16.FromFloat32(a) }).Scaled(alpha, 0))))
		assert.Equal(t, float32(3*alpha), y.At(0).Float32())
	}
}

// Nor is 0 added, which would make +0 of -0.
func TestBetaZeroKeepsTheSign(t *testing.T) {
	for _, alpha := range []float64{1, 2} {
		y, err := scaled([]float64{math.Copysign(0, -1)}, []float64{5}, alpha, 0)
		require.NoError(t, err)
		assert.True(t, y[0] == 0 && math.Signbit(y[0]), "%v", y)
	}
}

// nearest returns the number next to x that has that many bits of fraction.
func nearest(x float64, bits uint) float64 {
	y, _ := new(big.Float).SetMode(big.ToNearestEven).SetPrec(bits + 1).SetFloat64(x).Float64()
	return y
}

// Scaled results of 16 bits are rounded once: float32 in between would round twice.
func TestScaledHalvesAreRoundedOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	twice := 0
	for range 5000 {
		// alpha is such that the product has bits far behind those of the result.
		alpha := 1 + float64(rng.IntN(4096))/4096 + 0x1p-11*float64(rng.IntN(3)) + 0x1p-40*float64(rng.IntN(3)-1)
		r := float32(1 + rng.IntN(8))
		h := float16.Fromfloat32(r)
		y, err := scaledHalf(h, alpha)
		require.NoError(t, err)
		want := nearest(alpha*float64(r), 10)
		require.Equal(t, want, float64(y.Float32()), "%v * %v", alpha, r)
		if float64(float16.Fromfloat32(float32(alpha*float64(r))).Float32()) != want {
			twice++
		}
		b, err := scaledBrain(bfloat16.FromFloat32(r), alpha)
		require.NoError(t, err)
		require.Equal(t, nearest(alpha*float64(r), 7), float64(b.Float32()), "%v * %v", alpha, r)
	}
	assert.NotZero(t, twice, "the values do not tell the two apart")
}

func scaledHalf(x float16.Float16, alpha float64) (float16.Float16, error) {
	y, err := scaled([]float16.Float16{x}, []float16.Float16{float16.NaN()}, alpha, 0)
	return y[0], err
}

func scaledBrain(x bfloat16.BFloat16, alpha float64) (bfloat16.BFloat16, error) {
	y, err := scaled([]bfloat16.BFloat16{x}, []bfloat16.BFloat16{0x7fff}, alpha, 0)
	return y[0], err
}

// Input float16, accumulated in float32, output bfloat16, and the other way round.
func TestFloat16(t *testing.T) {
	x := views.Must(views.New[float16.Float16]("x", []int{40, 300}, views.Left))
	rng := rand.New(rand.NewPCG(5, 6))
	index := make([]int, 2)
	for range x.Len() {
		x.Set(index, float16.Fromfloat32(float32(rng.NormFloat64())))
		next(index, x.Extents())
	}
	for _, dims := range subsets(2) {
		kept, lists := elements(x, dims)
		means, narrow := views.Must(views.New[bfloat16.BFloat16]("means", kept)), views.Must(views.New[float16.Float16]("squares", kept))
		require.NoError(t, tensor.Reduce(tensor.Over(x, dims...),
			tensor.FoldMap(float16.Float16.Float32, builtin.Sum[float32], tensor.IntoMap(means, func(s float32, n int) bfloat16.BFloat16 {
				return bfloat16.FromFloat32(s / float32(n))
			})),
			tensor.FoldMap(float16.Float16.Float32, builtin.SumSq[float32], tensor.IntoMap(narrow, func(s float32, n int) float16.Float16 {
				return float16.Fromfloat32(s / float32(n))
			}))))
		gotMeans, gotNarrow := list(means), list(narrow)
		for k, half := range lists {
			values := make([]float32, len(half))
			for i, h := range half {
				values[i] = h.Float32()
			}
			sum, squares := fold(t, 0, values, builtin.Sum[float32]), fold(t, 0, values, builtin.SumSq[float32])
			n := float32(len(values))
			require.Equal(t, bfloat16.FromFloat32(sum/n), gotMeans[k])
			require.Equal(t, float16.Fromfloat32(squares/n), gotNarrow[k])
		}
	}
}

func TestBFloat16(t *testing.T) {
	x := views.Must(views.New[bfloat16.BFloat16]("x", []int{2000}))
	for k := range 2000 {
		x.Set([]int{k}, bfloat16.FromFloat32(float32(k%7)+0.25))
	}
	y := views.Must(views.Of("y", []bfloat16.BFloat16{bfloat16.FromFloat32(1)}, nil))
	exact := views.Must(views.New[float64]("exact", nil))
	require.NoError(t, tensor.Reduce(tensor.Over(x, 0),
		tensor.FoldMap(bfloat16.BFloat16.Float32, builtin.Max[float32], tensor.IntoMap(y, func(m float32, _ int) bfloat16.BFloat16 {
			return bfloat16.FromFloat32(m)
		}).Scaled(2, -0.5)),
		tensor.FoldMap(func(b bfloat16.BFloat16) float64 { return float64(b.Float32()) }, builtin.Sum[float64], tensor.Into(exact))))
	assert.Equal(t, float32(12), y.At().Float32())
	assert.Equal(t, 6495.0, exact.At())
}
