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
	return errors.Join(wrongFiles(c, dir), c.Barrier())
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
