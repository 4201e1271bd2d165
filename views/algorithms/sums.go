package algorithms

import (
	"reflect"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/reducers"
)

// A summing adds the elements of src to acc one by one, and returns what becomes of it. With
// dst it writes there what acc is before each, or after each if inclusive.
type summing[T any] func(acc T, dst, src []T, inclusive bool) T

// summingOf returns the loop that does what the joins of r do, if r is [builtin.Sum] of a basic
// type, and else nil: the loop takes a fourth of the time.
func summingOf[T any](r reducers.Reducer[T]) (f summing[T]) {
	for {
		m, ok := r.(reducers.Modified[T])
		if !ok {
			break
		}
		r = m.Reducer
	}
	switch f := any(&f).(type) {
	case *summing[float64]:
		setSum(f, r)
	case *summing[float32]:
		setSum(f, r)
	case *summing[int]:
		setSum(f, r)
	case *summing[int32]:
		setSum(f, r)
	case *summing[int64]:
		setSum(f, r)
	case *summing[uint32]:
		setSum(f, r)
	case *summing[uint64]:
		setSum(f, r)
	}
	return f
}

func setSum[T builtin.Number](f *summing[T], r any) {
	if reflect.TypeOf(r) == reflect.TypeOf(builtin.Sum[T](nil)) {
		*f = sum[T]
	}
}

func sum[T builtin.Number](acc T, dst, src []T, inclusive bool) T {
	switch {
	case dst == nil:
		for _, x := range src {
			acc += x
		}
	case inclusive:
		for i, x := range src {
			acc += x
			dst[i] = acc
		}
	default:
		for i, x := range src {
			dst[i] = acc
			acc += x
		}
	}
	return acc
}
