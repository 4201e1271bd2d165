package views

import (
	"iter"

	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
)

// View4 is a [View] of rank 4 in which each row, a[i, j, k, 0], a[i, j, k, 1], ..., lies
// without gaps; rows may be apart. It is a Kokkos::View<T****, LayoutRight>. [View4.At] and
// [View4.Set] cost what an index of a slice costs.
type View4[T any] struct{ View[T] }

// New4 is [New] for layout [Right] and rank 4.
func New4[T any](label string, n, m, k, l int) (View4[T], error) {
	v, err := New[T](label, []int{n, m, k, l})
	return View4[T]{v}, err
}

// Of4 is [Of] for layout [Right] and rank 4.
func Of4[T any](label string, x []T, n, m, k, l int) (View4[T], error) {
	v, err := Of(label, x, []int{n, m, k, l})
	return View4[T]{v}, err
}

// As4 returns v with its rank in the type, for example As4(a.Sub(...)). It returns err if
// that is not nil, and an error if v is not a View4: if it has another rank, or gaps in
// its rows, which [AsStrided4] allows.
func As4[T any](v View[T], err error) (View4[T], error) {
	v, err = typed(v, err, 4, true)
	return View4[T]{v}, err
}

func (View4[T]) as(v View[T]) View4[T] { return View4[T]{v} }

func (View4[T]) rows() bool { return true }

// At returns the element i, j, k, l.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i, j, k and l.
func (v View4[T]) At(i, j, k, l int) T {
	return v.data[v.shape.dense4(i, j, k, l)]
}

// Set makes x the element i, j, k, l.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i, j, k and l.
func (v View4[T]) Set(i, j, k, l int, x T) {
	v.data[v.shape.dense4(i, j, k, l)] = x
}

// Ptr returns the address of the element i, j, k, l, for atomics.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i, j, k and l.
func (v View4[T]) Ptr(i, j, k, l int) *T {
	return &v.data[v.shape.dense4(i, j, k, l)]
}

// Row returns the memory of the elements i, j, k, 0 and on. A loop over rows is faster than one
// over At and Set.
func (v View4[T]) Row(i, j, k int) []T {
	if memory.ChecksDimensions {
		v.shape.check(i, j, k)
	}
	first := v.shape.touchAt(i*v.shape.stride[0] + j*v.shape.stride[1] + k*v.shape.stride[2])
	end := first + v.shape.extent[3]
	return v.data[first:end:end]
}

// All yields the indices and elements, the last index fastest.
func (v View4[T]) All() iter.Seq2[policy.Index4, T] { return all4(v.View) }

// Strided4 is a [View] of rank 4 with any layout. It is a Kokkos::View<T****, LayoutStride>.
// [Strided4.At] and [Strided4.Set] take one multiplication more than those of [View4].
type Strided4[T any] struct{ View[T] }

// AsStrided4 returns v with its rank in the type, for example AsStrided4(New[T](...)). It
// returns err if that is not nil, and an error if v has another rank.
func AsStrided4[T any](v View[T], err error) (Strided4[T], error) {
	v, err = typed(v, err, 4, false)
	return Strided4[T]{v}, err
}

func (Strided4[T]) as(v View[T]) Strided4[T] { return Strided4[T]{v} }

// At returns the element i, j, k, l.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i, j, k and l.
func (v Strided4[T]) At(i, j, k, l int) T {
	return v.data[v.shape.strided4(i, j, k, l)]
}

// Set makes x the element i, j, k, l.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i, j, k and l.
func (v Strided4[T]) Set(i, j, k, l int, x T) {
	v.data[v.shape.strided4(i, j, k, l)] = x
}

// Ptr returns the address of the element i, j, k, l, for atomics.
// Only its place in memory is checked, unless the tag gokkos_bounds checks i, j, k and l.
func (v Strided4[T]) Ptr(i, j, k, l int) *T {
	return &v.data[v.shape.strided4(i, j, k, l)]
}

// All yields the indices and elements, the last index fastest.
func (v Strided4[T]) All() iter.Seq2[policy.Index4, T] { return all4(v.View) }

func all4[T any](v View[T]) iter.Seq2[policy.Index4, T] {
	return func(yield func(policy.Index4, T) bool) {
		s := v.shape.orNone()
		s.touch()
		for i := range s.extent[0] {
			for j := range s.extent[1] {
				for k := range s.extent[2] {
					for l := range s.extent[3] {
						if !yield(policy.Index4{I: i, J: j, K: k, L: l}, v.data[i*s.stride[0]+j*s.stride[1]+k*s.stride[2]+l*s.stride[3]]) {
							return
						}
					}
				}
			}
		}
	}
}
