package moments

import (
	"bytes"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/internal/launched"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/views/npy"
)

// onRanks returns the hashes that the first of some ranks prints, which are goroutines, and their errors.
func onRanks(t *testing.T, ranks int, args ...string) ([]string, error) {
	outs := make([]bytes.Buffer, ranks)
	o, err := parse(append([]string{"-space", "mpi"}, args...))
	require.NoError(t, err)
	err = mpi.Local(ranks, func(world *mpi.Comm) error {
		o := o
		o.on = o.on.Over(world)
		return execute(t.Context(), o, &printer{w: &outs[world.Rank()]}, &terminal{})
	})
	return outcome{stdout: outs[0].String()}.hashes(), err
}

// sample writes a tensor.
func sample[T real](t *testing.T, shape ...int) string {
	x := make([]T, product(shape))
	for i := range x {
		x[i] = T(math.Sin(float64(i)) * math.Exp(float64(i%40-20)))
	}
	path := filepath.Join(t.TempDir(), "x.npy")
	require.NoError(t, npy.WriteFile(path, shape, x))
	return path
}

// The hash is that of one process, whatever the number of ranks and workers, of a file and of what is generated.
func TestRanks(t *testing.T) {
	for _, tensor := range [][]string{{"-in", sample[float32](t, 6, 28, 28, 40)}, {"-in", sample[float64](t, 2, 100, 30, 20)}, {"-D", "5,30,20,17"}} {
		for _, dims := range []string{"1,2,3", "0", "0,1,2,3"} {
			args := slices.Concat(tensor, []string{"-reduce", dims, "3", "0"})
			want := runArgs(append([]string{"-space", "serial"}, args...)...).hashes()
			require.Len(t, want, 1)
			for k, ranks := range []int{1, 2, 3, 4, 7} {
				got, err := onRanks(t, ranks, append([]string{"-workers", []string{"1", "2", "3"}[k%3]}, args...)...)
				require.NoError(t, err)
				assert.Equal(t, want, got, "%s on %d ranks", strings.Join(args, " "), ranks)
			}
		}
	}
}

// The program finds the hash under an MPI.
func TestProcesses(t *testing.T) {
	path := sample[float32](t, 6, 28, 28, 40)
	want := runArgs("-space", "serial", "-in", path, "0").hashes()
	launched.Run(t, "..", []int{2, 7}, []string{"-in", path, "-workers", "2", "0"}, func(ranks int, output string) {
		assert.Equal(t, want, outcome{stdout: output}.hashes(), "%d ranks", ranks)
		assert.Contains(t, output, "verify: ok")
	})
}

// What cannot be read is an error on all ranks.
func TestErrorsOfRanks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "integers.npy")
	require.NoError(t, npy.WriteFile(path, []int{3, 1, 1, 1}, []int32{1, 2, 3}))
	for want, path := range map[string]string{
		"no such file":                filepath.Join(t.TempDir(), "none.npy"),
		"expected float32 or float64": path,
		"expected 4 lengths":          sample[float32](t, 3, 4),
	} {
		_, err := onRanks(t, 2, "-in", path)
		require.ErrorContains(t, err, "mpi: rank 0: ")
		require.ErrorContains(t, err, "mpi: rank 1: ")
		require.ErrorContains(t, err, want)
	}
}
