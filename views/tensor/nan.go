package tensor

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// IgnoreNaN returns a constructor of a reducer that skips the values that are NaN; without
// it, NaN propagates. If there are no others, the result is that of no values at all: of
// builtin.Min +Inf, of builtin.MinLoc one that is not found, whose [Index] is -1.
//
// It is for reducers that are exact, see [concept.Traits]: Min, Max, AMax, MinLoc and
// their like. Others are an error of [Reduce]; for a sum without NaNs, let [FoldMap] make 0
// of them.
func IgnoreNaN[R builtin.Reduction[A, V], A any, V builtin.Float](constructor func(result *A) R) func(result *A) NaNSkipper[A, V] {
	if constructor == nil {
		return nil
	}
	return func(result *A) NaNSkipper[A, V] {
		r := constructor(result)
		return NaNSkipper[A, V]{r, r}
	}
}

// NaNSkipper is the reducer of [IgnoreNaN].
type NaNSkipper[A any, V builtin.Float] struct {
	reducers.Reducer[A]
	folder reducers.Folder[V]
}

// Traits returns the traits of the reducer within.
func (r NaNSkipper[A, V]) Traits() concept.Traits[A] {
	t := concept.TraitsOf(r.Reducer)
	if t.Err == nil && !t.Exact {
		t.Err = fmt.Errorf("tensor: IgnoreNaN of %T, expected an exact reducer", r.Reducer)
	}
	return t
}

// Fold returns a fold that hands on the values that are not NaN.
func (r NaNSkipper[A, V]) Fold() reducers.Fold[V] {
	fold := r.folder.Fold()
	reduce.Rejoin(fold, func(own reduce.Adder) reduce.Adder { return &skipNaN[V]{own} })
	return fold
}

// skipNaN hands on the values that are not NaN.
type skipNaN[V builtin.Float] struct{ own reduce.Adder }

// AddValues puts values into other lanes than they have, which is no matter to exact reducers.
func (s *skipNaN[V]) AddValues(lanes reduce.Values, first int, values reduce.Values) {
	begin, x := 0, reduce.SliceOf[V](values)
	for k, v := range x {
		if v != v {
			if begin < k {
				s.own.AddValues(lanes, first+begin, reduce.ValuesOf(x[begin:k]))
			}
			begin = k + 1
		}
	}
	if begin < len(x) {
		s.own.AddValues(lanes, first+begin, reduce.ValuesOf(x[begin:]))
	}
}
