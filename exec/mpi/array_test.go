package mpi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// arrays: rows are where their items are, halos are what the owners have, and Gather and Scatter
// are each other's inverse.
func arrays(c *Comm) error {
	on := On(c, exec.Serial{})
	if err := twoArrays(policy.Range(0, 50).On(on), c.Rank()); err != nil {
		return fmt.Errorf("two arrays: %w", err)
	}
	if err := patience(policy.Range(0, 50).On(on), c); err != nil {
		return fmt.Errorf("ended by a context: %w", err)
	}
	for _, n := range []int{0, 1, 5, 50} {
		for _, chunk := range []int{0, 1} {
			for _, halo := range []int{0, 2, 100, math.MaxInt} {
				for _, row := range [][]int{{}, {2, 3}} {
					rows := policy.Range(0, n).Chunk(chunk).On(on)
					if err := oneArray(c, rows, n, row, halo); err != nil {
						return fmt.Errorf("%d rows of %v, chunk %d, halo %d: %w", n, row, chunk, halo, err)
					}
				}
			}
		}
	}
	return nil
}

// twoArrays: the halos of two arrays do not mix, in whatever order a rank begins.
func twoArrays(rows policy.RangePolicy, rank int) error {
	var both [2]*Array[int32]
	for k := range both {
		var err error
		if both[k], err = NewArray[int32](rows, "one of two", nil, 1); err != nil {
			return err
		}
		if err := views.Fill(both[k].Own(), int32(k+1)); err != nil {
			return err
		}
	}
	first, err := both[rank%2].Begin()
	if err != nil {
		return err
	}
	second, err := both[1-rank%2].Begin()
	if err := cmp.Or(err, first.Wait(), second.Wait()); err != nil {
		return err
	}
	for k, a := range both {
		for at, x := range a.Local().All() {
			if x != int32(k+1) {
				return fmt.Errorf("row %d of array %d is %d", at[0]+a.First(), k, x)
			}
		}
	}
	return nil
}

// patience: where a context ends an exchange on one rank, no rank takes its rows for those of the
// next one.
func patience(rows policy.RangePolicy, c *Comm) error {
	a, err := NewArray[int](rows, "patient", nil, 1)
	if err != nil {
		return err
	}
	ended, cancel := context.WithCancelCause(context.Background())
	cancel(errBoom)
	for step := range 4 {
		if err := views.Fill(a.Own(), 10*step+1); err != nil {
			return err
		}
		var on []policy.Launch
		if c.Rank() == 0 && step < 3 { // before its neighbour begins
			on = append(on, policy.Launch{}.WithContext(ended))
		} else if c.Rank() == 1 {
			time.Sleep(time.Millisecond)
		}
		if err := a.Exchange(on...); err != nil && (on == nil || !errors.Is(err, errBoom)) {
			return fmt.Errorf("step %d: %w", step, err)
		}
	}
	for at, x := range a.Local().All() {
		if x != 31 {
			return fmt.Errorf("row %d is %d in the end, expected 31", at[0]+a.First(), x)
		}
	}
	return nil
}

// element is what an array has at a row, and a place in it.
func element(row, k int) int32 { return int32(1000*row + k + 1) }

// fillRows sets the rows of a view, whose row 0 is row first of an array.
func fillRows(v views.View[int32], first int) {
	k, before := 0, -1
	for at := range v.All() {
		if at[0] != before {
			k, before = 0, at[0]
		}
		v.Set(at, element(at[0]+first, k))
		k++
	}
}

// expectRows is an error unless rows of an array are in v, from row first of it on.
func expectRows(what string, v views.View[int32], rows part, first int) error {
	k, before := 0, -1
	for at, x := range v.All() {
		row := at[0] + first
		if row != before {
			k, before = 0, row
		}
		want := element(row, k)
		if row < rows.begin || row >= rows.end {
			want = 0
		}
		if x != want {
			return fmt.Errorf("%s: row %d has %d in place %d, expected %d", what, row, x, k, want)
		}
		k++
	}
	return nil
}

