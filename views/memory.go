package views

import (
	"fmt"
	"unsafe"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
)

// A MemorySpace is a memory that the elements of views can be in: [Host], or that of a
// device. Two are equal if they are the same memory; nil stands for Host. It is what Kokkos
// calls so.
type MemorySpace = space.Memory

// Host is the memory of the host, which every space can touch but a card.
var Host MemorySpace = memory.Host

// MemoryOf returns the memory that is nearest to an execution space: that of the device for
// a [space.MemoryOwner] such as an [exec.SimGPU], and [Host] for others. A nil space is the
// default one.
func MemoryOf(on exec.Space) MemorySpace {
	if on == nil {
		d, err := exec.Default()
		if err != nil {
			return Host // no launch on it will run
		}
		on = d
	}
	return orHost(space.MemoryOf(on))
}

func orHost(m MemorySpace) MemorySpace {
	if m == nil {
		return Host
	}
	return m
}

// MemorySpace returns the memory that the elements are in.
func (v View[T]) MemorySpace() MemorySpace { return v.form().home.memory }

// Address returns where the first element is, or nil if there are none or if the memory was
// freed. It is for the functions of a card, which take addresses in its memory; the host must
// not look there. The memory stays while something refers to v, so what uses the address ends
// with runtime.KeepAlive(v).
func (v View[T]) Address() unsafe.Pointer {
	if v.Len() == 0 || v.freed() {
		return nil
	}
	return v.origin()
}

// origin is Address of a view that has elements.
func (v View[T]) origin() unsafe.Pointer {
	if s := v.form(); s.far() {
		return unsafe.Add(s.home.address, s.first*int(unsafe.Sizeof(*new(T))))
	}
	return unsafe.Pointer(unsafe.SliceData(v.data))
}

// touch panics if nobody may touch the elements now.
func (s *shape) touch() { s.touchAt(0) }

// touchAt is touch in front of an access to a place, which it returns. As a statement of its own the check would leave
// a NOP at each access, also where the compiler has the check already: inlined calls have an instruction on their line.
//
//go:norace
func (s *shape) touchAt(place int) int {
	if !s.guard.Open() {
		panic((*fault)(s))
	}
	return place
}

// A fault is a shape whose memory was touched from the wrong side. It is a run-time error,
// as that of a nil pointer.
type fault shape

func (f *fault) Error() string {
	s := (*shape)(f)
	return fmt.Sprintf("views: access to %v in the memory of %v, which is for functors that run there; views.MirrorCopy or views.DeepCopy copies it", s, s.home.memory)
}

// RuntimeError tells run-time errors from others.
func (*fault) RuntimeError() {}

// launchOn returns the view that v is, and what the launches given carry, on the device
// whose memory v is in if they carry no space. It is an error if v is nil, if its memory was
// freed, or if functors on the space cannot touch the memory.
func launchOn[T any](on []policy.Launch, what string, v Viewer[T]) (View[T], policy.Launch, error) {
	return placeOn(on, what, v, memory.Reach)
}

// nearOn is launchOn for what needs no functor where the memory is far. There it is an error, too, if the space is one
// of several processes.
func nearOn[T any](on []policy.Launch, what string, v Viewer[T]) (View[T], policy.Launch, error) {
	x, l, err := placeOn(on, what, v, memory.Near)
	if err == nil {
		err = memory.Alone(x.MemorySpace(), policy.Launch{}.With(on...).Space(), fmt.Sprintf("views: %s of %v", what, x))
	}
	return x, l, err
}

func placeOn[T any](on []policy.Launch, what string, v Viewer[T], reach func(m space.Memory, on space.Space, what string) (space.Space, error)) (View[T], policy.Launch, error) {
	if v == nil {
		return View[T]{}, policy.Launch{}, fmt.Errorf("views: %s of a nil view", what)
	}
	x := v.view()
	l := policy.Launch{}.With(on...)
	to, err := reach(x.MemorySpace(), l.Space(), fmt.Sprintf("views: %s of %v", what, x))
	if err == nil {
		err = x.form().usable(what)
	}
	return x, l.On(to), err
}

func init() {
	memory.Freed = func(v any) bool { return v.(interface{ freed() bool }).freed() }
	memory.Opened = func(v any) (unsafe.Pointer, int) {
		return v.(interface{ opened() (unsafe.Pointer, int) }).opened()
	}
	memory.Located = func(v any) memory.Region { return v.(interface{ region() memory.Region }).region() }
}

func (v View[T]) freed() bool { return v.form().home.freed.Load() }

func (v View[T]) opened() (first unsafe.Pointer, n int) {
	if v.Len() == 0 || v.form().far() {
		return nil, 0
	}
	return unsafe.Pointer(unsafe.SliceData(v.data)), len(v.data)
}

// region returns where the elements are.
func (v View[T]) region() memory.Region {
	s := v.form()
	if s.far() {
		return memory.RegionAt[T](v.origin(), s.span(), s.extents(), s.strides()).In(s.home.memory)
	}
	return memory.RegionOf(v.data, s.extents(), s.strides())
}
