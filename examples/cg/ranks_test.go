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
	"github.com/gokkos/gokkos/examples/internal/launched"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/views/mtx"
)

// onRanks runs the program over ranks that are goroutines.
func onRanks(ranks, workers int, w io.Writer, o krylov.Options) error {
	return spaces.Choice{Name: "mpi", Ranks: true, Workers: workers}.Local(ranks, w, program(o))
}

// The solution is 1 everywhere.
func TestSolutionOfRanks(t *testing.T) {
	require.NoError(t, mpi.Local(3, func(c *mpi.Comm) error {
		on := mpi.On(c, exec.Serial{})
		rows, a, err := matrix(on, small)
		if err != nil {
			return err
		}
		s, err := newSpread(on, rows, a)
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
	want := golden + "bits: 08a9d7f616181f93 on mpi\n"
	file := small
	file.File = filepath.Join(t.TempDir(), "poisson.mtx")
	var text bytes.Buffer
	a, err := krylov.Poisson(small.Poisson, 0, small.Poisson*small.Poisson)
	require.NoError(t, err)
	require.NoError(t, mtx.Write(&text, a))
	require.NoError(t, os.WriteFile(file.File, text.Bytes(), 0o600))
	for _, ranks := range []int{1, 2, 3, 4, 7, 80} {
		for _, o := range []krylov.Options{small, file} {
			var got strings.Builder
			require.NoError(t, onRanks(ranks, 1+ranks%3, &got, o))
			assert.Equal(t, want, got.String(), "%d ranks, file %q", ranks, o.File)
		}
	}
	args := strings.Fields("-poisson 13 -most 200 -every 10 -tolerance 1e-6 -workers 2")
	launched.Run(t, ".", []int{1, 2, 4, 7}, args, func(ranks int, got string) {
		assert.Equal(t, want, got, "%d processes", ranks)
	})
}

// What cannot be solved is an error on all ranks.
func TestErrorsOfRanks(t *testing.T) {
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
		err := onRanks(2, 1, io.Discard, o)
		require.ErrorContains(t, err, "mpi: rank 0: ")
		require.ErrorContains(t, err, "mpi: rank 1: ")
		require.ErrorContains(t, err, want)
	}
	require.ErrorContains(t, onRanks(1, 1, io.Discard, krylov.Options{Poisson: 3}), "a line for each 0")
	o := small
	o.Most = 3
	require.ErrorContains(t, onRanks(2, 1, io.Discard, o), "not solved: a residual of ")
	o.Tolerance = 0 // so many iterations, and no more
	require.NoError(t, onRanks(2, 1, io.Discard, o))
}

// A rank has the elements that its rows of the matrix meet, and those in between.
func TestHalo(t *testing.T) {
	require.NoError(t, mpi.Local(4, func(c *mpi.Comm) error {
		on := mpi.On(c, exec.Serial{})
		rows, a, err := matrix(on, krylov.Options{Poisson: 64})
		if err != nil {
			return err
		}
		s, err := newSpread(on, rows, a)
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
