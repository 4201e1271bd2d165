package views

import (
	"iter"

	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
)

// View3 is a [View] of rank 3 in which each row, a[i, j, 0], a[i, j, 1], ..., lies
// without gaps; rows may be apart. It is a Kokkos::View<T***, LayoutRight>. [View3.At] and
// [View3.Set] cost what an index of a slice costs.
type View3[T any] struct{ View[T] }

// New3 is [New] for layout [Right] and rank 3.
func New3[T any](label string, n, m, k int) (View3[T], error) {
	v, err := New[T](label, []int{n, m, k})
	return View3[T]{v}, err
}

// Of3 is [Of] for layout [Right] and rank 3.
func Of3[T any](label string, x []T, n, m, k int) (View3[T], error) {
	v, err := Of(label, x, []int{n, m, k})
	return View3[T]{v}, err
}

// As3 returns v with its rank in the type, for example As3(a.Sub(...)). It returns err if
// that is not nil, and an error if v is not a View3: if it has another rank, or gaps in
// its rows, which [AsStrided3] allows.
func As3[T any](v View[T], err error) (View3[T], error) {
	v, err = typed(v, err, 3, true)
	return View3[T]{v}, err
}

func (View3[T]) as(v View[T]) View3[T] { return View3[T]{v} }

func (View3[T]) rows() bool { return true }

// At returns the element i, j, k.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i, j and k.
func (v View3[T]) At(i, j, k int) T {
	return v.data[v.shape.dense3(i, j, k)]
}

// Set makes x the element i, j, k.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i, j and k.
func (v View3[T]) Set(i, j, k int, x T) {
	v.data[v.shape.dense3(i, j, k)] = x
}

// Ptr returns the address of the element i, j, k, for atomics.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i, j and k.
func (v View3[T]) Ptr(i, j, k int) *T {
	return &v.data[v.shape.dense3(i, j, k)]
}

// Row returns the memory of the elements i, j, 0 and on. A loop over rows is faster than one
// over At and Set.
func (v View3[T]) Row(i, j int) []T {
	if memory.ChecksDimensions {
		v.shape.check(i, j)
	}
	first := v.shape.touchAt(i*v.shape.stride[0] + j*v.shape.stride[1])
	end := first + v.shape.extent[2]
	return v.data[first:end:end]
}

// All yields the indices and elements, the last index fastest.
func (v View3[T]) All() iter.Seq2[policy.Index3, T] { return all3(v.View) }

// Strided3 is a [View] of rank 3 with any layout. It is a Kokkos::View<T***, LayoutStride>.
// [Strided3.At] and [Strided3.Set] take one multiplication more than those of [View3].
type Strided3[T any] struct{ View[T] }

// AsStrided3 returns v with its rank in the type, for example AsStrided3(New[T](...)). It
// returns err if that is not nil, and an error if v has another rank.
func AsStrided3[T any](v View[T], err error) (Strided3[T], error) {
	v, err = typed(v, err, 3, false)
	return Strided3[T]{v}, err
}

func (Strided3[T]) as(v View[T]) Strided3[T] { return Strided3[T]{v} }

// At returns the element i, j, k.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i, j and k.
func (v Strided3[T]) At(i, j, k int) T {
	return v.data[v.shape.strided3(i, j, k)]
}

// Set makes x the element i, j, k.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i, j and k.
func (v Strided3[T]) Set(i, j, k int, x T) {
	v.data[v.shape.strided3(i, j, k)] = x
}

// Ptr returns the address of the element i, j, k, for atomics.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i, j and k.
func (v Strided3[T]) Ptr(i, j, k int) *T {
	return &v.data[v.shape.strided3(i, j, k)]
}

// All yields the indices and elements, the last index fastest.
func (v Strided3[T]) All() iter.Seq2[policy.Index3, T] { return all3(v.View) }

func all3[T any](v View[T]) iter.Seq2[policy.Index3, T] {
	return func(yield func(policy.Index3, T) bool) {
		s := v.shape.orNone()
		s.touch()
		for i := range s.extent[0] {
			for j := range s.extent[1] {
				for k := range s.extent[2] {
					if !yield(policy.Index3{I: i, J: j, K: k}, v.data[i*s.stride[0]+j*s.stride[1]+k*s.stride[2]]) {
						return
					}
				}
			}
		}
	}
}
