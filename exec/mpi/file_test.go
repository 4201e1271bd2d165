package mpi

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
)

// files: what ranks write together is the file that one writes, and each reads its rows of it.
func files(c *Comm) error {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("gokkos-files-%d-%d", os.Getppid(), c.Size()))
	if c.Rank() == 0 {
		defer os.RemoveAll(dir)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	if err := c.Barrier(); err != nil {
		return err
	}
	for _, n := range []int{0, 1, 5, 50} {
		for _, row := range [][]int{{}, {2, 3}, {0}} {
			if err := oneFile(c, filepath.Join(dir, "x.npy"), n, row); err != nil {
				return fmt.Errorf("%d rows of %v: %w", n, row, err)
			}
		}
	}
	for _, order := range []policy.Order{policy.Hilbert, policy.Right} {
		for _, size := range [][4]int{{32, 32, 4, 4}, {23, 17, 5, 3}, {9, 40, 9, 1}, {1, 1, 3, 3}} {
			for _, point := range [][]int{{}, {2, 3}, {0}} {
				tiles := policy.MDRange2([2]int{}, [2]int{size[0], size[1]}).Iterate(order, policy.Right).Chunk(1).On(On(c, exec.Serial{})).Tiles([2]int{size[2], size[3]})
				if err := oneTiledFile(c, filepath.Join(dir, "x.npy"), tiles, point); err != nil {
					return fmt.Errorf("%v, points of %v: %w", tiles, point, err)
				}
			}
		}
	}
	return errors.Join(wrongFiles(c, dir), c.Barrier())
}

// oneTiledFile: the file of tiles is that of the whole, and each rank reads its tiles, and no halo.
func oneTiledFile(c *Comm, path string, tiles tiles2, point []int) error {
	a, err := NewTiledArray[int32](tiles, "a", point, 1)
	if err != nil {
		return err
	}
	begin, end := a.of.parts[a.rank].begin, a.of.parts[a.rank].end
	own := func(i, j int) bool {
		return slices.ContainsFunc(a.of.tiles[begin:end], func(r rectangle) bool {
			return i >= r.lower[0] && i < r.upper[0] && j >= r.lower[1] && j < r.upper[1]
		})
	}
	all := func(int, int) bool { return true }
	fillTiles(a.Local(), a.Lower(), own)
	if err := WriteNPY(path, a); err != nil {
		return err
	}
	got, err := npy.ReadViewFile[int32](path)
	if err != nil {
		return err
	}
	if !slices.Equal(got.Extents(), a.Extents()) {
		return fmt.Errorf("a file with extents %v", got.Extents())
	}
	if err := expectPoints("written", got, policy.Index2{}, all); err != nil {
		return err
	}
	b, err := NewTiledArray[int32](tiles, "b", point, 1)
	if err != nil {
		return err
	}
	if err := errors.Join(ReadNPY(path, b), expectPoints("read", b.Local(), b.Lower(), own)); err != nil {
		return err
	}
	if n := len(a.blocks()); n > end-begin {
		return fmt.Errorf("%d blocks of %d tiles", n, end-begin)
	}
	return c.Barrier() // all have read
}

func oneFile(c *Comm, path string, n int, row []int) error {
	rows := policy.Range(0, n).Chunk(1).On(On(c, exec.Serial{}))
	a, err := NewArray[int32](rows, "a", row, 1)
	if err != nil {
		return err
	}
	fillRows(a.Own(), a.parts[c.Rank()].begin)
	if err := WriteNPY(path, a); err != nil {
		return err
	}
	whole := views.Must(views.New[int32]("whole", a.Extents()))
	fillRows(whole, 0)
	var want bytes.Buffer
	if err := npy.WriteView(&want, whole); err != nil {
		return err
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want.Bytes()) {
		return fmt.Errorf("a file of %q, expected %q: %w", got, want.Bytes(), err)
	}
	b, err := NewArray[int32](rows, "b", row, 1)
	if err != nil {
		return err
	}
	if err := errors.Join(ReadNPY(path, b), expectRows("read", b.Local(), b.parts[c.Rank()], b.First())); err != nil {
		return err
	}
	if err := c.Barrier(); err != nil { // all have read
		return err
	}
	if c.Rank() == 0 { // columns first
		if err := npy.WriteViewFile(path, views.Must(views.New[int32]("left", a.Extents(), views.Left))); err != nil {
			return err
		}
	}
	if err := errors.Join(c.Barrier(), ReadNPY(path, b)); err != nil {
		return err
	}
	for at, x := range b.Own().All() {
		if x != 0 {
			return fmt.Errorf("%v is %d, expected 0", at, x)
		}
	}
	return c.Barrier()
}

