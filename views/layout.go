package views

import (
	"fmt"
	"math"
	"slices"

	"github.com/gokkos/gokkos/internal/brief"
	"github.com/gokkos/gokkos/internal/index"
)

// A Layout says where in memory the elements of a view are: [Right], [Left] or a
// [Stride]. It is what Kokkos calls an array layout.
type Layout interface {
	fmt.Stringer
	// place sets the strides of a shape that has elements.
	place(s *shape) error
}

// Dense is a layout without gaps.
type Dense uint8

const (
	// Right: neighbours in the last dimension are neighbours in memory, as in C and in Go
	// arrays. It is the default; in Kokkos, LayoutRight.
	Right Dense = iota
	// Left: neighbours in the first dimension are neighbours in memory, as in Fortran. In
	// Kokkos, LayoutLeft.
	Left
)

// String returns "Right" or "Left".
func (l Dense) String() string {
	switch l {
	case Right:
		return "Right"
	case Left:
		return "Left"
	}
	return fmt.Sprintf("Dense(%d)", uint8(l))
}

func (l Dense) place(s *shape) error {
	if l > Left {
		return fmt.Errorf("views: %q has layout %v, expected Right or Left", s.label, l)
	}
	step := 1
	for k := range s.rank {
		d := k
		if l == Right {
			d = s.rank - 1 - k
		}
		s.stride[d] = step
		step *= s.extent[d]
	}
	return nil
}

// Stride is the layout with a[i, j, ...] at place i*stride[0] + j*stride[1] + ..., as
// Kokkos::LayoutStride.
//
// No two elements may share a place. To be sure of it, a stride must exceed the
// distance that all the smaller strides reach together; strides of dimensions with at
// most one element are free.
type Stride []int

// String returns, for example, "Stride[12 1]".
func (l Stride) String() string { return fmt.Sprintf("Stride%v", brief.List(l)) }

func (l Stride) place(s *shape) error {
	if len(l) != s.rank {
		return fmt.Errorf("views: %v has %d strides %v, expected %d", s, len(l), brief.List(l), s.rank)
	}
	copy(s.stride[:], l)
	var dims []int
	for d, stride := range l {
		if stride < 0 {
			return fmt.Errorf("views: %v has stride %d in dimension %d, expected at least 0", s, stride, d)
		}
		if s.length > 0 && s.extent[d] > 1 {
			dims = append(dims, d)
		}
	}
	slices.SortFunc(dims, func(a, b int) int { return l[a] - l[b] })
	reach := 0
	for _, d := range dims {
		if l[d] <= reach {
			return fmt.Errorf("views: %v has strides %v; stride %d of dimension %d must exceed %d, which smaller strides reach", s, []int(l), l[d], d, reach)
		}
		far, ok := index.Volume(s.extent[d]-1, l[d])
		if !ok || reach > math.MaxInt-1-far {
			return fmt.Errorf("views: %v has strides %v, which reach further than an int can count", s, []int(l))
		}
		reach += far
	}
	return nil
}
