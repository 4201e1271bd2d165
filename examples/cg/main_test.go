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

	"github.com/gokkos/gokkos/examples/cg/krylov"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views/mtx"
)

var small = krylov.Options{Poisson: 13, Most: 200, Every: 10, Tolerance: 1e-6}

func program(o krylov.Options) spaces.Program {
	return func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, o) }
}

// output is what a run on all spaces prints.
func output(t *testing.T, o krylov.Options) string {
	var out strings.Builder
	require.NoError(t, spaces.Choice{Name: "all", Workers: 3}.Run(&out, program(o)))
	return out.String()
}

// golden is what the program prints of small on any space.
const golden = `    0: 0x1.efbdeb14f4edap+02 7.746e+00
   10: 0x1.b35a6ec240562p-01 8.503e-01
   20: 0x1.08b9c892441dep-14 6.312e-05
   22: 0x1.271534799a614p-18 4.397e-06
x: 9f4e0e1b98701c6b97acc18d41806ed8a2a37495797cd057b913116a0eede2b7
`

func TestGolden(t *testing.T) {
	assert.Equal(t, golden+"bits: identical, 08a9d7f616181f93 on serial, goroutines, simgpu\n", output(t, small))
}

// A file has the system that is made without one.
func TestFile(t *testing.T) {
	o := small
	o.File = filepath.Join(t.TempDir(), "poisson.mtx")
	file, err := os.Create(o.File)
	require.NoError(t, err)
	a, err := krylov.Poisson(13, 0, 169)
	require.NoError(t, err)
	require.NoError(t, mtx.Write(file, a))
	require.NoError(t, file.Close())
	assert.Equal(t, output(t, small), output(t, o))
}

// The solution is 1 everywhere, in no more iterations than there are rows.
func TestSolution(t *testing.T) {
	for _, n := range []int{1, 2, 13} {
		results, err := run(io.Discard, exec.Serial{}, krylov.Options{Poisson: n, Most: n * n, Every: 1, Tolerance: 1e-12})
		require.NoError(t, err)
		x := results[1].([]float64)
		assert.Len(t, x, n*n)
		for _, t1 := range x {
			assert.InDelta(t, 1, t1, 1e-9)
		}
	}
}

func TestBadInput(t *testing.T) {
	for text, want := range map[string]string{
		"%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 -1\n": "p·Ap is not positive",
		"%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n":           "has 2 rows and 3 columns, expected as many",
		"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 x 1\n":           `line 3, column 3: the column is "x"`,
	} {
		o := small
		o.File = filepath.Join(t.TempDir(), "a.mtx")
		require.NoError(t, os.WriteFile(o.File, []byte(text), 0o600))
		_, err := run(io.Discard, exec.Serial{}, o)
		assert.ErrorContains(t, err, want)
	}
	_, err := run(io.Discard, exec.Serial{}, krylov.Options{Poisson: 3})
	assert.ErrorContains(t, err, "a line for each 0")
	_, err = run(io.Discard, exec.Serial{}, krylov.Options{Poisson: 3, Every: 1, File: "none.mtx"})
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// What is not solved is an error, whatever the sizes, tolerances and numbers are.
func TestNothingSolvedIsNoSuccess(t *testing.T) {
	for _, n := range []int{4294967296, 3037000500, math.MaxInt, math.MinInt, 0} {
		o := small
		o.Poisson = n
		_, err := run(io.Discard, exec.Serial{}, o)
		require.ErrorContains(t, err, "expected at ", "%d points", n)
	}
	for _, tolerance := range []float64{math.NaN(), math.Inf(1), 1, -1, math.MaxFloat64} {
		o := small
		o.Tolerance = tolerance
		_, err := run(io.Discard, exec.Serial{}, o)
		require.ErrorContains(t, err, "a tolerance below 1", "%v", tolerance)
	}
	o := small
	o.Most = 3
	_, err := run(io.Discard, exec.Serial{}, o)
	require.ErrorContains(t, err, "not solved: a residual of ")
	o.Tolerance = 0 // so many iterations, and no more
	_, err = run(io.Discard, exec.Serial{}, o)
	require.NoError(t, err)
	const banner = "%%MatrixMarket matrix coordinate real symmetric\n"
	for _, text := range []string{
		"0 0 0\n", "2 2 0\n", "2 2 2\n1 1 1e308\n2 2 1e308\n", "2 2 2\n1 1 1e200\n2 2 1\n", "1 1 1\n1 1 1e-300\n", "1 1 1\n1 1 nan\n",
		"1 1 1\n1 1 inf\n", "2 2 3\n1 1 1e308\n2 1 1e308\n2 2 1e308\n", "1 1 1\n1 1 0\n", "1 1 1\n1 1 1e154\n",
	} {
		o := small
		o.File = filepath.Join(t.TempDir(), "a.mtx")
		require.NoError(t, os.WriteFile(o.File, []byte(banner+text), 0o600))
		_, err := run(io.Discard, exec.Serial{}, o)
		require.ErrorIs(t, err, krylov.ErrRange, text)
	}
}
