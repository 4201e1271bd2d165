package simd_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/simd"
)

// extremes returns what a loop finds.
func extremes[T number](x []T) (low, high T) {
	low, high = x[0], x[0]
	for _, v := range x {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

func checkMinMax[T number](t *testing.T, kernels bool) {
	rng := rand.New(rand.NewPCG(17, 18))
	t.Run(fmt.Sprintf("%T", T(0)), func(t *testing.T) {
		at(t, func(t *testing.T, l simd.Level) {
			for n := range 301 {
				for _, offset := range []int{0, 1, 3} {
					x := make([]T, offset+n)[offset:]
					data(rng, x)
					low, high, took := simd.MinMax(x)
					require.Equal(t, kernels && l > simd.None && n >= simd.Lanes, took)
					if !took {
						continue
					}
					wantLow, wantHigh := extremes(x)
					if !same([]T{wantLow, wantHigh}, []T{low, high}) {
						t.Fatalf("%v and %v, expected %v and %v, of %v", low, high, wantLow, wantHigh, x)
					}
				}
			}
		})
	})
}

func TestMinMax(t *testing.T) {
	checkMinMax[float64](t, true)
	checkMinMax[float32](t, true)
	checkMinMax[celsius](t, true)
	checkMinMax[int64](t, true)
	checkMinMax[int32](t, true)
	checkMinMax[id](t, true)
	checkMinMax[uint8](t, false)
}

// Both ends of rows that are one value but for one place, which every lane and register is in turn.
func TestEndsOfOddRows(t *testing.T) {
	minus, nan, inf := math.Copysign(0, -1), math.NaN(), math.Inf(1)
	at(t, func(t *testing.T, l simd.Level) {
		for rows := 1; rows <= 4 && l > simd.None; rows++ {
			for place := range rows * simd.Lanes {
				for _, c := range []struct{ rest, odd float64 }{{1, nan}, {0, minus}, {minus, 0}, {2, 3}, {-3, -2}, {inf, -inf}, {-inf, nan}, {1, minus}, {-1, 0}} {
					x, y := make([]float64, rows*simd.Lanes), make([]float32, rows*simd.Lanes)
					for k := range x {
						x[k], y[k] = c.rest, float32(c.rest)
					}
					x[place], y[place] = c.odd, float32(c.odd)
					wantLow, wantHigh := extremes(x)
					low, high, _ := simd.MinMax(x)
					require.True(t, same([]float64{wantLow, wantHigh}, []float64{low, high}), "%v at %d of %d: %v, %v", c, place, len(x), low, high)
					low32, high32, _ := simd.MinMax(y)
					require.True(t, same([]float32{float32(wantLow), float32(wantHigh)}, []float32{low32, high32}), "%v at %d of %d: %v, %v", c, place, len(x), low32, high32)
				}
			}
		}
	})
}

func checkMoments[T float32 | float64](t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	t.Run(fmt.Sprintf("%T", T(0)), func(t *testing.T) {
		at(t, func(t *testing.T, l simd.Level) {
			for leaf := 256; leaf <= 4096; leaf *= 2 {
				assert.Equal(t, l > simd.None, simd.TakesMoments[T](leaf, simd.Lanes))
				for n := 1; n <= 7; n++ {
					x := make([]T, n*leaf+leaf/2+1)[1:]
					data(rng, x)
					if n%2 == 0 { // numbers only
						for k := range x {
							x[k] = T(rng.NormFloat64() + 5*float64(n%4))
						}
					}
					sums, squares := make([]T, n+1), make([]T, n+1)
					sums[n], squares[n] = 7, 8
					low, high, took := simd.Moments(sums[:n], squares[:n], x, leaf, simd.Lanes)
					if l == simd.None {
						require.Zero(t, took)
						continue
					}
					require.Equal(t, n, took)
					wantSums, wantSquares := make([]T, n), make([]T, n)
					for k := range n {
						part := x[k*leaf : (k+1)*leaf]
						wantSums[k] = leafOf(func(x, _ T) T { return x }, part, part, simd.Lanes)
						wantSquares[k] = leafOf(func(x, _ T) T { return T(x * x) }, part, part, simd.Lanes)
					}
					wantLow, wantHigh := extremes(x[:n*leaf])
					require.True(t, same(wantSums, sums[:n]), "sums of %d leaves of %d", n, leaf)
					require.True(t, same(wantSquares, squares[:n]), "squares of %d leaves of %d", n, leaf)
					require.True(t, same([]T{wantLow, wantHigh}, []T{low, high}), "%v and %v, expected %v and %v, of %d leaves of %d", low, high, wantLow, wantHigh, n, leaf)
					require.Equal(t, []T{7, 8}, []T{sums[n], squares[n]}, "beyond the end")
				}
			}
		})
	})
}

func TestMoments(t *testing.T) {
	checkMoments[float64](t)
	checkMoments[float32](t)
	var sums, squares [1]celsius
	low, high, n := simd.Moments(sums[:], squares[:], make([]celsius, 256), 256, simd.Lanes)
	assert.Equal(t, simd.InUse() > simd.None, n == 1)
	assert.Zero(t, low+high)
}

// An odd value at every place of a leaf is found by the one kernel of moments.
func TestMomentsOfOddLeaves(t *testing.T) {
	minus := math.Copysign(0, -1)
	at(t, func(t *testing.T, l simd.Level) {
		const leaf = 256
		for place := 0; place < 2*leaf && l > simd.None; place++ {
			for _, c := range []struct{ rest, odd float64 }{{1, math.NaN()}, {0, minus}, {minus, 0}, {2, 3}, {3, 2}} {
				x := make([]float64, 2*leaf)
				for k := range x {
					x[k] = c.rest
				}
				x[place] = c.odd
				wantLow, wantHigh := extremes(x)
				low, high, _ := simd.Moments(make([]float64, 2), make([]float64, 2), x, leaf, simd.Lanes)
				require.True(t, same([]float64{wantLow, wantHigh}, []float64{low, high}), "%v at %d: %v, %v", c, place, low, high)
			}
		}
	})
}

func TestMomentsWithoutKernels(t *testing.T) {
	x, sums := make([]float64, 1<<14), make([]float64, 4)
	none := func(name string, leaf, lanes int) {
		assert.False(t, simd.TakesMoments[float64](leaf, lanes), name)
		_, _, n := simd.Moments(sums, sums, x, leaf, lanes)
		assert.Zero(t, n, name)
	}
	none("few lanes", 128, 16)
	none("other lanes than the rule gives", 128, simd.Lanes)
	none("no power of two", 320, simd.Lanes)
	none("a leaf that is too long for one call", 1<<14, simd.Lanes)
	assert.False(t, simd.TakesMoments[int64](256, simd.Lanes))
	_, _, n := simd.Moments(sums, sums, x[:255:255], 256, simd.Lanes)
	assert.Zero(t, n, "less than a leaf")
	assert.Panics(t, func() { simd.Moments(sums, sums[:3:3], x, 256, simd.Lanes) })
}

// The sums of leaves join as the tree of the rule.
func TestJoinLeaves(t *testing.T) {
	var tree func(x []float64) float64
	tree = func(x []float64) float64 {
		if len(x) == 1 {
			return x[0]
		}
		half := 1
		for 2*half < len(x) {
			half *= 2
		}
		return tree(x[:half]) + tree(x[half:])
	}
	rng := rand.New(rand.NewPCG(21, 22))
	for n := 1; n <= 130; n++ {
		x := make([]float64, n)
		for k := range x {
			x[k] = rng.NormFloat64() * math.Exp2(float64(rng.IntN(30)))
		}
		require.Equal(t, tree(x), simd.JoinLeaves(append([]float64(nil), x...)), "%d leaves", n)
	}
}
