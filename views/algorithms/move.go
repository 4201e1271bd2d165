package algorithms

import (
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Reverse reverses the order of the elements. If the launch is cancelled, some have changed
// places and some have not.
//
// Elements in the memory of a card that has code for it, see [device.Rearranger], change places there.
func Reverse[T any](v views.Viewer[T], on ...policy.Launch) error {
	if s, ok := far[device.Rearranger](on, memoryIn(v)); ok {
		_, err := farRearrange[T, struct{}]("Reverse", s, device.Rearrangement{Rule: "reverse"}, v, nil, on)
		return err
	}
	c := newCall("Reverse", on)
	a := vectorOf(c, v)
	c.spans(a.n/2, func(s policy.Span) {
		for i := range s.All() {
			p, q := a.ref(i), a.ref(a.n-1-i)
			*p, *q = *q, *p
		}
	})
	return c.err
}

// ReverseCopy copies the elements of src to dst in reversed order.
//
// It is an error if the lengths differ or the views have elements in common.
func ReverseCopy[T any](dst, src views.Viewer[T], on ...policy.Launch) error {
	if s, ok := far[device.Rearranger](on, memoryIn(dst), memoryIn(src)); ok {
		_, err := farChoose("ReverseCopy", s, device.Rearrangement{Rule: "reverse"}, dst, src, on)
		return err
	}
	c := newCall("ReverseCopy", on)
	d, s := vectorOf(c, dst), vectorOf(c, src)
	equally(c, d, s)
	apart(c, d, s)
	c.spans(s.n, func(span policy.Span) {
		for i := range span.All() {
			d.set(s.n-1-i, s.at(i))
		}
	})
	return c.err
}

// Rotate moves the elements from index first on to the front and those before it behind them.
//
// It is an error if first is not 0 <= first <= length. On an error v keeps its content. Memory:
// one element for each.
//
// Elements in the memory of a card are moved by copies within it.
func Rotate[T any](v views.Viewer[T], first int, on ...policy.Launch) error {
	c := newCall("Rotate", on)
	if _, ok := far[device.MemoryOwner](on, memoryIn(v)); ok {
		x := farVectorOf(c, v)
		inside(c, x.vector, first)
		beside(c, x.view, func(copied views.View[T]) { farRotate(c, x.view, copied, first) })
		return c.err
	}
	a := vectorOf(c, v)
	inside(c, a, first)
	storeAll(c, a, rotated(c, a, first))
	return c.err
}

// RotateCopy copies the elements of src from index first on, and then those before it, to dst.
//
// It is an error if first is not 0 <= first <= length, if the lengths differ, or if the views
// have elements in common. Elements in the memory of a card are moved by copies within it.
func RotateCopy[T any](dst, src views.Viewer[T], first int, on ...policy.Launch) error {
	c := newCall("RotateCopy", on)
	if _, ok := far[device.MemoryOwner](on, memoryIn(dst), memoryIn(src)); ok {
		d, s := farVectorOf(c, dst), farVectorOf(c, src)
		inside(c, s.vector, first)
		equally(c, d.vector, s.vector)
		farApart(c, d, s)
		farRotate(c, d.view, s.view, first)
		return c.err
	}
	d, s := vectorOf(c, dst), vectorOf(c, src)
	inside(c, s, first)
	equally(c, d, s)
	apart(c, d, s)
	rotate(c, d, s, first)
	return c.err
}

// rotate copies src to dst with the element at first in front.
func rotate[T any](c *call, dst, src vector[T], first int) {
	data, stride := src.data, src.stride
	c.spans(src.n, func(s policy.Span) {
		for i := range s.All() {
			from := first + i
			if from >= src.n {
				from -= src.n
			}
			dst.set(i, data[from*stride])
		}
	})
}

func rotated[T any](c *call, src vector[T], first int) []T {
	if c.err != nil {
		return nil
	}
	dst := memoryOf[T](c, src.n)
	rotate(c, wrap(dst), src, first)
	return dst
}

func inside[T any](c *call, x vector[T], i int) {
	if i < 0 || i > x.n {
		c.fail("index %d of %v, expected 0 <= index <= %d", i, x.view, x.n)
	}
}

// ShiftLeft moves each element n places to the front; the first n are lost, and the last n
// places keep their content. It returns how many elements moved, none if n is the length or
// more.
//
// A negative n is an error. On an error v keeps its content. Memory: one element for each.
//
// Elements in the memory of a card are moved by copies within it.
func ShiftLeft[T any](v views.Viewer[T], n int, on ...policy.Launch) (int, error) {
	c := newCall("ShiftLeft", on)
	if _, ok := far[device.MemoryOwner](on, memoryIn(v)); ok {
		return farShift(c, farVectorOf(c, v), n, n, 0)
	}
	return shift(c, vectorOf(c, v), n, n, 0)
}

// ShiftRight moves each element n places to the back; the last n are lost, and the first n
// places keep their content. It returns how many elements moved; see [ShiftLeft].
func ShiftRight[T any](v views.Viewer[T], n int, on ...policy.Launch) (int, error) {
	c := newCall("ShiftRight", on)
	if _, ok := far[device.MemoryOwner](on, memoryIn(v)); ok {
		return farShift(c, farVectorOf(c, v), n, 0, n)
	}
	return shift(c, vectorOf(c, v), n, 0, n)
}

// shift moves the elements that begin at from to where they begin at to.
func shift[T any](c *call, x vector[T], n, from, to int) (int, error) {
	if n < 0 {
		c.fail("by %d places, expected at least 0", n)
	}
	moved := x.n - n
	if c.err != nil || moved <= 0 || n == 0 {
		return c.result(max(moved, 0))
	}
	buf := memoryOf[T](c, moved)
	c.spans(moved, func(s policy.Span) {
		x.load(policy.Span{Begin: from + s.Begin, End: from + s.End}, buf[s.Begin:s.End])
	})
	c.commit()
	c.spans(moved, func(s policy.Span) { x.store(to+s.Begin, buf[s.Begin:s.End]) })
	return c.result(moved)
}
