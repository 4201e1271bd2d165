package exec_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// foldsBy makes folds whose results are float64s.
var foldsBy = map[string]func(*float64) builtin.Reduction[float64, float64]{
	"sum": builtin.Sum[float64], "squares": builtin.SumSq[float64], "low": builtin.Min[float64], "high": builtin.Max[float64],
	"norm": builtin.Norm2[float64], "product": builtin.Prod[float64],
}

// A sum, a sum of squares and both extremes, in whatever order and with whatever else beside them,
// have the bits that they have alone.
func TestMomentsHaveTheBitsOfEachAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	minus := math.Copysign(0, -1)
	many := exec.NewGoroutines(5)
	t.Cleanup(func() { assert.NoError(t, many.Close()) })
	kinds := map[string]func(x []float64){
		"numbers":   func([]float64) {},
		"a NaN":     func(x []float64) { x[rng.IntN(len(x))] = math.NaN() },
		"last NaN":  func(x []float64) { x[len(x)-1] = math.NaN() },
		"infinity":  func(x []float64) { x[len(x)/2], x[len(x)/3] = math.Inf(1), math.Inf(-1) },
		"magnitude": func(x []float64) { abs(x); x[len(x)/2] = 0 },
		"minus 0":   func(x []float64) { abs(x); x[len(x)/2], x[len(x)-1] = 0, minus },
		"plus 0":    func(x []float64) { negative(x); x[len(x)/2], x[0] = minus, 0 },
		"zeros":     func(x []float64) { clear(x); x[len(x)-1] = minus },
	}
	orders := [][]string{
		{"sum", "squares", "low", "high"}, {"high", "low", "norm", "sum"},
		{"low", "sum", "product", "low", "squares", "high", "sum"},
	}
	for kind, change := range kinds {
		for _, n := range []struct{ items, chunk int }{{1, 0}, {300, 0}, {4096, 0}, {4097, 0}, {5001, 0}, {70_001, 0}, {300_001, 0}, {40_000, 16384}, {20_000, 128}} {
			if testing.Short() && n.items > 100_000 {
				continue
			}
			x := make([]float64, n.items+3)
			for k := range x {
				x[k] = rng.NormFloat64()
			}
			change(x[3:])
			for _, l := range []simd.Level{simd.None, simd.AVX2, simd.AVX512} {
				_, undo := simd.Limit(l)
				for _, order := range orders {
					for _, on := range []exec.Space{exec.Serial{}, many} {
						s := exec.Slice(policy.Range(3, len(x)).Chunk(n.chunk).On(on), x)
						got := make([]float64, len(order))
						var folds []reducers.Folder[float64]
						for k, name := range order {
							folds = append(folds, foldsBy[name](&got[k]))
						}
						require.NoError(t, exec.ParallelFold(s, folds[0], folds[1:]...))
						for k, name := range order {
							var want float64
							require.NoError(t, exec.ParallelFold(s, foldsBy[name](&want)))
							if want != want {
								require.True(t, math.IsNaN(got[k]), "%s of %s: %v", name, kind, got[k])
								continue
							}
							require.Equal(t, math.Float64bits(want), math.Float64bits(got[k]), "%s of %s, %v items, %v: %v, expected %v", name, kind, n, l, got[k], want)
						}
					}
				}
				undo()
			}
		}
	}
}

func abs(x []float64) {
	for k, v := range x {
		x[k] = math.Abs(v)
	}
}

func negative(x []float64) {
	for k, v := range x {
		x[k] = -math.Abs(v)
	}
}

// Initial values and values of a slice that one process has a part of go through the same kernel.
func TestMomentsOfFloat32WithInitialValues(t *testing.T) {
	x := make([]float32, 30_001)
	for k := range x {
		x[k] = float32(k%977) - 300.25
	}
	run := func(fold func(s exec.Source[float32], folds ...reducers.Folder[float32])) [4]float32 {
		r := [4]float32{1e7, 3, -1e6, 1e6}
		s := exec.Slice(policy.Range(0, len(x)), x).PartOf(policy.Range(0, len(x)).On(exec.Serial{}), policy.Span{Begin: 0, End: len(x)})
		fold(s, reducers.WithInitial[float32](builtin.Sum(&r[0])), builtin.SumSq(&r[1]),
			reducers.WithInitial[float32](builtin.Min(&r[2])), reducers.WithInitial[float32](builtin.Max(&r[3])))
		return r
	}
	together := run(func(s exec.Source[float32], folds ...reducers.Folder[float32]) {
		require.NoError(t, exec.ParallelFold(s, folds[0], folds[1:]...))
	})
	alone := run(func(s exec.Source[float32], folds ...reducers.Folder[float32]) {
		for _, f := range folds {
			require.NoError(t, exec.ParallelFold(s, f))
		}
	})
	assert.Equal(t, alone, together)
	assert.Equal(t, [2]float32{-1e6, 1e6}, [2]float32(together[2:]))
}

func TestMomentsAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops what it is given at random")
	}
	x := make([]float64, 5000)
	var sum, squares, low, high float64
	s := exec.Slice(policy.Range(0, len(x)).On(exec.Serial{}), x)
	a, b, c, d := builtin.Sum(&sum), builtin.SumSq(&squares), builtin.Min(&low), builtin.Max(&high)
	launch := func() { require.NoError(t, exec.ParallelFold(s, a, b, c, d)) }
	least := testing.AllocsPerRun(50, launch)
	for range 10 {
		least = min(least, testing.AllocsPerRun(50, launch))
	}
	assert.Zero(t, least)
}
