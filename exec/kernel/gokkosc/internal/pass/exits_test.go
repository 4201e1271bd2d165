package pass_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// inLoops returns the number of operations of a kind in loops.
func inLoops(b *ir.Block, op ir.Op) (n int) {
	b.Walk(func(v *ir.Value) {
		if v.Op == ir.Loop {
			for _, inner := range v.Blocks {
				n += count(inner, op)
			}
		}
	})
	return n
}

// A store of the last round alone moves behind the loop, out of all loops that the round leaves. What other
// rounds store stays, unless it is one element.
func TestExits(t *testing.T) {
	for functor, stay := range map[string]int{
		"func(i int) { for j := range n { if x[j] > 2 { y[i] = x[j]; return } } }":                                       0,
		"func(i int) { for j := range n { if x[j] > 2 { y[i] = 1; break } }; y[i]++ }":                                   0,
		"func(i int) { for j := range n { if x[j] > 2 { y[i] = 1; return }; if x[j] < 1 { y[i] = 2; break } } }":         0,
		"func(i int) { for j := range n { for k := range j { if x[k] > 2 { y[i] = x[j]; return } }; y[i+j] = 1 } }":      1,
		"func(i int) { for j := range n { if x[j] > 2 { y[i] = 1; continue }; if x[j] > 1 { return } } }":                0, // carried
		"func(i int) { for j := range n { v := x[j]; if v > 2 { y[j] = v; if v > 3 { y[i] = 5; return } }; y[i] = 4 } }": 2,
	} {
		k := lower(t, "n int, x, y []float64", functor)
		pass.Run(k, pass.All)
		assert.Equal(t, stay, inLoops(k.Body, ir.Store), "%s\n%s", functor, k)
	}
}

// Kernels whose loops end early store the same values as before the passes.
func TestMeaningOfExits(t *testing.T) {
	for _, functor := range []string{
		"func(i int) { for j := range n { if x[j] > float64(i) { y[i] = x[j]; return } }; y[i] = -1 }",
		"func(i int) { s := 0.0; for j := 0; j < n; j++ { s += x[j]; if s > float64(i) { z := s / 2; y[i] = z; y[i+4] = z + float64(j); break }; if s < 0 { y[i] = s; return } }; y[i] += s }",
		"func(i int) { for j := range n { for k := j; k < n; k++ { if x[k] > float64(i) { y[i] = x[j] + x[k]; return }; if x[k] < 0 { break } }; if x[j] == 1 { y[i] = 7; break } }; y[i+4]++ }",
		"func(i int) { for j := n - 1; j >= 0; j-- { if x[j] > float64(i) { if x[j] > 2 { y[i] = x[j] }; y[i+4] = 3; return }; y[i+4] -= x[j] } }",
	} {
		out := func(k *ir.Kernel, n int) []float64 {
			y := make([]float64, 8)
			args, err := interp.Bind(k, n, []float64{1, .5, -1, 2, 3, .25}, y)
			require.NoError(t, err)
			require.Equal(t, 4, interp.Span(k, args, 0, 4, 0, nil), functor)
			return y
		}
		for n := range 7 {
			k := lower(t, "n int, x, y []float64", functor)
			want := out(k, n)
			pass.Run(k, pass.All)
			assert.Equal(t, want, out(k, n), "%s with n = %d", functor, n)
		}
	}
}

// In a loop that stores, all checks of indices move in front of it. They cover the rounds in which a
// condition on the counter holds, and no others.
func TestGuardedRounds(t *testing.T) {
	const from, to = -3, 9 // numbers n
	for functor, stops := range map[string]func(n int) bool{
		"func(i int) { for j := range 6 { if j > n { y[j] = x[j-n] } } }":                    func(n int) bool { return n < 0 },
		"func(i int) { for j := range 6 { if j >= n && j+1 < 5 { y[j] = x[j-n+1] } } }":      func(n int) bool { return n < -1 },
		"func(i int) { for j := range n { if j < 5 { y[j] = x[j+1] } } }":                    func(n int) bool { return false },
		"func(i int) { for j := range n { if 1 <= j && j <= 6 { y[j-1] = x[6-j] } } }":       func(n int) bool { return false },
		"func(i int) { for j := range 6 { if j+n > 0 { y[j] = x[j+n-1] } } }":                func(n int) bool { return n > 1 },
		"func(i int) { for j := n; j >= 0; j-- { y[j] = 1 } }":                               func(n int) bool { return n > 5 },
		"func(i int) { for j := 5; j > n; j-- { y[j] = x[5-j] } }":                           func(n int) bool { return n < -1 },
		"func(i int) { for j := 1; j <= n; j++ { if y[j-1] < 0 { return }; y[j] = 1 } }":     func(n int) bool { return n > 5 },
		"func(i int) { for j := 0; j < n; j++ { for k := j + 1; k < n; k++ { y[k] = 1 } } }": func(n int) bool { return n > 6 },
	} {
		for n := from; n < to; n++ {
			k := lower(t, "n int, x, y []float64", functor)
			pass.Run(k, pass.All)
			require.Zero(t, inLoops(k.Body, ir.Check), functor)
			args, err := interp.Bind(k, n, make([]float64, 6), make([]float64, 6))
			require.NoError(t, err)
			assert.Equal(t, !stops(n), interp.Span(k, args, 0, 1, 0, nil) == 1, "%s with n = %d\n%s", functor, n, k)
		}
	}
}

// Checks under a condition on the counter cover every round in which it holds. That includes conditions whose
// counters wrap around, and numbers beyond the limit of the condition. An item whose index is out of range
// there stops, as it did before the passes.
func TestRoundsBeyond(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("numbers beyond an int")
	}
	for functor, args := range map[string][4]int64{
		"func(i int) { n := 0; for j := a; j <= b; j++ { if j < 0 { y[i] = x[j-a] }; if n++; n > 3 { return } } }":     {math.MaxInt - 1, math.MaxInt},
		"func(i int) { n := 0; for j := b; j >= a; j-- { if j > 0 { y[i] = x[b-j] }; if n++; n > 3 { return } } }":     {math.MinInt, math.MinInt + 1},
		"func(i int) { n := 0; for j := a; j < b; j++ { if j+c < d { y[i] = x[j-a] }; if n++; n > 3 { return } } }":    {1<<62 - 2, 1 << 62, 1, 1<<62 + 9},
		"func(i int) { n := 0; for j := a; j < b; j++ { if d <= j-c { y[i] = x[b-1-j] }; if n++; n > 3 { return } } }": {-1 << 62, -1<<62 + 2, 1, -1<<62 - 9},
	} {
		for _, passes := range [][]pass.Pass{nil, pass.All} {
			k := lower(t, "a, b, c, d int, x, y []float64", functor)
			pass.Run(k, passes)
			values, err := interp.Bind(k, int(args[0]), int(args[1]), int(args[2]), int(args[3]), []float64{1}, make([]float64, 4))
			require.NoError(t, err)
			assert.Equal(t, 0, interp.Span(k, values, 0, 4, 0, nil), functor)
		}
	}
}