// wrongFiles: what is wrong on one rank is an error on all, and leaves what was there.
func wrongFiles(c *Comm, dir string) error {
	a, err := NewArray[float64](policy.Range(0, 8).On(On(c, exec.Serial{})), "a", nil, 0)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "old.npy")
	if c.Rank() == 0 {
		if err := npy.WriteFile(path, []int{7}, make([]float64, 7)); err != nil {
			return err
		}
	}
	if err := c.Barrier(); err != nil {
		return err
	}
	first := fmt.Sprintf("mpi: rank 0 of %d: ", c.Size())
	for _, e := range []struct {
		err  error
		want string
	}{
		{WriteNPY(filepath.Join(dir, "none", "x.npy"), a), first + "write " + filepath.Join(dir, "none", "x.npy") + ": no such file or directory"},
		{WriteNPY(dir, a), first + "write " + dir + ": not a regular file"},
		{ReadNPY(path, a), first + "mpi: ReadNPY of " + path + ` with extents [7] into "a", expected [8]`},
		{ReadNPY(filepath.Join(dir, "none.npy"), a), first + "open " + filepath.Join(dir, "none.npy") + ": no such file or directory"},
	} {
		if e.err == nil || e.err.Error() != e.want {
			return fmt.Errorf("%v, expected %q", e.err, e.want)
		}
	}
	last := c.Size() - 1
	for _, who := range []int{0, last} {
		var mine error
		if c.Rank() >= who {
			mine = fmt.Errorf("%w %d", errBoom, c.Rank())
		}
		err := a.together(mine)
		if want := fmt.Sprintf("mpi: rank %d of %d: boom %d", who, c.Size(), who); err == nil || err.Error() != want {
			return fmt.Errorf("%v, expected %q", err, want)
		}
		if errors.Is(err, errBoom) != (c.Rank() == who) {
			return fmt.Errorf("%v of rank %d is the error itself on rank %d", err, who, c.Rank())
		}
	}
	left, err := os.ReadDir(dir)
	if slices.ContainsFunc(left, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), ".tmp") }) {
		return fmt.Errorf("files are left: %v", left)
	}
	return err
}

func TestFiles(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 7, 33} {
		require.NoError(t, Local(ranks, files), ranks)
	}
}

// Tiles of a square are few rectangles, in which each point is once.
func TestMergedTiles(t *testing.T) {
	at := func(i, j int) rectangle { return rectangle{[2]int{2 * i, 3 * j}, [2]int{2*i + 2, 3*j + 3}} }
	for name, c := range map[string]struct{ tiles, want []rectangle }{
		"none":        {nil, nil},
		"square":      {[]rectangle{at(1, 1), at(0, 0), at(1, 0), at(0, 1)}, []rectangle{{[2]int{0, 0}, [2]int{4, 6}}}},
		"gap":         {[]rectangle{at(0, 0), at(0, 2)}, []rectangle{at(0, 0), at(0, 2)}},
		"below a gap": {[]rectangle{at(0, 1), at(2, 1)}, []rectangle{at(0, 1), at(2, 1)}},
		"wider":       {[]rectangle{at(0, 0), at(1, 0), at(1, 1), at(2, 0)}, []rectangle{at(0, 0), {[2]int{2, 0}, [2]int{4, 6}}, at(2, 0)}},
		"two columns": {[]rectangle{at(0, 0), at(0, 2), at(1, 0), at(1, 2)}, []rectangle{{[2]int{0, 0}, [2]int{4, 3}}, {[2]int{0, 6}, [2]int{4, 9}}}},
	} {
		require.Equal(t, c.want, merged(c.tiles), name)
	}
	a, err := NewTiledArray[bool](policy.MDRange2([2]int{}, [2]int{64, 64}).Iterate(policy.Hilbert, policy.Right).Tiles([2]int{4, 4}), "a", nil, 0)
	require.NoError(t, err)
	require.Len(t, a.blocks(), 1)
}

// Without ranks all rows are here.
func TestFileOnAnySpace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	a, err := NewArray[bool](policy.Range(0, 3).On(exec.Serial{}), "a", nil, 0)
	require.NoError(t, err)
	a.Own().Set([]int{1}, true)
	require.NoError(t, WriteNPY(path, a))
	a.Own().Set([]int{1}, false)
	require.NoError(t, ReadNPY(path, a))
	require.True(t, a.Own().At(1))
	require.ErrorContains(t, WriteNPY(filepath.Join(path, "x"), a), "not a directory")
}
