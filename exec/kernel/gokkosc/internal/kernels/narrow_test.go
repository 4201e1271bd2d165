//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel"
)

// some returns integers, each extreme among them.
func some[T int8 | uint8 | int16 | uint16 | int32 | uint32 | int](r *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(r.Uint64() >> r.IntN(60))
		if r.IntN(8) == 0 {
			x[i] = T(int64(math.MinInt64) >> r.IntN(60))
		}
	}
	return x
}

func init() {
	for name, make := range map[string]func(r *rand.Rand, n int) run{
		"bytewise": func(r *rand.Rand, n int) run {
			k := int8(r.IntN(256) - 128)
			a, b, c, d, f := some[int8](r, n), some[uint8](r, n), some[int16](r, n), some[uint16](r, n), make([]float32, n)
			for i := range f {
				f[i] = float32(r.IntN(256))
			}
			return run{bytewise(k, a, b, c, d, f), Bytewise(k, a, b, c, d, f), []any{a, b, c, d, f}}
		},
		"cell": func(r *rand.Rand, n int) run {
			nx, m, at, u := r.IntN(9)-1, some[int](r, n), some[int32](r, n), some[uint32](r, n)
			for i := range m {
				m[i] |= r.IntN(20)
			}
			if n > 20 {
				m[20] = -1 << 32 // 0 as an int32
			}
			return run{cell(nx, m, at, u), Cell(nx, m, at, u), []any{m, at, u}}
		},
	} {
		runs[name] = make
	}
}

// Accumulators of bytes have lanes of bytes.
func TestNarrowAccumulators(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	b := some[uint8](rand.New(rand.NewPCG(5, 6)), 100)
	for _, lanes := range []int{1, 4, 32} {
		low, high, low2, high2 := make([]uint8, lanes), make([]int16, lanes), make([]uint8, lanes), make([]int16, lanes)
		f := histogram(b)
		for i := range b {
			f(i, &low[i%lanes], &high[i%lanes])
		}
		require.Equal(t, 100, kernel.Of(Histogram(b)).(kernel.Reduce2[uint8, int16]).Span(0, 100, 0, low2, high2))
		require.Equal(t, []any{low, high}, []any{low2, high2})
	}
}
