package algorithms

import (
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// ForEach calls f for each element with its index, in no promised order. f may change the
// element.
func ForEach[T any](v views.Viewer[T], f func(i int, x *T), on ...policy.Launch) error {
	c := newCall("ForEach", on, f == nil)
	a := vectorOf(c, v)
	c.spans(a.n, func(s policy.Span) {
		for i := range s.All() {
			f(i, a.ref(i))
		}
	})
	return c.err
}

// Generate sets each dst[i] to f(i).
func Generate[T any](dst views.Viewer[T], f func(i int) T, on ...policy.Launch) error {
	c := newCall("Generate", on, f == nil)
	d := vectorOf(c, dst)
	c.spans(d.n, func(s policy.Span) {
		for i := range s.All() {
			d.set(i, f(i))
		}
	})
	return c.err
}

// Transform sets each dst[i] to f(src[i]). dst may be src.
//
// It is an error if the lengths differ, or if dst has an element of src at another index. If
// the launch is cancelled or f panics, elements that it had not reached keep their content;
// this holds for all that changes elements one by one.
func Transform[T, U any](dst views.Viewer[U], src views.Viewer[T], f func(x T) U, on ...policy.Launch) error {
	c := newCall("Transform", on, f == nil)
	d, s := vectorOf(c, dst), vectorOf(c, src)
	elementwise(c, d, s)
	c.spans(s.n, func(span policy.Span) {
		for i := range span.All() {
			d.set(i, f(s.at(i)))
		}
	})
	return c.err
}

// Transform2 sets each dst[i] to f(a[i], b[i]); see [Transform]. dst may be a or b.
func Transform2[T, U, V any](dst views.Viewer[V], a views.Viewer[T], b views.Viewer[U], f func(x T, y U) V, on ...policy.Launch) error {
	c := newCall("Transform2", on, f == nil)
	d, x, y := vectorOf(c, dst), vectorOf(c, a), vectorOf(c, b)
	elementwise(c, d, x)
	elementwise(c, d, y)
	c.spans(d.n, func(s policy.Span) {
		for i := range s.All() {
			d.set(i, f(x.at(i), y.at(i)))
		}
	})
	return c.err
}

// elementwise makes it an error if dst cannot be computed from src element by element.
func elementwise[T, U any](c *call, dst vector[T], src vector[U]) {
	equally(c, dst, src)
	apartOrSame(c, dst, src)
}

// Replace sets the elements that equal old to new.
func Replace[T comparable](v views.Viewer[T], old, new T, on ...policy.Launch) error {
	return replace("Replace", v, v, on, func(x T) bool { return x == old }, new)
}

// ReplaceIf sets the elements for which pred returns true to new.
func ReplaceIf[T any](v views.Viewer[T], pred func(x T) bool, new T, on ...policy.Launch) error {
	return replace("ReplaceIf", v, v, on, pred, new)
}

// ReplaceCopy sets each dst[i] to src[i], or to new if that equals old; see [Transform].
func ReplaceCopy[T comparable](dst, src views.Viewer[T], old, new T, on ...policy.Launch) error {
	return replace("ReplaceCopy", dst, src, on, func(x T) bool { return x == old }, new)
}

// ReplaceCopyIf sets each dst[i] to src[i], or to new if pred returns true for that; see
// [Transform].
func ReplaceCopyIf[T any](dst, src views.Viewer[T], pred func(x T) bool, new T, on ...policy.Launch) error {
	return replace("ReplaceCopyIf", dst, src, on, pred, new)
}

func replace[T any](name string, dst, src views.Viewer[T], on []policy.Launch, pred func(x T) bool, new T) error {
	c := newCall(name, on, pred == nil)
	d, s := vectorOf(c, dst), vectorOf(c, src)
	elementwise(c, d, s)
	c.spans(s.n, func(span policy.Span) {
		for i := range span.All() {
			x := s.at(i)
			if pred(x) {
				x = new
			}
			d.set(i, x)
		}
	})
	return c.err
}

// SwapRanges exchanges the elements of a and b.
//
// It is an error if the lengths differ or the views have elements in common. Elements in the memory of a card are exchanged
// by copies within it.
func SwapRanges[T any](a, b views.Viewer[T], on ...policy.Launch) error {
	c := newCall("SwapRanges", on)
	if _, ok := far[device.MemoryOwner](on, memoryIn(a), memoryIn(b)); ok {
		x, y := farVectorOf(c, a), farVectorOf(c, b)
		equally(c, x.vector, y.vector)
		farApart(c, x, y)
		beside(c, x.view, func(copied views.View[T]) {
			farCopy(c, x.view, y.view)
			farCopy(c, y.view, copied)
		})
		return c.err
	}
	x, y := vectorOf(c, a), vectorOf(c, b)
	equally(c, x, y)
	apart(c, x, y)
	c.spans(x.n, func(s policy.Span) {
		for i := range s.All() {
			p, q := x.ref(i), y.ref(i)
			*p, *q = *q, *p
		}
	})
	return c.err
}
