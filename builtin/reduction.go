package builtin

import (
	"cmp"
	"fmt"
	"reflect"

	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A Reduction is a reducer whose partial results are of type A, for
// exec.ParallelReduce, and that takes plain values of type V as well, for
// exec.ParallelFold. Both give the same bits.
type Reduction[A, V any] interface {
	reducers.Reducer[A]
	reducers.Folder[V]
}

// exact returns the traits of an operation that gives the same bits in any order.
func exact[A any]() concept.Traits[A] { return concept.Traits[A]{Exact: true} }

// exactIfInteger returns the traits of sums and products, which are rounded unless
// they wrap.
func exactIfInteger[A any, T Number]() concept.Traits[A] {
	return concept.Traits[A]{Exact: kind.IsInteger[T]()}
}

// foldAt returns a fold for r by its AddValues, which knows the number of every value, its
// location. R is r's type with locations that are int: any others cannot be known, so that
// the fold reports an error.
func foldAt[L, A, B, V any, R reducers.Reducer[B]](r reducers.Reducer[A]) reducers.Fold[V] {
	byNumber, ok := r.(R)
	fold := reducers.NewFold[B, V](byNumber, nil)
	if !ok {
		reduce.Refuse(fold, cmp.Or(concept.TraitsOf(r).Err, errNumbered(reflect.TypeFor[L]())))
	}
	return fold
}

// errNumbered is the error of a fold with locations of that type.
func errNumbered(locations reflect.Type) error {
	return fmt.Errorf("builtin: a fold over values knows their location as an int, given a reducer with locations of type %v; use exec.ParallelReduce", locations)
}
