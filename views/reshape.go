package views

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/internal/brief"
)

// Transpose returns the view with its dimensions in reverse order, of the same memory: the
// element i, j, ..., k of v is the element k, ..., j, i of the result.
func (v View[T]) Transpose() View[T] { return View[T]{v.data, v.shape.orNone().transposed()} }

func (s *shape) transposed() *shape {
	t := *s
	slices.Reverse(t.extents())
	slices.Reverse(t.strides())
	return &t
}

// Permute returns the view whose dimension k is dimension dims[k] of v, of the same memory.
// It is an error if dims does not hold each dimension once.
func (v View[T]) Permute(dims ...int) (View[T], error) {
	s, err := v.shape.orNone().permuted(dims)
	if err != nil {
		return View[T]{}, err
	}
	return View[T]{v.data, s}, nil
}

func (s *shape) permuted(dims []int) (*shape, error) {
	sorted := slices.Sorted(slices.Values(dims))
	for d := range max(s.rank, len(dims)) {
		if len(dims) != s.rank || sorted[d] != d {
			return nil, fmt.Errorf("views: Permute%v of %v, expected each of the dimensions 0 to %d once", brief.List(dims), s, s.rank-1)
		}
	}
	p := *s
	for k, d := range dims {
		p.extent[k], p.stride[k] = s.extent[d], s.stride[d]
	}
	return &p, nil
}

// Reshape returns the view of the same memory with other extents, in which the elements have
// the same order if the last index is the fastest. For the order in which the first index is
// the fastest, transpose before and after.
//
// It is an error if the number of elements differs, or if the layout would need a copy. A
// view of layout [Right] takes any extents of the same product.
func (v View[T]) Reshape(extents ...int) (View[T], error) {
	s, err := v.shape.orNone().reshaped(extents)
	if err != nil {
		return View[T]{}, err
	}
	return part(v, s, 0), nil
}

func (s *shape) reshaped(extents []int) (*shape, error) {
	old := s
	s, err := newShape(old.label, extents)
	if err != nil {
		return nil, err
	}
	s.guard, s.home = old.guard, old.home
	if s.length != old.length {
		return nil, fmt.Errorf("views: Reshape of %v to %v, %d elements, expected %d", old, extents, s.length, old.length)
	}
	if s.length == 0 {
		return s, nil
	}
	// The loops over v are as long as can be, so the new dimensions have to divide them.
	x := nestOf(old, noStride[:])
	loop := x.Rank - 1
	left, stride := x.N[loop], x.A[loop] // what is left of the loop, and how far apart
	for d := s.rank - 1; d >= 0; d-- {
		if s.extent[d] > 1 && left == 1 {
			loop--
			left, stride = x.N[loop], x.A[loop]
		}
		if left%s.extent[d] != 0 {
			return nil, fmt.Errorf("views: Reshape of %v with strides %v to %v needs a copy", old, old.strides(), extents)
		}
		s.stride[d] = stride
		stride *= s.extent[d]
		left /= s.extent[d]
	}
	return s, nil
}
