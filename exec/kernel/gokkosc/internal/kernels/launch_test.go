//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// Launches of compiled functors, with any number of workers and chunk, have the bits of closures on
// Serial.
func TestLaunches(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 16, 61} {
		space := exec.NewGoroutines(workers)
		for _, n := range []int{0, 1, 17, 1000, 10007} {
			for _, chunk := range []int{0, 1, 100} {
				p := policy.Range(3, n+3)
				if chunk > 0 {
					p = p.Chunk(chunk)
				}
				want := launches(t, p.On(exec.Serial{}), n+4, axpy, dot, smallest, roots)
				require.Equal(t, want, launches(t, p.On(exec.Serial{}), n+4, Axpy, Dot, Smallest, Roots), "serial, %d items, chunk %d", n, chunk)
				require.Equal(t, want, launches(t, p.On(space), n+4, Axpy, Dot, Smallest, Roots), "%d workers, %d items, chunk %d", workers, n, chunk)
			}
		}
		require.NoError(t, space.Close())
	}
}

type (
	loopOf func(a float64, x, y []float64) func(int)
	sumOf  func(x []float64) func(int, *float64)
)

// launches returns the bits that functors of these constructors give.
func launches(t *testing.T, p policy.RangePolicy, n int, each loopOf, dot func(x, y []float64) func(int, *float64), least, sum sumOf) string {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = math.Abs(r.NormFloat64()), r.NormFloat64()
	}
	z := slices.Clone(y)
	require.NoError(t, exec.ParallelFor(p, each(1.5, x, z)))
	var a, b, c float64
	require.NoError(t, exec.ParallelReduce(p, dot(x, y), builtin.Sum(&a)))
	require.NoError(t, exec.ParallelReduce(p, least(y), builtin.Min(&b)))
	require.NoError(t, exec.ParallelReduce(p, sum(x), builtin.Sum(&c)))
	return fmt.Sprintf("%x %x %x %x", z, a, b, c)
}

// A compiled functor panics as the closure does, with the same value and the same item.
func TestPanics(t *testing.T) {
	p := policy.Range(0, 1000)
	x, y := make([]float64, 700), make([]float64, 1000)
	caught := func(f func(int)) (text string) {
		defer func() { text = fmt.Sprint(recover()) }()
		_ = exec.ParallelFor(p.On(exec.Serial{}), f)
		return ""
	}
	want := caught(axpy(2, x, y))
	require.Contains(t, want, "index out of range [700] with length 700")
	require.Equal(t, head(want), head(caught(Axpy(2, x, y))))
}

// head returns the first line of a message, without the functor's name.
func head(s string) string { return fmt.Sprintf("%.60s", s) }
