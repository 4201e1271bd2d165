package views

import (
	"iter"
)

// View1 is a [View] of rank 1 whose elements lie next to each other in memory. It is a
// Kokkos::View<T*>. [View1.At] and [View1.Set] cost what an index of a slice costs.
type View1[T any] struct{ View[T] }

// New1 is [New] for layout [Right] and rank 1.
func New1[T any](label string, n int) (View1[T], error) {
	v, err := New[T](label, []int{n})
	return View1[T]{v}, err
}

// Of1 is [Of] for layout [Right] and rank 1: a view of all of x.
func Of1[T any](label string, x []T) (View1[T], error) {
	v, err := Of(label, x, []int{len(x)})
	return View1[T]{v}, err
}

// As1 returns v with its rank in the type, for example As1(a.Sub(...)). It returns err if
// that is not nil, and an error if v is not a View1: if it has another rank, or gaps between
// its elements, which [AsStrided1] allows.
func As1[T any](v View[T], err error) (View1[T], error) {
	v, err = typed(v, err, 1, true)
	return View1[T]{v}, err
}

func (View1[T]) as(v View[T]) View1[T] { return View1[T]{v} }

func (View1[T]) rows() bool { return true }

// At returns the element i.
func (v View1[T]) At(i int) T {
	return v.data[v.shape.dense1(i)]
}

// Set makes x the element i.
func (v View1[T]) Set(i int, x T) {
	v.data[v.shape.dense1(i)] = x
}

// Ptr returns the address of the element i, for atomics.
func (v View1[T]) Ptr(i int) *T {
	return &v.data[v.shape.dense1(i)]
}

// Row returns the memory of all elements. A loop over it is faster than one over At and Set:
// whether the host may touch the memory is asked once, and not for each element.
func (v View1[T]) Row() []T {
	if v.shape == nil { // the zero view has no elements
		return nil
	}
	v.shape.touch()
	return v.data
}

// All yields the indices and elements, the last index fastest.
func (v View1[T]) All() iter.Seq2[int, T] { return all1(v.View) }

// Strided1 is a [View] of rank 1 with any layout. It is a Kokkos::View<T*, LayoutStride>.
// [Strided1.At] and [Strided1.Set] take one multiplication more than those of [View1].
type Strided1[T any] struct{ View[T] }

// AsStrided1 returns v with its rank in the type, for example AsStrided1(New[T](...)). It
// returns err if that is not nil, and an error if v has another rank.
func AsStrided1[T any](v View[T], err error) (Strided1[T], error) {
	v, err = typed(v, err, 1, false)
	return Strided1[T]{v}, err
}

func (Strided1[T]) as(v View[T]) Strided1[T] { return Strided1[T]{v} }

// At returns the element i.
func (v Strided1[T]) At(i int) T {
	return v.data[v.shape.strided1(i)]
}

// Set makes x the element i.
func (v Strided1[T]) Set(i int, x T) {
	v.data[v.shape.strided1(i)] = x
}

// Ptr returns the address of the element i, for atomics.
func (v Strided1[T]) Ptr(i int) *T {
	return &v.data[v.shape.strided1(i)]
}

// All yields the indices and elements, the last index fastest.
func (v Strided1[T]) All() iter.Seq2[int, T] { return all1(v.View) }

func all1[T any](v View[T]) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		s := v.shape.orNone()
		s.touch()
		for i := range s.extent[0] {
			if !yield(i, v.data[i*s.stride[0]]) {
				return
			}
		}
	}
}