func oneArray(c *Comm, rows policy.RangePolicy, n int, row []int, halo int) error {
	a, err := NewArray[int32](rows, "a", row, halo)
	if err != nil {
		return err
	}
	begin, end, err := Part(rows.Plan().Space, rows)
	if err != nil {
		return err
	}
	if b, e := a.Rows(); b != begin || e != end {
		return fmt.Errorf("rows %d to %d, expected %d to %d", b, e, begin, end)
	}
	own := part{begin, end}
	fillRows(a.Own(), begin)
	if err := expectRows("before", a.Local(), own, a.First()); err != nil {
		return err
	}
	halos := part{max(begin-min(halo, n), 0), min(end+min(halo, n), n)}
	if own.empty() {
		halos = part{}
	}
	// Several at once, as of two arrays that a step reads.
	first, err := a.Begin()
	if err != nil {
		return err
	}
	second, err := a.Begin()
	if err != nil {
		return err
	}
	if err := cmp.Or(first.Wait(), second.Wait(), a.Exchange(), expectRows("exchanged", a.Local(), halos, a.First())); err != nil {
		return err
	}
	if a.Local().Extent(0) != halos.end-halos.begin {
		return fmt.Errorf("%d local rows, expected %d", a.Local().Extent(0), halos.end-halos.begin)
	}
	for _, root := range []int{0, c.Size() - 1} {
		var whole views.View[int32]
		var to views.Viewer[int32]
		if c.Rank() == root {
			whole = views.Must(views.New[int32]("whole", a.Extents(), views.Dense(root%2)))
			to = whole
		}
		if err := a.Gather(to, root); err != nil {
			return err
		}
		if c.Rank() == root {
			if err := expectRows("gathered", whole, part{0, n}, 0); err != nil {
				return err
			}
		}
		b, err := NewArray[int32](rows, "b", row, halo)
		if err != nil {
			return err
		}
		if err := cmp.Or(b.Scatter(to, root), expectRows("scattered", b.Local(), own, b.First())); err != nil {
			return err
		}
	}
	return nil
}

func TestArrays(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 7, 33} {
		require.NoError(t, Local(ranks, arrays), ranks)
	}
}

// Without ranks all rows are here.
func TestArrayOnAnySpace(t *testing.T) {
	rows := policy.Range(0, 5).On(exec.Serial{})
	a, err := NewArray[int32](rows, "a", []int{2}, 3)
	require.NoError(t, err)
	begin, end := a.Rows()
	assert.Equal(t, [4]int{0, 5, 0, 5}, [4]int{begin, end, a.First(), a.Local().Extent(0)})
	whole := views.Must(views.New2[int32]("whole", 5, 2))
	whole.Set(3, 1, 7)
	require.NoError(t, a.Scatter(whole, 0))
	require.NoError(t, a.Exchange())
	assert.EqualValues(t, 7, a.Own().At(3, 1))
	require.NoError(t, views.Fill(whole, 0))
	require.NoError(t, a.Gather(whole, 0))
	assert.EqualValues(t, 7, whole.At(3, 1))
}

func TestArrayArguments(t *testing.T) {
	new := func(p policy.RangePolicy, row []int, halo int) error {
		_, err := NewArray[int32](p.On(exec.Serial{}), "a", row, halo)
		return err
	}
	require.EqualError(t, new(policy.Range(1, 5), nil, 0), `mpi: NewArray "a" of rows from 1 on with a halo of 0, expected rows from 0 on and a halo of at least 0`)
	require.EqualError(t, new(policy.Range(0, 5), nil, -1), `mpi: NewArray "a" of rows from 0 on with a halo of -1, expected rows from 0 on and a halo of at least 0`)
	require.ErrorContains(t, new(policy.Range(5, 0), nil, 0), "policy: ")
	require.EqualError(t, new(policy.Range(0, 5), []int{-2}, 0), `views: "a" has extent -2 in dimension 1, expected at least 0`)
	_, err := NewArray[string](policy.Range(0, 5), "a", nil, 0)
	require.EqualError(t, err, `mpi: NewArray "a", whose elements refer to memory of this process: string`)
	_, err = NewArray[int](policy.Range(0, 5).On(Space{}), "a", nil, 0)
	require.Error(t, err)
	require.NoError(t, Local(2, func(c *Comm) error {
		a, err := NewArray[int](policy.Range(0, 5).On(On(c, exec.Serial{})), "a", nil, 0)
		if err != nil {
			return err
		}
		v := views.Must(views.New1[int]("v", 4))
		assert.EqualError(t, a.Gather(v, 2), `mpi: Gather of "a" with rank 2 of 2`)
		assert.EqualError(t, a.Gather(v, c.Rank()), `mpi: Gather of "a" [5] with "v" [4], expected equal extents`)
		assert.EqualError(t, a.Scatter(nil, c.Rank()), fmt.Sprintf(`mpi: Scatter of "a" with a nil view on rank %d`, c.Rank()))
		return c.Barrier()
	}))
}
