package algorithms

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A vector is a view of rank 1 as loops see it: element i is at place i*stride.
type vector[T any] struct {
	data      []T
	stride, n int
	view      views.View[T] // which names it in errors
}

// vectorOf returns v as a vector. It is an error if v has another rank, or if functors cannot
// touch its memory where they run.
func vectorOf[T any](c *call, v views.Viewer[T]) vector[T] {
	x := new(vector[T])
	x.open(c, v)
	return *x
}

// open is vectorOf in place: the view is asked where it is, and not boxed again.
func (x *vector[T]) open(c *call, v views.Viewer[T]) {
	if v == nil {
		c.fail("a view is nil")
		return
	}
	view := views.As(v)
	x.view = view
	if view.Rank() != 1 {
		c.fail("%v has rank %d, expected 1", view, view.Rank())
		return
	}
	if memory.Freed(&x.view) { // v may be a type of the user's, which is a Viewer and no more
		c.fail("%v, whose memory was freed", view)
		return
	}
	space, err := memory.Reach(view.MemorySpace(), c.on.Space(), "")
	if err != nil {
		_, err = memory.Reach(view.MemorySpace(), c.on.Space(), view.String())
		c.fail("%w", err)
		return // without elements, which nobody must touch
	}
	c.on = c.on.On(space)
	x.data = memory.Elements[T](&x.view) // only launches touch it
	x.n, x.stride = view.Len(), 1
	if x.n > 1 {
		x.stride = view.Stride(0)
	}
}

// wrap returns a slice as a vector.
func wrap[T any](x []T) vector[T] { return vector[T]{data: x, stride: 1, n: len(x)} }

func (x *vector[T]) at(i int) T     { return x.data[i*x.stride] }
func (x *vector[T]) set(i int, v T) { x.data[i*x.stride] = v }
func (x *vector[T]) ref(i int) *T   { return &x.data[i*x.stride] }

// load copies the elements of a span to dst.
func (x *vector[T]) load(s policy.Span, dst []T) {
	if x.stride == 1 {
		copy(dst, x.data[s.Begin:s.End])
		return
	}
	for k := range dst {
		dst[k] = x.at(s.Begin + k)
	}
}

// loadAt is load into memory for all elements.
func (x *vector[T]) loadAt(s policy.Span, all unsafe.Pointer) {
	x.load(s, unsafe.Slice((*T)(all), x.n)[s.Begin:s.End])
}

// store copies src to the elements from begin on.
func (x *vector[T]) store(begin int, src []T) {
	if x.stride == 1 {
		copy(x.data[begin:begin+len(src)], src)
		return
	}
	for k, v := range src {
		x.set(begin+k, v)
	}
}

// storeAll makes src the first elements of dst. It cannot be cancelled.
func storeAll[T any](c *call, dst vector[T], src []T) {
	c.commit()
	c.spans(len(src), func(s policy.Span) { dst.store(s.Begin, src[s.Begin:s.End]) })
}

// equally makes it an error if the views have different lengths.
func equally[T, U any](c *call, x vector[T], y vector[U]) {
	if x.n != y.n {
		c.fail("%v and %v, expected equal lengths", x.view, y.view)
	}
}

// room makes it an error if dst has less than n elements.
func room[T any](c *call, dst vector[T], n int) {
	if dst.n < n {
		c.fail("%v for %d elements, expected room for all", dst.view, n)
	}
}

// apart makes it an error if the views have an element in common.
func apart[T, U any](c *call, x vector[T], y vector[U]) {
	if near(x, y) && x.region().Overlaps(y.region()) {
		c.fail("%v and %v have elements in common", x.view, y.view)
	}
}

// apartOrSame makes it an error if an element of one view is one of the other, at another
// index.
func apartOrSame[T, U any](c *call, x vector[T], y vector[U]) {
	if near(x, y) && !x.region().Same(y.region()) {
		apart(c, x, y)
	}
}

// near reports whether there is memory between the first and the last elements of both: else they have none in common.
func near[T, U any](x vector[T], y vector[U]) bool {
	a, b := uintptr(unsafe.Pointer(unsafe.SliceData(x.data))), uintptr(unsafe.Pointer(unsafe.SliceData(y.data)))
	return a < b+uintptr(len(y.data))*unsafe.Sizeof(*new(U)) && b < a+uintptr(len(x.data))*unsafe.Sizeof(*new(T))
}

// region returns where the elements are.
func (x *vector[T]) region() memory.Region {
	return memory.RegionOf(x.data, []int{x.n}, []int{x.stride})
}
