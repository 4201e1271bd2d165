package algorithms

import (
	"unsafe"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
)

// far returns the space of a launch as an S, if all memories are its own and the host cannot touch them. There is none else:
// a functor on the host then says what is wrong.
func far[S device.MemoryOwner](on []policy.Launch, all ...device.Memory) (s S, ok bool) {
	for _, m := range all {
		if m == nil || m != all[0] || !memory.Far(m) {
			return s, false
		}
	}
	near, err := memory.Near(all[0], policy.Launch{}.With(on...).Space(), "")
	s, ok = near.(S)
	return s, ok && err == nil && s.Memory() == all[0]
}

// memoryIn returns the memory of a view, nil if there is no view.
func memoryIn[T any](v views.Viewer[T]) device.Memory {
	if v == nil {
		return nil
	}
	return views.As(v).MemorySpace()
}

// farScan is a scan of such views.
func farScan[T any](name string, dst, src views.Viewer[T], r reducers.Reducer[T], on []policy.Launch, exclusive bool) error {
	c := newCall(name, on)
	d, s := farVectorOf(c, dst), farVectorOf(c, src)
	equally(c, d.vector, s.vector)
	if !d.at.Same(s.at) {
		farApart(c, d, s)
	}
	if c.err != nil {
		return c.err
	}
	x := device.Scan{Dst: d.data, Src: s.data, DstStride: d.stride, SrcStride: s.stride, Memory: s.view.MemorySpace(), Inclusive: !exclusive}
	return exec.ParallelScan(farValues[T]{c.items(s.n), x, [2]views.View[T]{d.view, s.view}}, func(policy.Span, *T, bool) {}, r)
}

// farValues is the policy of a scan of values that the space itself touches.
type farValues[T any] struct {
	policy.SpansPolicy
	scan device.Scan
	keep [2]views.View[T] // whose memory it is
}

// ScanValues tells [exec.ParallelScan] which values.
func (v farValues[T]) ScanValues() device.Scan { return v.scan }

// A farVector is a vector whose elements nobody here can touch.
type farVector[T any] struct {
	vector[T]
	at memory.Region
}

// farApart makes it an error if the views have an element in common.
func farApart[T, U any](c *call, x farVector[T], y farVector[U]) {
	if x.at.Overlaps(y.at) {
		c.fail("%v and %v have elements in common", x.view, y.view)
	}
}

func farVectorOf[T any](c *call, v views.Viewer[T]) (x farVector[T]) {
	view := views.As(v)
	x.view, x.n, x.stride = view, view.Len(), 1
	switch {
	case view.Rank() != 1:
		c.fail("%v has rank %d, expected 1", view, view.Rank())
		return x
	case memory.Freed(view):
		c.fail("%v, whose memory was freed", view)
		return x
	}
	if err := memory.Alone(view.MemorySpace(), c.on.Space(), view.String()); err != nil {
		c.fail("%w", err)
		return x
	}
	near, _ := memory.Near(view.MemorySpace(), c.on.Space(), "")
	c.on = c.on.On(near)
	x.at = memory.Located(view)
	if x.n > 1 {
		x.stride = view.Stride(0)
	}
	at := view.Address()
	switch {
	case x.n == 0:
	case at == nil: // of elements of no bytes
		x.data = make([]T, (x.n-1)*x.stride+1)
	default:
		x.data = unsafe.Slice((*T)(at), (x.n-1)*x.stride+1)
	}
	return x
}
