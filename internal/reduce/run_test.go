package reduce_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
)

// runOf returns what joins sums for a reducer.
func runOf[T any](r reducers.Reducer[T]) tree.Run[T] {
	s := reduce.NewSlots(r)
	s.Column.Open(1, 1, 1)
	return reduce.RunOf(s)
}

func requireRun[T kind.Number](t *testing.T) {
	run := runOf[T](builtin.Sum(new(T)))
	require.NotNil(t, run)
	sums, prefix := []T{1, 2, 3}, []T{10, 0, 0}
	run(sums, prefix, 1, 3)
	require.Equal(t, []T{3, 2, 3}, sums)
	require.Equal(t, []T{10, 11, 13}, prefix)
}

// Sums of numbers are joined without calls of their reducer, whatever modifies that; no others are.
func TestRun(t *testing.T) {
	requireRun[float64](t)
	requireRun[float32](t)
	requireRun[int](t)
	requireRun[int32](t)
	requireRun[int64](t)
	requireRun[uint32](t)
	requireRun[uint64](t)
	type celsius float64
	var x float64
	sum := reducers.Reducer[float64](builtin.Sum(&x))
	require.NotNil(t, runOf[float64](reducers.WithInitial(sum)))
	require.NotNil(t, runOf[float64](reducers.Ordered(sum)))
	require.Nil(t, runOf[float64](builtin.Max(&x)))
	require.Nil(t, runOf[float64](reducers.New(&x, func(dst, src *float64) { *dst += *src })))
	require.Nil(t, runOf[celsius](builtin.Sum(new(celsius))))
	require.Nil(t, runOf[complex128](builtin.Sum(new(complex128))))
}
