package views

import "unsafe"

// same reports whether views of the same extents have the same elements at each index.
func same[T any](v, w View[T]) bool {
	if len(v.data) == 0 || len(v.data) != len(w.data) || &v.data[0] != &w.data[0] {
		return false
	}
	for d, n := range v.shape.extents() {
		if n > 1 && v.shape.stride[d] != w.shape.stride[d] {
			return false
		}
	}
	return true
}

// overlap reports whether the views have an element in common.
func overlap[T any](v, w View[T]) bool {
	size := unsafe.Sizeof(*new(T))
	if len(v.data) == 0 || len(w.data) == 0 || size == 0 {
		return false
	}
	x, y := uintptr(unsafe.Pointer(&v.data[0])), uintptr(unsafe.Pointer(&w.data[0]))
	if x > y {
		v, w, x, y = w, v, y, x
	}
	if y-x >= uintptr(len(v.data))*size {
		return false
	}
	if (y-x)%size != 0 { // of a cast: elements in common are parts of elements
		return true
	}
	a, b := loopsDown(v.shape), loopsDown(w.shape)
	apart := int((y - x) / size)
	if g := divisor(b, divisor(a, 0)); g > 0 && apart%g != 0 {
		return false
	}
	return meet(a, b, apart)
}

// A loop is a dimension of a view as overlap sees it: n elements stride apart, which with
// those of the loops that follow reach from the first place to the one at reach.
type loop struct{ n, stride, reach int }

// loopsDown returns the loops over a view, the slowest first.
func loopsDown(s *shape) []loop {
	x := nestOf(s, noStride[:]).byPlace()
	loops := make([]loop, x.rank)
	reach := 0
	for d := x.rank - 1; d >= 0; d-- {
		reach += (x.n[d] - 1) * x.a[d]
		loops[d] = loop{x.n[d], x.a[d], reach}
	}
	return loops
}

// divisor returns the greatest common divisor of g and the strides.
func divisor(loops []loop, g int) int {
	for _, l := range loops {
		for x := l.stride; x != 0; {
			g, x = x, g%x
		}
	}
	return g
}

// meet reports whether a has an element in common with b, which begins apart places after
// a. Only the steps of a's slowest loop that come near b are followed.
func meet(a, b []loop, apart int) bool {
	if len(a) == 0 && len(b) == 0 {
		return apart == 0
	}
	if len(a) == 0 || len(b) > 0 && b[0].reach > a[0].reach {
		return meet(b, a, -apart)
	}
	l, below, reach := a[0], 0, 0
	if len(a) > 1 {
		below = a[1].reach
	}
	if len(b) > 0 {
		reach = b[0].reach
	}
	// Step k of a holds places k*stride to k*stride+below, and b apart to apart+reach.
	first := max(0, ceil(apart-below, l.stride))
	last := min(l.n-1, floor(apart+reach, l.stride))
	for k := first; k <= last; k++ {
		if meet(a[1:], b, apart-k*l.stride) {
			return true
		}
	}
	return false
}

func floor(x, y int) int {
	if x < 0 {
		return -((-x + y - 1) / y)
	}
	return x / y
}

func ceil(x, y int) int { return -floor(-x, y) }
