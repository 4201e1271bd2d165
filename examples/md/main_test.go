package main

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
)

func TestGolden(t *testing.T) {
	var out strings.Builder
	file := filepath.Join(t.TempDir(), "energy.svg")
	require.NoError(t, spaces.Choice{Name: "all", Workers: 3}.Run(&out, func(w io.Writer, on exec.Space) ([]any, error) {
		return run(w, on, options{cells: 6, steps: 12, every: 6, step: .005, out: file})
	}))
	assert.Equal(t, `864 atoms, 33696 pairs
  step  temperature     pressure    potential          total
     0     1.440000    -5.019669    -6.773368    -4.61586805
     6     1.343964    -4.201388    -6.629540    -4.61592737
    12     0.954474    -1.452835    -6.045419    -4.61536426
energy off by at most 1.09e-04 of itself; 2 lists of pairs
bits: identical, ed9a35a651065871 on serial, goroutines, simgpu
`, out.String())
	chart, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(chart), "864 atoms, steps of 0.005")
}

// moved returns atoms that have left the crystal.
func moved(t *testing.T, cells int) *atoms {
	a, err := newAtoms(exec.Serial{}, cells)
	require.NoError(t, err)
	require.NoError(t, a.forces())
	for range 30 {
		require.NoError(t, a.step(.005))
	}
	require.Greater(t, a.lists, 1)
	return a
}

// The crystal has the potential and the pressure of the benchmark lj of LAMMPS.
func TestCrystal(t *testing.T) {
	for _, cells := range []int{6, 7, 8} {
		a, err := newAtoms(exec.Serial{}, cells)
		require.NoError(t, err)
		require.NoError(t, a.forces())
		s, err := a.state()
		require.NoError(t, err)
		assert.InDelta(t, -6.7733681, s.potential, 1e-6)
		assert.InDelta(t, -5.0197, s.pressure, 4e-3, "but for the motion of the whole")
		assert.InDelta(t, 1.44, s.temperature, 1e-12)
	}
}

// The list has each pair that is near once, and forces are those of all pairs.
func TestAllPairs(t *testing.T) {
	a := moved(t, 6)
	require.NoError(t, a.list()) // of where they are now
	force, potential, near := make([][3]float64, a.n), 0.0, 0
	for i := range a.n {
		listed := map[int32]bool{}
		for _, j := range a.of(i) {
			require.False(t, listed[j], "pair %d, %d is there twice", i, j)
			listed[j] = true
		}
		for j := i + 1; j < a.n; j++ {
			r := a.between(a.x.Row(i), a.x.Row(j))
			square := r[0]*r[0] + r[1]*r[1] + r[2]*r[2]
			if square < (cutoff+skin)*(cutoff+skin) {
				require.True(t, listed[int32(j)], "pair %d, %d", i, j)
				near++
			}
			if square < cutoff*cutoff {
				f, e := pair(square)
				potential += e
				for d := range r {
					force[i][d] += f * r[d]
					force[j][d] -= f * r[d]
				}
			}
		}
	}
	assert.Equal(t, near, a.pairs())
	require.NoError(t, a.forces())
	assert.InEpsilon(t, potential, a.potential, 1e-12)
	for i := range a.n {
		require.InDeltaSlice(t, force[i][:], a.f.Row(i), 1e-9)
	}
}

// The force is the derivative of the energy.
func TestPair(t *testing.T) {
	for r := .9; r < 2.5; r += .1 {
		const h = 1e-5
		_, e := pair((r - h) * (r - h))
		_, after := pair((r + h) * (r + h))
		f, _ := pair(r * r)
		assert.InDelta(t, -(after-e)/(2*h), f*r, 1e-3, "%g", r)
	}
}

// The atoms as a whole stay at rest, and the list is new before two atoms can meet that it does not have.
func TestConserved(t *testing.T) {
	a := moved(t, 6)
	for d := range 3 {
		sum := 0.0
		for i := range a.n {
			sum += a.v.At(i, d)
		}
		assert.InDelta(t, 0, sum, 1e-10)
	}
	a.v.Set(7, 1, 0)
	a.x.Set(7, 1, a.listed.At(7, 1)+.6*skin)
	lists := a.lists
	require.NoError(t, a.renew())
	assert.Equal(t, lists+1, a.lists)
}

func TestBadInput(t *testing.T) {
	for _, o := range []options{{cells: 5, every: 1, step: .1}, {cells: 6, every: 0, step: .1}, {cells: 6, every: 1}, {cells: 6, every: 1, step: 1}, {cells: 6, every: 1, step: .1, steps: -1}} {
		_, err := run(io.Discard, exec.Serial{}, o)
		assert.ErrorContains(t, err, "expected 6 or more; ")
	}
	_, err := run(io.Discard, exec.Serial{}, options{cells: 6, steps: 40, every: 20, step: .1})
	assert.ErrorContains(t, err, "expected less than the side of 10.1: -dt is too long", "atoms fly apart")
}

// Sizes that no memory holds, or whose products wrap, are errors.
func TestHugeSizesAreErrors(t *testing.T) {
	for _, n := range []int{2097152, 1 << 31, 1 << 32, 3037000500, math.MaxInt, math.MinInt, 0, -1} {
		_, err := run(io.Discard, exec.Serial{}, options{cells: n, steps: 1, every: 1, step: .005})
		require.ErrorContains(t, err, "expected", "%d", n)
	}
}

// An energy that overflows, or is no number, is an error and no line of the table.
func TestEnergyMustBeFinite(t *testing.T) {
	for _, energy := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		require.ErrorContains(t, finite(energy, 7), "after 7 steps, expected a finite one")
	}
	require.NoError(t, finite(-math.MaxFloat64, 7))
}
