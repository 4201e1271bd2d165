package views

import (
	"iter"

	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
)

// View2 is a [View] of rank 2 in which each row, a[i, 0], a[i, 1], ..., lies
// without gaps; rows may be apart. It is a Kokkos::View<T**, LayoutRight>. [View2.At] and
// [View2.Set] cost what an index of a slice costs.
type View2[T any] struct{ View[T] }

// New2 is [New] for layout [Right] and rank 2.
func New2[T any](label string, n, m int) (View2[T], error) {
	v, err := New[T](label, []int{n, m})
	return View2[T]{v}, err
}

// Of2 is [Of] for layout [Right] and rank 2.
func Of2[T any](label string, x []T, n, m int) (View2[T], error) {
	v, err := Of(label, x, []int{n, m})
	return View2[T]{v}, err
}

// As2 returns v with its rank in the type, for example As2(a.Sub(...)). It returns err if
// that is not nil, and an error if v is not a View2: if it has another rank, or gaps in
// its rows, which [AsStrided2] allows.
func As2[T any](v View[T], err error) (View2[T], error) {
	v, err = typed(v, err, 2, true)
	return View2[T]{v}, err
}

func (View2[T]) as(v View[T]) View2[T] { return View2[T]{v} }

func (View2[T]) rows() bool { return true }

// At returns the element i, j.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i and j.
func (v View2[T]) At(i, j int) T {
	return v.data[v.shape.dense2(i, j)]
}

// Set makes x the element i, j.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i and j.
func (v View2[T]) Set(i, j int, x T) {
	v.data[v.shape.dense2(i, j)] = x
}

// Ptr returns the address of the element i, j, for atomics.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i and j.
func (v View2[T]) Ptr(i, j int) *T {
	return &v.data[v.shape.dense2(i, j)]
}

// Row returns the memory of the elements i, 0 and on. A loop over rows is faster than one
// over At and Set: whether the host may touch the memory is asked once for each row, and not
// for each element.
func (v View2[T]) Row(i int) []T {
	if memory.ChecksDimensions {
		v.shape.check(i)
	}
	first := v.shape.touchAt(i * v.shape.stride[0])
	end := first + v.shape.extent[1]
	return v.data[first:end:end]
}

// All yields the indices and elements, the last index fastest.
func (v View2[T]) All() iter.Seq2[policy.Index2, T] { return all2(v.View) }

// Transpose returns the view with At(j, i) of v as At(i, j), of the same memory.
func (v View2[T]) Transpose() Strided2[T] { return Strided2[T]{v.View.Transpose()} }

// Strided2 is a [View] of rank 2 with any layout. It is a Kokkos::View<T**, LayoutStride>.
// [Strided2.At] and [Strided2.Set] take one multiplication more than those of [View2].
type Strided2[T any] struct{ View[T] }

// AsStrided2 returns v with its rank in the type, for example AsStrided2(New[T](...)). It
// returns err if that is not nil, and an error if v has another rank.
func AsStrided2[T any](v View[T], err error) (Strided2[T], error) {
	v, err = typed(v, err, 2, false)
	return Strided2[T]{v}, err
}

func (Strided2[T]) as(v View[T]) Strided2[T] { return Strided2[T]{v} }

// At returns the element i, j.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i and j.
func (v Strided2[T]) At(i, j int) T {
	return v.data[v.shape.strided2(i, j)]
}

// Set makes x the element i, j.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i and j.
func (v Strided2[T]) Set(i, j int, x T) {
	v.data[v.shape.strided2(i, j)] = x
}

// Ptr returns the address of the element i, j, for atomics.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i and j.
func (v Strided2[T]) Ptr(i, j int) *T {
	return &v.data[v.shape.strided2(i, j)]
}

// All yields the indices and elements, the last index fastest.
func (v Strided2[T]) All() iter.Seq2[policy.Index2, T] { return all2(v.View) }

// Transpose returns the view with At(j, i) of v as At(i, j), of the same memory.
func (v Strided2[T]) Transpose() Strided2[T] { return Strided2[T]{v.View.Transpose()} }

func all2[T any](v View[T]) iter.Seq2[policy.Index2, T] {
	return func(yield func(policy.Index2, T) bool) {
		s := v.shape.orNone()
		s.touch()
		for i := range s.extent[0] {
			for j := range s.extent[1] {
				if !yield(policy.Index2{I: i, J: j}, v.data[i*s.stride[0]+j*s.stride[1]]) {
					return
				}
			}
		}
	}
}
