package reduce_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

// ready returns slots that are ready for a launch.
func ready[T any](r reducers.Reducer[T]) *reduce.Slots[T] {
	s := reduce.NewSlots(r)
	s.Open(1, 1, 1)
	return s
}

// A pair has the bits of the three calls that it stands for, also where the left one is the result.
func TestPair(t *testing.T) {
	var x float64
	sum := reducers.Reducer[float64](builtin.Sum(&x))
	values := []float64{0, math.Copysign(0, -1), 1, -1e-300, 1e300, .1, math.Inf(1), math.Inf(-1)}
	for _, r := range []reducers.Reducer[float64]{sum, reducers.WithInitial(sum), reducers.Ordered(sum)} {
		pair := ready(r).Pair()
		require.NotNil(t, pair)
		for _, a := range values {
			for _, b := range values {
				var want, got float64
				r.Init(&want)
				r.Join(&want, &a)
				r.Join(&want, &b)
				pair(&got, &a, &b)
				require.Equal(t, math.Float64bits(want), math.Float64bits(got), "%v and %v", a, b)
				got = a
				pair(&got, &got, &b)
				require.Equal(t, math.Float64bits(want), math.Float64bits(got), "%v and %v", a, b)
			}
		}
	}
	require.Nil(t, ready[float64](builtin.Max(&x)).Pair())
	require.Nil(t, ready[float64](reducers.New(&x, func(dst, src *float64) { *dst += *src })).Pair())
	require.Nil(t, ready[complex128](builtin.Sum(new(complex128))).Pair(), "no type that is known")
}

func checkIntegerPair[T int | int32 | int64 | uint32 | uint64](t *testing.T) {
	var got, a, b, most T = 0, 3, 0, 1
	for 2*most > most {
		most *= 2
	}
	b = most
	ready[T](builtin.Sum(&got)).Pair()(&got, &a, &b)
	require.Equal(t, a+b, got)
	b += most
	ready[T](builtin.Sum(&got)).Pair()(&got, &got, &b)
	require.Equal(t, a+2*most+most, got, "sums wrap")
}

func TestPairOfIntegers(t *testing.T) {
	checkIntegerPair[int](t)
	checkIntegerPair[int32](t)
	checkIntegerPair[int64](t)
	checkIntegerPair[uint32](t)
	checkIntegerPair[uint64](t)
	require.Equal(t, float32(3), func() (x float32) {
		a, b := float32(1), float32(2)
		ready[float32](builtin.Sum(&x)).Pair()(&x, &a, &b)
		return x
	}())
}
