//go:build !386 && !arm && !mips && !mipsle

package scans

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/compiled"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

func TestMain(m *testing.M) { os.Exit(compiled.Tests(m, Prefixes(nil, nil, nil))) }

// inLaunches calls a function for scans of several lengths on several spaces, with many and with few leaves.
func inLaunches(t *testing.T, f func(t *testing.T, p policy.RangePolicy, n int)) {
	three := exec.NewGoroutines(3)
	defer three.Close()
	sim := exec.NewSimGPU(gpu.Device{}).WithSchedule(2)
	defer sim.Close()
	for _, on := range []exec.Space{exec.Serial{}, three, sim} {
		for _, n := range []int{0, 1, 3, 50, 257, 6000, 20_011} {
			for _, chunk := range []int{0, 64} {
				p := policy.Range(5, 5+n).On(on)
				if chunk > 0 {
					p = p.Chunk(chunk)
				}
				t.Run(fmt.Sprint(on.Name(), " ", n, " chunk ", chunk), func(t *testing.T) { f(t, p, n) })
			}
		}
	}
}

// result returns what a launch leaves in memory, or how it panics.
func result[A any](p policy.RangePolicy, f func(i int, acc *A, final bool), r reducers.Reducer[A], memory func() any) (out string) {
	defer func() {
		if p, ok := recover().(*exec.Panic); ok {
			out = fmt.Sprint("panic ", p.Value, " at ", p.Index)
		}
	}()
	if err := exec.ParallelScan(p, f, r); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%x", memory())
}

// same compares what a functor and its compiled form leave. launch makes memory anew.
func same[F any](t *testing.T, plain, compiled F, launch func(constructor F) string) {
	t.Helper()
	want := launch(plain)
	require.True(t, launch(compiled) == want, "%.200s, expected %.200s", launch(compiled), want)
}

func numbers(n int) []float64 {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	x := make([]float64, n+9)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

func TestPrefixes(t *testing.T) {
	inLaunches(t, func(t *testing.T, p policy.RangePolicy, n int) {
		same(t, prefixes, Prefixes, func(constructor func(x, exclusive, inclusive []float64) func(int, *float64, bool)) string {
			y, z, total := make([]float64, n+7), make([]float64, n+6), 0.0
			return result(p, constructor(numbers(n), y, z), builtin.Sum(&total), func() any { return fmt.Sprint(y, z, total) })
		})
	})
}

func TestCompacted(t *testing.T) {
	inLaunches(t, func(t *testing.T, p policy.RangePolicy, n int) {
		for _, room := range []int{n + 5, n / 3} { // too little: the item that fails is the functor's
			same(t, compacted, Compacted, func(constructor func(limit float64, x []float64, to []int32) func(int, *int, bool)) string {
				to, total := make([]int32, room), 0
				return result(p, constructor(.25, numbers(n), to), builtin.Sum(&total), func() any { return fmt.Sprint(to, total) })
			})
		}
	})
}

func TestOffsets(t *testing.T) {
	inLaunches(t, func(t *testing.T, p policy.RangePolicy, n int) {
		same(t, offsets, Offsets, func(constructor func(ends []int32, to []uint8) func(int, *uint8, bool)) string {
			to, total := make([]uint8, n+5), uint8(0)
			var ends []int32
			for _, x := range numbers(n) {
				ends = append(ends, int32(1000*x))
			}
			return result(p, constructor(ends, to), builtin.Sum(&total), func() any { return fmt.Sprint(to, total) })
		})
	})
}

func TestHeights(t *testing.T) {
	inLaunches(t, func(t *testing.T, p policy.RangePolicy, n int) {
		same(t, heights, Heights, func(constructor func(x []float32, at []int, mean, most []float32) func(int, *builtin.MinMaxVal[float32], bool)) string {
			var x []float32
			var at []int
			for i, y := range numbers(n) {
				x, at = append(x, float32(y)), append(at, i*7%(n+5))
			}
			var total builtin.MinMaxVal[float32]
			mean, most := make([]float32, n+5), make([]float32, n+5)
			return result(p, constructor(x, at, mean, most), builtin.MinMax(&total), func() any { return fmt.Sprint(mean, most, total) })
		})
	})
}

// Items that fail are those of the functor, in both passes, however many have run.
func TestFailures(t *testing.T) {
	inLaunches(t, func(t *testing.T, p policy.RangePolicy, n int) {
		for _, at := range []int{-1, 0, n / 2, n - 1} {
			same(t, ordinals, Ordinals, func(constructor func(x []int, to []int64) func(int, *int64, bool)) string {
				x, to, total := make([]int, n+5), make([]int64, n+5), int64(0)
				for i := range x {
					x[i] = i%13 + 1
				}
				if at >= 0 {
					x[5+min(at, n-1)] = 0
				}
				return result(p, constructor(x, to), builtin.Sum(&total), func() any { return fmt.Sprint(to, total) })
			})
		}
	})
}

// The loops run, and make no more than the functor would.
func TestLoops(t *testing.T) {
	x, y := make([]float64, 40), make([]float64, 40)
	loop, ok := kernel.Of(Prefixes(x[:30], y, y)).(kernel.Scan[float64])
	require.True(t, ok)
	for _, final := range []bool{false, true} {
		a := []float64{1}
		assert.Equal(t, 20, loop.Scan(10, 25, 0, a, final), "up to the end of x")
		a = []float64{1, 2, 3, 4}
		assert.Equal(t, 0, loop.Scan(0, 5, 9, a, final), "the last leaf is not in x")
		assert.Equal(t, 20, loop.Scan(0, 5, 8, a, final))
		assert.Equal(t, []float64{1, 2, 3, 4}, a)
	}
}
