package main

import (
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
)

var times = regexp.MustCompile(`[ \d]+\.\d\d ns (per \w+) *\d+\.\d\n`)

func TestGolden(t *testing.T) {
	var out strings.Builder
	require.NoError(t, spaces.Choice{Name: "all", Workers: 3}.Run(&out, func(w io.Writer, on exec.Space) ([]any, error) {
		var lines strings.Builder
		results, err := run(&lines, on, options{heat: 20, cg: 12, md: 6})
		io.WriteString(w, times.ReplaceAllString(lines.String(), " ns $1\n"))
		return results, err
	}))
	assert.Equal(t, `on serial
heat literal: a functor per point ns per point
heat a functor per row ns per point
heat the first, compiled ns per point
cg   literal: teams, functors per index ns per row
cg   a loop per row, folds ns per row
cg   updates compiled ns per row
md   literal: half list, atomics ns per pair
md   half list, a scatter ns per pair
md   full list, nothing shared ns per pair
bits: identical, 16c6242358749cd4 on serial, goroutines, simgpu
`, out.String())
}

// The forms of the plate, which add in one order, have the same bits.
func TestHeatBits(t *testing.T) {
	h, err := newHeat(exec.Serial{}, 50)
	require.NoError(t, err)
	var first []float64
	for _, s := range h.steps() {
		got, err := s.run()
		require.NoError(t, err)
		if first == nil {
			first = append(first, got...)
		}
		assert.Equal(t, first, got, s.name)
		h.now.Set(20, 20, 7) // so that the next form has to compute it
	}
}

// A form that is wrong is found, NaN included.
func TestNear(t *testing.T) {
	assert.NoError(t, near([]float64{1, 1e9}, []float64{1 + 1e-15, 1e9 + 1e-3}))
	assert.ErrorContains(t, near([]float64{1, 2}, []float64{1, 2.001}), "result 1 is 2.001, expected 2")
	assert.ErrorContains(t, near([]float64{1}, []float64{math.NaN()}), "result 0 is NaN")
}

// Steps that compute in the same memory are held against each other, too.
func TestStepsInOneMemory(t *testing.T) {
	x := make([]float64, 2)
	fill := func(value float64) func() ([]float64, error) {
		return func() ([]float64, error) {
			x[1] = value
			return x, nil
		}
	}
	_, err := port{"p", "item", 2, []step{{"a", fill(1)}, {"b", fill(2)}}}.run(io.Discard, 0)
	assert.EqualError(t, err, "b: result 1 is 2, expected 1")
	last, err := port{"p", "item", 2, []step{{"a", fill(1)}, {"b", fill(1)}}}.run(io.Discard, 0)
	require.NoError(t, err)
	assert.Equal(t, []float64{0, 1}, last)
}

func TestBadInput(t *testing.T) {
	for _, o := range []options{{2, 1, 3, 0}, {3, 0, 3, 0}, {3, 1, 2, 0}, {3, 1, 3, -1}} {
		_, err := run(io.Discard, exec.Serial{}, o)
		assert.ErrorContains(t, err, "expected at least 3, 1, 3 and 0")
	}
}

// Sizes that no memory holds, or whose products wrap, are errors, whichever port they are of.
func TestHugeSizesAreErrors(t *testing.T) {
	for _, n := range []int{1 << 31, 1 << 32, 3037000500, math.MaxInt} {
		for _, o := range []options{{n, 1, 3, 0}, {3, n, 3, 0}, {3, 1, n, 0}} {
			_, err := run(io.Discard, exec.Serial{}, o)
			require.ErrorContains(t, err, "of memory that are free", "%+v", o)
		}
	}
	_, err := run(io.Discard, exec.Serial{}, options{3, 1, 3, math.NaN()})
	require.ErrorContains(t, err, "expected at least 3, 1, 3 and 0")
}
