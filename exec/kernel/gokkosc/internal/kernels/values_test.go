//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// eachLevel runs f under each level that has loops.
func eachLevel(f func(level kernel.Level)) {
	for _, level := range []kernel.Level{kernel.Go, kernel.AVX2, kernel.AVX512} {
		_, undo := kernel.Limit(level)
		f(level)
		undo()
	}
}

// testMap compares the loop of a func(x T) V with the functor, for slices of all short lengths. stops says whether
// the functor may panic.
func testMap[T, V any](t *testing.T, compiled, plain func(T) V, stops bool, next func() T) {
	eachLevel(func(level kernel.Level) {
		for n := 1; n < 200; n += 1 + n/70 {
			src, dst := make([]T, n), make([]V, n+3)
			for k := range src {
				src[k] = next()
			}
			loop := kernel.Of(compiled).(kernel.Map[T, V])
			want := make([]V, n+3)
			for from := 0; from < n; {
				done := loop.Map(dst[from:n], src[from:])
				require.True(t, stops || done == n, "%d of %d values at level %v", done, n, level)
				for k := from; k < from+done; k++ {
					want[k] = plain(src[k])
				}
				require.Equal(t, hex(want), hex(dst), "%d of %d values at level %v", from+done, n, level)
				if from += done; from < n { // loops may stop at values that do not panic, too
					func() {
						defer func() { _ = recover() }()
						want[from] = plain(src[from])
						dst[from] = compiled(src[from])
					}()
					from++
				}
			}
		}
	})
}

func TestMaps(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	r := rand.New(rand.NewPCG(5, 6))
	testMap(t, Clipped(-.5, .75), clipped(-.5, .75), false, func() float64 { return float(r) })
	testMap(t, Logistic(2), logistic(2), false, func() float32 { return float32(float(r)) })
	palette := []float32{1, 2, 4, 8, 16, 32}
	testMap(t, Coloured(palette, 0), coloured(palette, 0), false, func() uint8 { return uint8(r.IntN(6)) })
	testMap(t, Coloured(palette, 1), coloured(palette, 1), true, func() uint8 { return uint8(r.IntN(200) / 28) })
}

// testValues compares the loop of a func(i int) V with the functor.
func testValues[V any](t *testing.T, compiled, plain func(int) V, begin, end int) {
	eachLevel(func(level kernel.Level) {
		loop := kernel.Of(compiled).(kernel.Values[V])
		for first := begin; first < end; first += 1 + (first-begin)*5 {
			for n := 1; first+n <= end; n += 1 + n/9 {
				dst, want := make([]V, n+3), make([]V, n+3)
				require.Equal(t, n, loop.Values(first, dst[:n]))
				for k := range n {
					want[k] = plain(first + k)
				}
				require.Equal(t, hex(want), hex(dst), "%d to %d at level %v", first, first+n, level)
			}
		}
		dst := make([]V, 9)
		assert.Zero(t, loop.Values(end, dst), "a value that the functor panics at")
		assert.Zero(t, loop.Values(-1, dst))
		assert.Equal(t, 4, loop.Values(end-4, dst))
	})
}

func TestValues(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	r := rand.New(rand.NewPCG(7, 8))
	x, w := floats(r, 300), floats(r, 5)
	testValues(t, Rising(x), rising(x), 0, 299)
	testValues(t, Smoothed(1, w, x), smoothed(1, w, x), 0, 296)
}

// Folds of values have the bits of closures on Serial.
func TestFoldedValues(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	x, w := make([]float64, 5000), []float64{.25, .5, .25}
	for i := range x {
		x[i] = r.NormFloat64()
	}
	space := exec.NewGoroutines(3)
	defer space.Close()
	fold := func(f func(int) float64, g func(int) bool, p policy.RangePolicy) string {
		var sum, low float64
		var count int
		require.NoError(t, exec.ParallelFold(exec.Map(p, f), builtin.Sum(&sum), builtin.Min(&low)))
		require.NoError(t, exec.ParallelFold(exec.Map(p, g), builtin.Count(&count)))
		return fmt.Sprintf("%x %x %d", sum, low, count)
	}
	for _, n := range []int{0, 1, 31, 1000, 4900} {
		for _, chunk := range []int{0, 1, 50} {
			p := policy.Range(7, 7+n).Chunk(chunk)
			want := fold(smoothed(0, w, x), rising(x), p.On(exec.Serial{}))
			eachLevel(func(level kernel.Level) {
				for _, s := range []exec.Space{exec.Serial{}, space, exec.NewSimGPU(gpu.H200())} {
					require.Equal(t, want, fold(Smoothed(0, w, x), Rising(x), p.On(s)), "%d items, chunk %d on %s at level %v", n, chunk, s.Name(), level)
				}
			})
		}
	}
}

// A panic of a value is that of the closure.
func TestPanicOfValue(t *testing.T) {
	x := make([]float64, 100)
	message := func(f func(int) bool) (text string) {
		defer func() { text = fmt.Sprint(recover().(*exec.Panic).Value) }()
		var n int
		exec.Must(exec.ParallelFold(exec.Map(policy.Range(50, 150).On(exec.Serial{}), f), builtin.Count(&n)))
		return ""
	}
	want := message(rising(x))
	require.Contains(t, want, "index out of range [100]")
	eachLevel(func(kernel.Level) { assert.Equal(t, want, message(Rising(x))) })
}

// Tensors take compiled functions of values, in maps and in folds of one.
func TestTensorsOfValues(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	space := exec.NewGoroutines(2)
	defer space.Close()
	x := views.Must(views.New2[float64]("x", 40, 130))
	for i := range 40 {
		for j := range 130 {
			x.Set(i, j, r.NormFloat64())
		}
	}
	reduce := func(f func(float64) float64, s exec.Space, dim int) string {
		sums := views.Must(views.New1[float64]("sums", x.Extent(1-dim)))
		lows := views.Must(views.New1[float64]("lows", x.Extent(1-dim)))
		require.NoError(t, tensor.Reduce(tensor.Over(x, dim).On(s), tensor.FoldMap(f, builtin.Sum[float64], tensor.Into(sums))))
		require.NoError(t, tensor.Reduce(tensor.Map(tensor.Over(x, dim).On(s), f), tensor.Fold(builtin.Min[float64], tensor.Into(lows))))
		return fmt.Sprintf("%x %x", sums.Row(), lows.Row())
	}
	for dim := range 2 {
		want := reduce(clipped(-1, .5), exec.Serial{}, dim)
		eachLevel(func(level kernel.Level) {
			require.Equal(t, want, reduce(Clipped(-1, .5), exec.Serial{}, dim), "dimension %d at level %v", dim, level)
			require.Equal(t, want, reduce(Clipped(-1, .5), space, dim), "dimension %d at level %v", dim, level)
		})
	}
}
