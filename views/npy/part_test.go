package npy_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
)

// Parts in any order, of any length, are the file that is written at once; what nobody has written
// is zero.
func TestParts(t *testing.T) {
	path, whole := filepath.Join(t.TempDir(), "x.npy"), filepath.Join(t.TempDir(), "whole.npy")
	data := make([]int32, 4*50)
	for i := range data {
		data[i] = int32(i * i)
	}
	clear(data[120:130])
	require.NoError(t, npy.WriteFile(whole, []int{4, 50}, data))
	f, err := npy.CreateShaped[int32](path, []int{4, 50})
	require.NoError(t, err)
	for _, p := range [][2]int{{130, 200}, {0, 0}, {1, 120}, {0, 1}, {200, 200}} {
		require.NoError(t, npy.WritePart(f.Temporary(), p[0], data[p[0]:p[1]]))
	}
	require.NoFileExists(t, path)
	require.NoError(t, f.Commit())
	require.Empty(t, f.Temporary())
	want, err := os.ReadFile(whole)
	require.NoError(t, err)
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestPartArguments(t *testing.T) {
	dir := t.TempDir()
	f, err := npy.CreateShaped[int32](filepath.Join(dir, "x.npy"), []int{4})
	require.NoError(t, err)
	name := f.Temporary()
	x := make([]int32, 3)
	for _, first := range []int{-1, 2, 5, math.MaxInt} {
		assert.EqualError(t, npy.WritePart(name, first, x), fmt.Sprintf("%s: npy: 3 elements from %d on, of a file of 4", name, first))
	}
	assert.EqualError(t, npy.WritePart(name, 0, []float32{1}), name+": npy: the elements are int32, expected float32")
	require.NoError(t, f.Close())
	require.Empty(t, f.Temporary())
	assert.ErrorIs(t, npy.WritePart(name, 0, x), os.ErrNotExist)
	_, err = npy.CreateShaped[int32](filepath.Join(dir, "x.npy"), []int{-4})
	assert.Error(t, err)
	_, err = npy.CreateShaped[int32](filepath.Join(dir, "none", "x.npy"), []int{4})
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = npy.CreateShaped[int64](filepath.Join(dir, "x.npy"), []int{math.MaxInt}) // more than a file may have
	assert.Error(t, err)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func ExampleCreateShaped() {
	path := filepath.Join(os.TempDir(), fmt.Sprint("gokkos-parts-", os.Getpid(), ".npy"))
	defer os.Remove(path)
	f, err := npy.CreateShaped[float64](path, []int{2, 2})
	exec.Must(err)
	defer f.Close()
	exec.Must(npy.WritePart(f.Temporary(), 2, []float64{3, 4}))
	exec.Must(npy.WritePart(f.Temporary(), 0, []float64{1, 2}))
	exec.Must(f.Commit())
	fmt.Println(views.Must(npy.ReadViewFile[float64](path)).Slice())
	// Output: [1 2 3 4] true
}

func ExampleWritePart() { ExampleCreateShaped() }

func ExampleFile_Temporary() { ExampleCreateShaped() }
