package main

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/exec/mpi/internal/launchtest"
	"github.com/gokkos/gokkos/views/npy"
)

// fileOf is the variable that names the file of ranks that are processes.
const fileOf = "GOKKOS_TEST_NPY"

func TestMain(m *testing.M) {
	launchtest.Rank(map[string]func(){"reduce": func() {
		o := options{in: os.Getenv(fileOf), reduce: "1,2,3", workers: 2}
		if err := mpi.Run(func(world *mpi.Comm) error { return run(world, o, os.Stdout) }); err != nil {
			launchtest.Fail(err)
		}
	}})
	os.Exit(m.Run())
}

// file writes a tensor.
func file[T npy.Float](t *testing.T, shape ...int) string {
	n := 1
	for _, d := range shape {
		n *= d
	}
	x := make([]T, n)
	for i := range x {
		x[i] = T(math.Sin(float64(i)) * math.Exp(float64(i%40-20)))
	}
	path := filepath.Join(t.TempDir(), "x.npy")
	require.NoError(t, npy.WriteFile(path, shape, x))
	return path
}

// output is what a run on goroutines prints.
func output(t *testing.T, ranks int, o options) string {
	var text strings.Builder
	require.NoError(t, mpi.Local(ranks, func(c *mpi.Comm) error { return run(c, o, &text) }))
	return text.String()
}

// The hash is that of the program for one process, whatever the number of ranks and workers.
func TestHash(t *testing.T) {
	single := file[float32](t, 6, 28, 28, 40)
	for _, path := range []string{single, file[float64](t, 2, 100, 30, 20)} {
		for _, dims := range []string{"1,2,3", "0", "0,1,2,3"} {
			want := output(t, 1, options{in: path, reduce: dims, workers: 1})
			for _, ranks := range []int{2, 3, 4, 7} {
				got := output(t, ranks, options{in: path, reduce: dims, workers: 1 + ranks%3})
				assert.Equal(t, want, got, "%s over %s on %d ranks", path, dims, ranks)
			}
		}
	}
	want := output(t, 1, options{in: single, reduce: "1,2,3"})
	if !testing.Short() {
		alone, err := exec.Command("go", "run", "github.com/gokkos/gokkos/examples/multiple_reduce", "-in", single, "-v", "1", "-space", "serial", "0").CombinedOutput()
		require.NoError(t, err, string(alone))
		assert.Equal(t, strings.TrimSpace(want), regexp.MustCompile(`hash: .*`).FindString(string(alone)))
	}
	t.Setenv(fileOf, single)
	for _, mpi := range launchtest.MPIs(t) {
		for _, ranks := range []int{2, 7} {
			if testing.Short() && ranks > 2 {
				break
			}
			got, err := mpi.Run("reduce", ranks)
			require.NoError(t, err, got)
			assert.Equal(t, want, got, "%s, %d ranks", mpi.Name, ranks)
		}
	}
}

// What cannot be read or reduced is an error on all ranks.
func TestErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "integers.npy")
	require.NoError(t, npy.WriteFile(path, []int{3}, []int32{1, 2, 3}))
	for want, o := range map[string]options{
		"no such file":                            {in: filepath.Join(t.TempDir(), "none.npy")},
		"expected float32 or float64":             {in: path},
		"-reduce 1,1 of a tensor of 2 dimensions": {in: file[float32](t, 3, 4), reduce: "1,1"},
		"-reduce 2 of a tensor of 2 dimensions":   {in: file[float32](t, 3, 4), reduce: "2"},
	} {
		err := mpi.Local(2, func(c *mpi.Comm) error { return run(c, o, nil) })
		require.ErrorContains(t, err, "mpi: rank 0: ")
		require.ErrorContains(t, err, "mpi: rank 1: ")
		require.ErrorContains(t, err, want)
	}
}
