package views

import (
	"cmp"
	"fmt"
)

// A Selector says which indices of one dimension [View.Sub] keeps. It is made by [All],
// [Range] or [Index].
type Selector struct {
	kind             selection
	begin, end, step int
	stepped          bool
}

type selection uint8

const (
	all selection = iota
	interval
	single
)

// All keeps every index. It is Kokkos::ALL.
func All() Selector { return Selector{} }

// Range keeps the indices i with begin <= i < end, where 0 <= begin <= end <= extent. It
// is the pair of Kokkos::subview.
func Range(begin, end int) Selector { return Selector{kind: interval, begin: begin, end: end} }

// Index keeps one index, and the result loses the dimension.
func Index(i int) Selector { return Selector{kind: single, begin: i} }

// By keeps the first of the indices and then every step-th. step is at least 1.
func (x Selector) By(step int) Selector {
	x.step, x.stepped = step, true
	return x
}

// Sub returns the view of the elements that the selectors keep, one selector for each
// dimension, of the same memory. It is Kokkos::subview. [As1] and its like give the
// result a rank in its type.
//
// It is an error if a selector reaches out of its dimension or has a step below 1, and if
// there are not as many selectors as dimensions.
func (v View[T]) Sub(selectors ...Selector) (View[T], error) {
	s, first, err := v.shape.orNone().sub(selectors)
	if err != nil {
		return View[T]{}, err
	}
	return part(v, s, first), nil
}

// sub returns the shape of what selectors keep, and the place of its first element.
func (s *shape) sub(selectors []Selector) (sub *shape, first int, err error) {
	if len(selectors) != s.rank {
		return nil, 0, fmt.Errorf("views: Sub of %v with %d selectors, expected %d", s, len(selectors), s.rank)
	}
	sub = &shape{guard: s.guard, home: s.home, label: s.label, length: 1, whole: cmp.Or(s.whole, s)}
	for d, x := range selectors {
		n, stride, err := x.on(s, d)
		if err != nil {
			return nil, 0, err
		}
		first += x.begin * s.stride[d]
		if x.kind == single {
			continue
		}
		sub.extent[sub.rank], sub.stride[sub.rank] = n, stride
		sub.rank++
		sub.length *= n
	}
	if s.length == 0 {
		sub.length = 0
	}
	return sub, first, nil
}

// on returns the extent and the stride that the selector makes of dimension d.
func (x *Selector) on(s *shape, d int) (n, stride int, err error) {
	n, stride = s.extent[d], s.stride[d]
	if x.kind == all {
		x.begin, x.end = 0, n
	}
	want := ""
	switch {
	case x.kind == single && x.stepped:
		want = "By on a Range or on All"
	case x.kind == single && (x.begin < 0 || x.begin >= n):
		want = fmt.Sprintf("0 <= index < %d", n)
	case x.kind == interval && (x.begin < 0 || x.end < x.begin || x.end > n):
		want = fmt.Sprintf("0 <= begin <= end <= %d", n)
	case x.stepped && x.step < 1:
		want = "a step of at least 1"
	case x.kind == single || !x.stepped:
		return x.end - x.begin, stride, nil
	default:
		if n = x.end - x.begin; n > 0 {
			n = (n-1)/x.step + 1
		}
		if n > 1 { // of a single one the stride is not used, and must not overflow
			stride *= x.step
		}
		return n, stride, nil
	}
	return 0, 0, fmt.Errorf("views: Sub of %v with %v in dimension %d, expected %s", s, x, d, want)
}

// String returns the selector as it is written in Go.
func (x Selector) String() string {
	text := "All()"
	switch x.kind {
	case interval:
		text = fmt.Sprintf("Range(%d, %d)", x.begin, x.end)
	case single:
		text = fmt.Sprintf("Index(%d)", x.begin)
	}
	if x.stepped {
		text += fmt.Sprintf(".By(%d)", x.step)
	}
	return text
}
