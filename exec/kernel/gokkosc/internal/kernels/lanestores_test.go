//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
)

// counts returns numbers of rounds, few of them more than most.
func counts(r *rand.Rand, n, most int) []int {
	x := make([]int, n)
	for i := range x {
		x[i] = r.IntN(most+2) - 1
		if r.IntN(400) == 0 {
			x[i] = most + 1
		}
	}
	return x
}

// rowEnds returns where rows of few numbers end, and that of the last one.
func rowEnds(r *rand.Rand, n int) ([]int, int) {
	x, at := make([]int, n+1), 2
	for i := range x {
		x[i] = at
		at += r.IntN(7) * r.IntN(2)
	}
	return x, at
}

func init() {
	for name, make := range map[string]func(r *rand.Rand, n int) run{
		"ragged": func(r *rand.Rand, n int) run {
			ends, last := rowEnds(r, n)
			switch w := floats(r, n); r.IntN(4) {
			case 0: // rows that overlap: items depend on each other
				for k := range n / 3 {
					ends[3*k] = max(ends[3*k]-2, 0)
				}
				fallthrough
			default:
				v := floats(r, last)
				return run{ragged(ends, w, v), Ragged(ends, w, v), []any{v}}
			case 1: // rows in another order
				slices.Reverse(ends)
				v := floats(r, last)
				return run{ragged(ends, w, v), Ragged(ends, w, v), []any{v}}
			}
		},
		"orbits": func(r *rand.Rand, n int) run {
			x, m, v := floats(r, n), counts(r, n, 9), view(n, 9, func() float64 { return float(r) })
			return run{orbits(3.7, x, m, v), Orbits(3.7, x, m, v), []any{all(v)}}
		},
		"settled": func(r *rand.Rand, n int) run {
			x, even, odd, last := floats(r, n), floats(r, 2*n), floats(r, n), make([]int, n)
			if r.IntN(4) == 0 { // what is stored is loaded
				x = even[n:]
			}
			return run{settled(1e-3, .4, x, even, odd, last), Settled(1e-3, .4, x, even, odd, last), []any{even, odd, last}}
		},
		"gathered": func(r *rand.Rand, n int) run {
			low, high, x, y := counts(r, n, 20), counts(r, n, 20), floats(r, 21), floats(r, n)
			for i := range low {
				low[i] = max(low[i], 0)
			}
			return run{gathered(low, high, x, y), Gathered(low, high, x, y), []any{y}}
		},
		"escaped": func(r *rand.Rand, n int) run {
			x, z, at := make([]float32, n), make([]float32, n), make([]int32, n)
			for i := range x {
				x[i] = float32(4*r.Float64() - 2)
			}
			return run{escaped(50, x, z, at), Escaped(50, x, z, at), []any{z, at}}
		},
		"nested": func(r *rand.Rand, n int) run {
			m, x, y, z := counts(r, n, 8), floats(r, n), floats(r, n), floats(r, 3*n)
			return run{nested(m, x, y, z), Nested(m, x, y, z), []any{y, z}}
		},
		"doubled": func(r *rand.Rand, n int) run {
			m, x, y, width := counts(r, n, 9), floats(r, n), floats(r, 30*n+30), 30
			if r.IntN(3) == 0 {
				width = 4 // rows overlap
			}
			return run{doubled(width, m, x, y), Doubled(width, m, x, y), []any{y}}
		},
		"closed": func(r *rand.Rand, n int) run {
			m, x, y, width := counts(r, n, 9), floats(r, n), floats(r, 11*n+11), 1+r.IntN(11)
			for i := range m {
				m[i] *= r.IntN(2) // an item without a round stores, too
			}
			return run{closed(width, m, x, y), Closed(width, m, x, y), []any{y}}
		},
	} {
		runs[name] = make
	}
	boxRuns["stacked"] = func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		next := func() float64 { return float(r) }
		v := view(extent[0], extent[1], next)
		sums, memory := view3(extent[0], extent[1], 5, next)
		f := pick(compiled, stacked, Stacked)(counts(r, extent[1], 4), v, sums)
		return ran(func() error { return exec.ParallelFor(inside2(extent, 0, order, s), f) }, memory)
	}
}

// Vectors that would take too long are left to the loop in Go: before anything is stored where items load it, and in
// the middle where they do not.
func TestLongRoundsThatStore(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	const items, most = 80, 12_000 // from few rounds to more than a call may take
	x, n := make([]float64, items), make([]int, items)
	for i := range x {
		x[i], n[i] = float64(i)/items, i*most/items
	}
	low, terms := make([]int, items), make([]float64, most)
	for i := range terms {
		terms[i] = 1 / float64(i+1)
	}
	width := 3*most + 3
	for _, level := range []kernel.Level{kernel.Go, kernel.AVX2, kernel.AVX512} {
		_, undo := kernel.Limit(level)
		y, z := make([][]float64, 2), make([][]float64, 2)
		for compiled := range 2 {
			y[compiled], z[compiled] = make([]float64, items), make([]float64, items*width)
			f, g := gathered(low, n, terms, y[compiled]), doubled(width, n, x, z[compiled])
			if compiled == 0 {
				for i := range items {
					f(i)
					g(i)
				}
				continue
			}
			f, g = Gathered(low, n, terms, y[compiled]), Doubled(width, n, x, z[compiled])
			require.Equal(t, items, kernel.Of(f).(kernel.For).Span(0, items))
			require.Equal(t, items, kernel.Of(g).(kernel.For).Span(0, items))
		}
		assert.Equal(t, hex(y[0]), hex(y[1]), "at level %v", level)
		assert.True(t, slices.Equal(z[0], z[1]), "at level %v", level)
		undo()
	}
}
