package views_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/views"
)

// caught returns what f panics with.
func caught(t *testing.T, f func()) (err runtime.Error) {
	defer func() {
		var ok bool
		err, ok = recover().(runtime.Error)
		require.True(t, ok)
	}()
	f()
	return nil
}

func TestBounds(t *testing.T) {
	v := views.Must(views.New[int]("v", []int{2, 3}))
	var zero views.View[int]
	for _, c := range []struct {
		v     views.View[int]
		index []int
		want  string
	}{
		{v, []int{0, 3}, `views: index 3 of view "v" in dimension 1, expected 0 <= index < 3`},
		{v, []int{-1, 3}, `views: index -1 of view "v" in dimension 0, expected 0 <= index < 2`},
		{v, []int{1}, `views: index [1] of view "v" [2 3], expected 2 numbers`},
		{v, []int{1, 1, 1}, `views: index [1 1 1] of view "v" [2 3], expected 2 numbers`},
		{zero, nil, `views: index [] of a zero view, which has no elements`},
		{zero, []int{0}, `views: index [0] of a zero view, which has no elements`},
	} {
		v := c.v
		assert.EqualError(t, caught(t, func() { v.At(c.index...) }), c.want)
		assert.EqualError(t, caught(t, func() { v.Set(c.index, 1) }), c.want)
		assert.EqualError(t, caught(t, func() { v.Ptr(c.index...) }), c.want)
	}
	a := views.Must(views.As2(v, nil))
	assert.Panics(t, func() { a.At(2, 0) })
	assert.Panics(t, func() { a.At(0, -1) })
	assert.Panics(t, func() { a.Row(2) })
	assert.Panics(t, func() { a.Ptr(2, 0) })
}

// Of a zero view there is no memory, as there are no elements in All.
func TestRowOfZeroView(t *testing.T) {
	var zero views.View1[int]
	require.Empty(t, zero.Row())
}
