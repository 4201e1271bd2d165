package pass_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// How many loads and stores stay in loops, which memories are asked whether they overlap, and whether a branch asks if the item
// has stored.
func TestCarry(t *testing.T) {
	for functor, want := range map[string]struct{ loads, stores, pairs, ifs int }{
		"func(i int) { for j := range m { y[i] += x[j] } }":                                             {1, 0, 1, 1},
		"func(i int) { y[i] = 0; for j := range m { y[i] += x[j] } }":                                   {1, 0, 1, 0},
		"func(i int) { for range 4 { y[i] += 2 } }":                                                     {0, 0, 0, 0},
		"func(i int) { for j := range m { if x[j] > 2 { y[i] += x[j] } } }":                             {1, 0, 1, 1},
		"func(i int) { for j := range m { n[i] += c[n[j]] } }":                                          {3, 1, 0, 0}, // j may be i
		"func(i int) { for j := range m { n[i] += c[j] } }":                                             {1, 0, 1, 1},
		"func(i int) { for range m { y[i+1] += y[i] } }":                                                {1, 0, 0, 1},
		"func(i int) { for j := range m { y[j] += 1 } }":                                                {1, 1, 0, 0},
		"func(i int) { for j := range m { for k := range m { y[i*m+j] += x[k] } } }":                    {3, 1, 1, 1},
		"func(i int) { for j := range m { for k := range m { y[i] += x[k] - x[j] } } }":                 {4, 0, 1, 1},
		"func(i int) { for range m { y[i] += 1; for k := range m { y[k] += 1 } } }":                     {3, 3, 0, 0},
		"func(i int) { for j := 0; y[i] > 0; j++ { y[i] -= x[j] } }":                                    {1, 0, 1, 1},
		"func(i int) { for j := range m { y[i] += x[j]; x[i] = y[i] } }":                                {1, 1, 1, 1}, // x[j] may be x[i]
		"func(i int) { var f [20]float64; for j := range m { f[i&7] += x[j] }; y[i] = f[i&3] }":         {1, 1, 0, 1},
		"func(i int) { var f [20]float64; for j := range m { f[j] = x[j]; y[i] += 1 }; y[i+1] = f[m] }": {1, 2, 1, 1},
	} {
		k := lower(t, "x, y []float64, n, c []int, m int", functor)
		run(t, k, pass.Simplify, pass.Common, pass.Hoist, pass.Exits, pass.Carry, pass.Keep, pass.Choose, pass.Common, pass.Dead, pass.Simplify)
		assert.Equal(t, want.loads, inLoops(k.Body, ir.Load), "loads of %s\n%s", functor, k)
		assert.Equal(t, want.stores, inLoops(k.Body, ir.Store), "stores of %s\n%s", functor, k)
		assert.Equal(t, want.ifs, count(k.Body, ir.If), "ifs of %s\n%s", functor, k)
		assert.Len(t, k.Apart, want.pairs, "%s\n%s", functor, k)
	}
}

// The pass changes no memory in three cases: loops have no rounds and store nothing, an index is out of
// range, or memories overlap. No item runs with memories that overlap.
func TestMeaningOfCarry(t *testing.T) {
	for _, functor := range []string{
		"func(i int) { for j := range m { y[i] += x[j] } }",
		"func(i int) { for j := range m { if x[j] > 2 { y[i] += x[j] } } }",
		"func(i int) { for j := range m { if x[j] > 2 { y[i] = x[j] } else if x[j] < 0 { y[i+1] -= y[i] } } }",
		"func(i int) { y[i] = 7; for j := range m { if y[i] > 9 { break }; y[i] += x[j] } }",
		"func(i int) { for j := range m { for k := range j { y[i] += float64(x[k] * x[j]); y[i+2]-- } } }",
		"func(i int) { for j := 0; y[i] > 0; j++ { y[i] -= x[j] } }",
		"func(i int) { for j := range m { if j > 3 { y[m] += x[j] } } }",
	} {
		lowered := lower(t, "x, y []float64, m int", functor)
		for m := range 7 {
			for _, shift := range []int{0, 2, 6, 12} { // where y is in memory that x begins
				out := func(passes ...pass.Pass) (int, []float64) {
					k := lowered.Clone()
					pass.Run(k, passes)
					memory := []float64{1, 3, -1, 2, 5, .25, 4, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6}
					args, err := interp.Bind(k, memory[:6:6], memory[shift:shift+6:shift+6], m)
					require.NoError(t, err)
					next := interp.Span(k, args, 1, 3, 0, nil)
					return next, memory
				}
				without := slices.DeleteFunc(slices.Clone(pass.All), func(p pass.Pass) bool { return p.Name == "carry" })
				next, want := out(without...)
				got, memory := out(pass.All...)
				if got < next { // those run as closures
					assert.Less(t, shift, 6, "%s with m = %d", functor, m)
					assert.Equal(t, 1, got)
					continue
				}
				assert.Equal(t, next, got, "%s with m = %d, y at %d", functor, m, shift)
				assert.Equal(t, want, memory, "%s with m = %d, y at %d", functor, m, shift)
			}
		}
	}
}

// An element that only a branch checks is asked for in front of the loop, as it is loaded there.
func TestCarryInRange(t *testing.T) {
	k := lower(t, "y []float64, m int", "func(i int) { for range m { if m > 6 { y[m] += 1 } } }")
	run(t, k, pass.Common, pass.Hoist, pass.Carry)
	for m, next := range map[int]int{2: 3, 3: 0} {
		args, err := interp.Bind(k, make([]float64, 3), m)
		require.NoError(t, err)
		assert.Equal(t, next, interp.Span(k, args, 0, 3, 0, nil), k.String())
	}
}
