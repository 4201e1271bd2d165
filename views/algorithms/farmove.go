package algorithms

import "github.com/gokkos/gokkos/views"

// What follows moves elements in a memory that the host cannot touch by copies within it.

// beside calls f with a copy of a view in the same memory. Only the copy can be cancelled.
func beside[T any](c *call, v views.View[T], f func(copied views.View[T])) {
	if c.err != nil || v.Len() == 0 {
		return
	}
	copied, err := views.NewIn[T](v.MemorySpace(), v.Label(), []int{v.Len()})
	if err != nil {
		c.fail("%w", err)
		return
	}
	defer func() { _ = views.Free(copied) }()
	farCopy(c, copied, v)
	c.commit()
	f(copied)
}

// farCopy copies src to dst, which has as many elements.
func farCopy[T any](c *call, dst, src views.View[T]) {
	if c.err == nil && src.Len() > 0 {
		c.err = views.DeepCopy(dst, src, c.on)
	}
}

// farRotate copies src to dst with the element at first in front.
func farRotate[T any](c *call, dst, src views.View[T], first int) {
	if c.err != nil {
		return
	}
	left := src.Len() - first
	farCopy(c, section(dst, 0, left), section(src, first, src.Len()))
	farCopy(c, section(dst, left, src.Len()), section(src, 0, first))
}

// farShift moves the elements that begin at from to where they begin at to.
func farShift[T any](c *call, x farVector[T], n, from, to int) (int, error) {
	if n < 0 {
		c.fail("by %d places, expected at least 0", n)
	}
	moved := x.n - n
	if c.err != nil || moved <= 0 || n == 0 {
		return c.result(max(moved, 0))
	}
	beside(c, section(x.view, from, from+moved), func(copied views.View[T]) { farCopy(c, section(x.view, to, to+moved), copied) })
	return c.result(moved)
}

// section returns the elements from begin up to end of a view of rank 1.
func section[T any](v views.View[T], begin, end int) views.View[T] {
	return views.Must(v.Sub(views.Range(begin, end)))
}
