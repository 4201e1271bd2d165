package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/cg/krylov"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/exec/mpi/internal/launchtest"
	"github.com/gokkos/gokkos/views/mtx"
)

// oneProcess is what examples/cg prints for small.
const oneProcess = `    0: 0x1.efbdeb14f4edap+02 7.746e+00
   10: 0x1.b35a6ec240562p-01 8.503e-01
   20: 0x1.08b9c892441dep-14 6.312e-05
   22: 0x1.271534799a614p-18 4.397e-06
x: 9f4e0e1b98701c6b97acc18d41806ed8a2a37495797cd057b913116a0eede2b7
`

var small = options{krylov.Options{Poisson: 13, Most: 200, Every: 10, Tolerance: 1e-6}, 2}

func TestMain(m *testing.M) {
	launchtest.Rank(map[string]func(){"cg": func() {
		if err := mpi.Run(func(world *mpi.Comm) error { return run(world, small, os.Stdout) }); err != nil {
			launchtest.Fail(err)
		}
	}})
	os.Exit(m.Run())
}

// output is what a run on goroutines prints.
func output(t *testing.T, ranks int, o options) string {
	var text strings.Builder
	require.NoError(t, mpi.Local(ranks, func(c *mpi.Comm) error { return run(c, o, &text) }))
	return text.String()
}

// The solution is 1 everywhere.
func TestSolution(t *testing.T) {
	require.NoError(t, mpi.Local(3, func(c *mpi.Comm) error {
		on := mpi.On(c, exec.Serial{})
		rows, a, err := matrix(on, small)
		if err != nil {
			return err
		}
		s, err := newSystem(c, exec.Serial{}, rows, a)
		if err != nil {
			return err
		}
		x, err := krylov.Solve(s, 1e-12, 500, func(int, float64) {})
		if begin, end, _ := mpi.Part(on, rows); err == nil && (len(x) != end-begin || begin != s.begin) {
			err = fmt.Errorf("%d elements from %d on, expected those of %d to %d", len(x), s.begin, begin, end)
		}
		for k := range x {
			if math.Abs(x[k]-1) > 1e-9 {
				return fmt.Errorf("element %d is %v, expected 1", s.begin+k, x[k])
			}
		}
		return err
	}))
}

// It prints the same with any number of ranks and workers, more ranks than leaves included, and
// from a file.
func TestSameBits(t *testing.T) {
	want := output(t, 1, small)
	require.Equal(t, oneProcess, want)
	file := small
	file.File = filepath.Join(t.TempDir(), "poisson.mtx")
	var text bytes.Buffer
	a, err := krylov.Poisson(small.Poisson, 0, small.Poisson*small.Poisson)
	require.NoError(t, err)
	require.NoError(t, mtx.Write(&text, a))
	require.NoError(t, os.WriteFile(file.File, text.Bytes(), 0o600))
	for _, ranks := range []int{1, 2, 3, 4, 7, 80} {
		for _, o := range []options{small, file} {
			o.workers = 1 + ranks%3
			assert.Equal(t, want, output(t, ranks, o), "%d ranks, file %q", ranks, o.File)
		}
	}
	for _, mpi := range launchtest.MPIs(t) {
		for _, ranks := range []int{1, 2, 4, 7} {
			if testing.Short() && ranks > 2 {
				break
			}
			got, err := mpi.Run("cg", ranks)
			require.NoError(t, err, got)
			assert.Equal(t, want, got, "%s, %d ranks", mpi.Name, ranks)
		}
	}
}

// What cannot be solved is an error on all ranks.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	for file, want := range map[string]string{
		write("indefinite.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 -1\n"): "p·Ap is not positive",
		write("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n"):                 "has 2 rows and 3 columns, expected as many",
		write("broken.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 x 1\n"):               `line 3, column 3: the column is "x"`,
		filepath.Join(dir, "none.mtx"): "no such file",
	} {
		o := small
		o.File = file
		err := mpi.Local(2, func(c *mpi.Comm) error { return run(c, o, &strings.Builder{}) })
		require.ErrorContains(t, err, "mpi: rank 0: ")
		require.ErrorContains(t, err, "mpi: rank 1: ")
		require.ErrorContains(t, err, want)
	}
	err := mpi.Local(1, func(c *mpi.Comm) error { return run(c, options{Options: krylov.Options{Poisson: 3}}, nil) })
	require.ErrorContains(t, err, "a line for each 0")
}

// What is not solved is an error, whatever the sizes, tolerances and numbers are.
func TestNothingSolvedIsNoSuccess(t *testing.T) {
	fails := func(o options, want string) {
		t.Helper()
		require.ErrorContains(t, mpi.Local(2, func(c *mpi.Comm) error { return run(c, o, io.Discard) }), want)
	}
	for _, n := range []int{4294967296, 3037000500, math.MaxInt, math.MinInt, 0} {
		o := small
		o.Poisson = n
		fails(o, "expected at ")
	}
	for _, tolerance := range []float64{math.NaN(), math.Inf(1), 1, -1, math.MaxFloat64} {
		o := small
		o.Tolerance = tolerance
		fails(o, "a tolerance below 1")
	}
	o := small
	o.workers = -1
	fails(o, "-1 workers, expected 0 or more")
	o = small
	o.Most = 3
	fails(o, "not solved: a residual of ")
	o.Tolerance = 0 // so many iterations, and no more
	output(t, 2, o)
}

// A rank has the elements that its rows of the matrix meet, and those in between.
func TestHalo(t *testing.T) {
	require.NoError(t, mpi.Local(4, func(c *mpi.Comm) error {
		rows, a, err := matrix(mpi.On(c, exec.Serial{}), options{Options: krylov.Options{Poisson: 64}})
		if err != nil {
			return err
		}
		s, err := newSystem(c, exec.Serial{}, rows, a)
		if err != nil {
			return err
		}
		first, last := max(a.First-64, 0), min(a.First+a.Len()+64, 64*64)
		if got := s.p.Local().Len(); s.p.First() != first || got != last-first {
			return fmt.Errorf("%d elements from %d on, expected %d to %d", got, s.p.First(), first, last)
		}
		return nil
	}))
}
