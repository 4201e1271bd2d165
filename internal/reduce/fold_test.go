package reduce_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

// foldOf returns what patterns use of a fold.
func foldOf(t *testing.T, fold any) *reduce.Fold {
	t.Helper()
	f, err := reduce.FoldOf(fold)
	require.NoError(t, err)
	return f
}

func TestNewFold(t *testing.T) {
	var n int
	f := foldOf(t, reducers.NewFold(sum(&n), func(lanes []int, first int, x []int) {
		for k := range x {
			lanes[k%len(lanes)] += first + k
		}
	}))
	require.NoError(t, f.Column().Err())
	assert.Equal(t, any(&n), f.Column().Place())
	f.Column().Open(1, 2, 8)
	f.Start(0, 20)
	f.Add(0, 100, reduce.ValuesOf(make([]int, 16)))
	f.Add(0, 116, reduce.ValuesOf(make([]int, 4)))
	f.Column().End(0, 0, 20)
	f.Column().Clear(1)
	f.Column().Join(0, 1)
	f.Column().Finish(0)
	assert.Zero(t, n)
	f.Column().Store(0)
	assert.Equal(t, (100+119)*20/2, n)

	assert.ErrorContains(t, foldOf(t, reducers.NewFold[int, int](sum(&n), nil)).Column().Err(), "nil function, and the reducer has no AddValues for values of type int")
	assert.ErrorContains(t, foldOf(t, reducers.NewFold[int, int](sum(nil), nil)).Column().Err(), "nil result place")
}

// lengths is a reducer that takes strings by itself.
type lengths struct{ reducers.Reducer[int] }

func (lengths) AddValues(lanes []int, _ int, x []string) {
	for k, v := range x {
		lanes[k%len(lanes)] += len(v)
	}
}

func TestNewFoldOfAReducerThatAddsValues(t *testing.T) {
	var n int
	f := foldOf(t, reducers.NewFold[int, string](lengths{sum(&n)}, nil))
	require.NoError(t, f.Column().Err())
	f.Column().Open(1, 1, 2)
	f.Start(0, 3)
	f.Add(0, 0, reduce.ValuesOf([]string{"a", "bc", "def"}))
	f.Column().End(0, 0, 3)
	f.Column().Finish(0)
	f.Column().Store(0)
	assert.Equal(t, 6, n)
	assert.ErrorContains(t, foldOf(t, reducers.NewFold[int, int](lengths{sum(&n)}, nil)).Column().Err(), "type int")
}
