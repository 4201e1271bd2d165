package views

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
)

// A MemorySpace is a memory that the elements of views can be in: [Host], or that of a
// device. Two are equal if they are the same memory. It is what Kokkos calls so.
type MemorySpace = memory.Space

// Host is the memory of the host, which every space can touch.
var Host MemorySpace

// MemoryOf returns the memory that is nearest to an execution space: that of the device for
// an [exec.SimGPU], and [Host] for others. A nil space is the default one.
func MemoryOf(space exec.Space) MemorySpace {
	if space == nil {
		d, err := exec.Default()
		if err != nil {
			return Host // no launch on it will run
		}
		space = d
	}
	if s, ok := space.(interface{ Memory() memory.Space }); ok {
		return s.Memory()
	}
	return Host
}

// MemorySpace returns the memory that the elements are in.
func (v View[T]) MemorySpace() MemorySpace { return memory.In(v.form().memory) }

// touch panics if nobody may touch the elements now.
func (s *shape) touch() {
	if s.memory.Closed {
		panic((*fault)(s))
	}
}

// A fault is a shape whose memory was touched from the wrong side. It is a run-time error,
// as that of a nil pointer.
type fault shape

func (f *fault) Error() string {
	s := (*shape)(f)
	return fmt.Sprintf("views: access to %v in the memory of %v, which is for functors that run there; views.MirrorCopy or views.DeepCopy copies it", s, memory.In(s.memory))
}

// RuntimeError tells run-time errors from others.
func (*fault) RuntimeError() {}

// launchOn returns the view that v is, and what the launches given carry, on the device
// whose memory v is in if they carry no space. It is an error if v is nil, or if the space
// cannot touch the memory.
func launchOn[T any](on []policy.Launch, what string, v Viewer[T]) (View[T], policy.Launch, error) {
	if v == nil {
		return View[T]{}, policy.Launch{}, fmt.Errorf("views: %s of a nil view", what)
	}
	x := v.view()
	l := policy.Launch{}.With(on...)
	space, err := memory.Reach(x.MemorySpace(), l.Space(), fmt.Sprintf("views: %s of %v", what, x))
	return x, l.On(space), err
}

func init() {
	memory.Opened = func(v any) (any, memory.Region) {
		return v.(interface{ opened() (any, memory.Region) }).opened()
	}
}

func (v View[T]) opened() (any, memory.Region) {
	if v.Len() == 0 {
		return []T(nil), v.region()
	}
	return v.data, v.region()
}

// region returns where the elements are.
func (v View[T]) region() memory.Region {
	return memory.RegionOf(v.data, v.form().extents(), v.form().strides())
}
