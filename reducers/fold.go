package reducers

import (
	"cmp"
	"errors"

	"github.com/gokkos/gokkos/internal/reduce"
)

// A Folder is a reduction of values of type V, whatever its partial results
// are made of. The built-in reducers are Folders, as is what [New] returns;
// [Folding] makes one of any reducer.
type Folder[V any] interface {
	Fold() Fold[V]
}

// A Fold is one launch of a [Folder], which exec.ParallelFold and its like give values to.
// [NewFold] and [Folding] make one, for one launch. Any other, such as a type that embeds one,
// is an error of the launch, and so is one that a launch has had.
type Fold[V any] interface {
	takes(V) // what a launch does with it is not for others
}

// fold is a Fold. Patterns ask it for what they use of it, by reduce.FoldOf.
type fold[V any] reduce.Fold

func (*fold[V]) takes(V) {}

// Fold returns what patterns use of f.
func (f *fold[V]) Fold() *reduce.Fold { return (*reduce.Fold)(f) }

// NewFold returns a fold for r. It joins values through add, which must join
// x[k] into lanes[k mod len(lanes)] in the order of k; first is the item number
// of x[0], and len(lanes) a power of two. If add is nil, it is r's own method
//
//	AddValues(lanes []T, first int, x []V)
func NewFold[T, V any](r Reducer[T], add func(lanes []T, first int, x []V)) Fold[V] {
	if add != nil {
		return newFold[T, V](r, reduce.Func(add))
	}
	return newFold[T, V](r, r)
}

// newFold returns a fold for r that joins values through own, made by reduce.Func or a reducer.
func newFold[T, V any](r Reducer[T], own any) *fold[V] {
	return (*fold[V])(reduce.NewFold(r, own, reduce.TypesOf[T, V]()))
}

type folding[T, V any] struct {
	r      Reducer[T]
	accept func(acc *T, i int, x V)
}

// Folding returns r as a reduction of values: accept joins the value x of item
// i into a partial result.
func Folding[T, V any](r Reducer[T], accept func(acc *T, i int, x V)) Folder[V] {
	return folding[T, V]{r, accept}
}

func (f folding[T, V]) Fold() Fold[V] {
	if f.accept == nil {
		return refusedFold[T, V](f.r, errors.New("reducers: Folding was given a nil function"))
	}
	return NewFold(f.r, func(lanes []T, first int, x []V) {
		mask := len(lanes) - 1
		for k, v := range x {
			f.accept(&lanes[k&mask], first+k, v)
		}
	})
}

// refusedFold returns a fold that cannot be used: because of r, or else because of err.
func refusedFold[T, V any](r Reducer[T], err error) Fold[V] {
	f := newFold[T, V](r, reduce.Func[T, V](nil)) // whose error is that of r
	reduce.Refuse(f, cmp.Or(f.Fold().Column().Err(), err))
	return f
}

// joining returns a fold whose values are partial results themselves.
func joining[T any](r Reducer[T], join func(dst, src *T)) Fold[T] {
	return NewFold(r, func(lanes []T, _ int, x []T) {
		mask := len(lanes) - 1
		for k := range x {
			join(&lanes[k&mask], &x[k])
		}
	})
}
