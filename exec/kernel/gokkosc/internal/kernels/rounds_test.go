//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel"
)

func init() {
	for name, make := range map[string]func(r *rand.Rand, n int) run{
		"mandelbrot": func(r *rand.Rand, n int) run {
			m, width, limit := some[int32](r, n), r.IntN(7)-1, r.IntN(100)-1
			return run{mandelbrot(-2, -1.5, .5, width, limit, m), Mandelbrot(-2, -1.5, .5, width, limit, m), []any{m}}
		},
		"cutoff": func(r *rand.Rand, n int) run {
			x, w, list := floats(r, n), floats(r, n), make([]int, n)
			for i := range list {
				list[i] = r.IntN(n + r.IntN(2)*r.IntN(2))
			}
			for i := range x {
				x[i] = min(x[i], 40)
			}
			return run{cutoff(30, x, w, list), Cutoff(30, x, w, list), nil}
		},
		"roots3": func(r *rand.Rand, n int) run {
			x, y, m := make([]float32, n), make([]float32, n), make([]int32, n)
			for i := range x {
				x[i] = float32(float(r))
			}
			return run{roots3(1e-6, x, y, m), Roots3(1e-6, x, y, m), []any{y, m}}
		},
		"gcd": func(r *rand.Rand, n int) run {
			x, y, z := some[int32](r, n), some[int32](r, n), make([]int32, n)
			return run{gcd(x, y, z), Gcd(x, y, z), []any{z}}
		},
	} {
		runs[name] = make
	}
}

// A reduction of loops that lanes leave one by one.
func TestLanesLeave(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	x := some[uint32](rand.New(rand.NewPCG(7, 8)), 200)
	for _, lanes := range []int{1, 4, 32} {
		for _, most := range []int{0, 3, 1000} {
			a, b, c, d := make([]int, lanes), make([]int, lanes), make([]int, lanes), make([]int, lanes)
			f := collatz(x, most)
			for i := range x {
				f(i, &a[i%lanes], &b[i%lanes])
			}
			require.Equal(t, 200, kernel.Of(Collatz(x, most)).(kernel.Reduce2[int, int]).Span(0, 200, 0, c, d))
			require.Equal(t, []any{a, b}, []any{c, d})
		}
	}
}

// Vectors that take longer than a call may are left to the loop in Go, and those behind them are not.
func TestLongRounds(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	const width = 90
	for _, limit := range []int{100, 3000, 6000, 30_000} {
		n, want := make([]int32, width), make([]int32, width)
		f := mandelbrot(-.9, 0, .015, width, limit, want)
		for i := range want {
			f(i)
		}
		assert.Equal(t, width, kernel.Of(Mandelbrot(-.9, 0, .015, width, limit, n)).(kernel.For).Span(0, width))
		assert.Equal(t, want, n)
		long := 0
		for _, k := range want {
			if int(k) == limit {
				long++
			}
		}
		assert.Greater(t, long, 10)
	}
	x := []uint32{math.MaxUint32, 27, 1, 0, 97, 871, 6171, 77031}
	steps, peak := make([]int, 8), make([]int, 8)
	kernel.Of(Collatz(x, 1<<40)).(kernel.Reduce2[int, int]).Span(0, 8, 0, steps, peak)
	assert.Equal(t, 9232, peak[1])
}
