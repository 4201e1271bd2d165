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

// Boxes that views of any layout are written to, in any order, are the file that is written at once; what
// lies between them is zero.
func TestViewParts(t *testing.T) {
	for _, shape := range [][]int{{}, {5}, {0}, {4, 7}, {4, 1}, {3, 4, 5}, {3, 0, 5}, {2, 3, 2, 4}} {
		whole := views.Must(views.New[int32]("whole", shape))
		x, _ := whole.Slice()
		for k := range x {
			x[k] = int32(k + 1)
		}
		// Some dimensions are cut in two, and the tensor into as many boxes, of which one is left out.
		boxes := 1 << len(shape)
		for cut := range boxes {
			out := (cut*5+3)%(boxes+1) - 1
			path, want := filepath.Join(t.TempDir(), "x.npy"), filepath.Join(t.TempDir(), "want.npy")
			f, err := npy.CreateShaped[int32](path, shape)
			require.NoError(t, err)
			left := views.Must(views.New[int32]("left", shape))
			for b := boxes - 1; b >= 0; b-- {
				lower, selectors := make([]int, len(shape)), make([]views.Selector, len(shape))
				for d, n := range shape {
					end := n * 2 / 3
					if cut>>d&1 == 0 {
						end = n // and the other box is empty
					}
					if b>>d&1 == 1 {
						lower[d], end = end, n
					}
					selectors[d] = views.Range(lower[d], end)
				}
				part := views.Must(whole.Sub(selectors...))
				if b == out {
					continue
				}
				require.NoError(t, views.DeepCopy(views.Must(left.Sub(selectors...)), part))
				if b%2 == 1 {
					other := views.Must(views.New[int32]("other", part.Extents(), views.Left))
					require.NoError(t, views.DeepCopy(other, part))
					part = other
				}
				require.NoError(t, npy.WriteViewPart(f.Temporary(), lower, part), "%v, cut %b, box %d", shape, cut, b)
			}
			require.NoError(t, f.Commit())
			require.NoError(t, npy.WriteViewFile(want, left))
			expected, err := os.ReadFile(want)
			require.NoError(t, err)
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, expected, got, "%v, cut %b, without box %d", shape, cut, out)
		}
	}
}

func TestViewPartArguments(t *testing.T) {
	f, err := npy.CreateShaped[int32](filepath.Join(t.TempDir(), "x.npy"), []int{4, 5})
	require.NoError(t, err)
	defer f.Close()
	name := f.Temporary()
	before, err := os.ReadFile(name)
	require.NoError(t, err)
	x := views.Must(views.New2[int32]("x", 2, 3))
	for _, lower := range [][]int{{-1, 0}, {3, 0}, {0, 3}, {0, -1}, {5, 0}, {0}, {0, 0, 0}, {math.MaxInt, 0}, {0, math.MaxInt}} {
		assert.ErrorContains(t, npy.WriteViewPart(name, lower, x), fmt.Sprintf("from %v on, of a file with shape [4 5]", lower))
	}
	assert.ErrorContains(t, npy.WriteViewPart(name, []int{0, 0}, views.Must(views.New1[int32]("y", 3))), "of a file with shape [4 5]")
	assert.EqualError(t, npy.WriteViewPart(name, []int{0, 0}, views.Must(views.New2[float32]("y", 1, 1))), name+": npy: the elements are int32, expected float32")
	assert.EqualError(t, npy.WriteViewPart[int32](name, nil, nil), name+": npy: a part that is a nil view")
	assert.ErrorIs(t, npy.WriteViewPart(name+"x", []int{0, 0}, x), os.ErrNotExist)
	after, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, before, after)
	left := filepath.Join(t.TempDir(), "left.npy")
	require.NoError(t, npy.WriteViewFile(left, views.Must(views.New[int32]("left", []int{4, 5}, views.Left))))
	assert.EqualError(t, npy.WriteViewPart(left, []int{0, 0}, x), left+": npy: a part of a file in Fortran order, expected C order")
}

func ExampleWriteViewPart() {
	path := filepath.Join(os.TempDir(), fmt.Sprint("gokkos-boxes-", os.Getpid(), ".npy"))
	defer os.Remove(path)
	f, err := npy.CreateShaped[float64](path, []int{2, 3})
	exec.Must(err)
	defer f.Close()
	x := views.Must(views.Of2("x", []float64{1, 2, 3, 4}, 2, 2))
	exec.Must(npy.WriteViewPart(f.Temporary(), []int{0, 1}, x))
	exec.Must(f.Commit())
	fmt.Println(views.Must(npy.ReadViewFile[float64](path)).Slice())
	// Output: [0 1 2 0 3 4] true
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
