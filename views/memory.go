package views

import (
	"fmt"
	"unsafe"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
)

// A MemorySpace is a memory that the elements of views can be in: [Host], or that of a
// device. Two are equal if they are the same memory; nil stands for Host. It is what Kokkos
// calls so.
type MemorySpace = device.Memory

// Host is the memory of the host, which every space can touch but a card.
var Host MemorySpace = memory.Host

// MemoryOf returns the memory that is nearest to an execution space: that of the device for
// a [device.MemoryOwner] such as an [exec.SimGPU], and [Host] for others. A nil space is the
// default one.
func MemoryOf(on exec.Space) MemorySpace {
	if on == nil {
		d, err := exec.Default()
		if err != nil {
			return Host // no launch on it will run
		}
		on = d
	}
	return orHost(device.MemoryOf(on))
}

func orHost(m MemorySpace) MemorySpace {
	if m == nil {
		return Host
	}
	return m
}

// MemorySpace returns the memory that the elements are in.
func (v View[T]) MemorySpace() MemorySpace { return v.shape.orNone().home.memory }

// Address returns where the first element is, or nil if there are none or if the memory was
// freed. It is for the functions of a card, which take addresses in its memory; the host must
// not look there. The memory stays while something refers to v, so what uses the address ends
// with runtime.KeepAlive(v).
func (v View[T]) Address() unsafe.Pointer {
	if s := v.shape.orNone(); s.length == 0 || s.home.freed.Load() {
		return nil
	}
	return origin(v)
}

// origin is Address of a view that has elements.
func origin[T any](v View[T]) unsafe.Pointer {
	if s := v.shape.orNone(); s.far() {
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
		err = x.shape.orNone().alone(on, what)
	}
	return x, l, err
}

// alone returns an error if launches on several processes would touch a memory that one of them has.
func (s *shape) alone(on []policy.Launch, what string) error {
	return memory.Alone(s.home.memory, policy.Launch{}.With(on...).Space(), fmt.Sprintf("views: %s of %v", what, s))
}

// reach is memory.Reach, or one like it.
type reach = func(m device.Memory, on space.Space, what string) (space.Space, error)

func placeOn[T any](on []policy.Launch, what string, v Viewer[T], reach reach) (View[T], policy.Launch, error) {
	if v == nil {
		return View[T]{}, policy.Launch{}, fmt.Errorf("views: %s of a nil view", what)
	}
	x := v.view()
	l, err := x.shape.orNone().launch(on, what, reach)
	return x, l, err
}

func (s *shape) launch(on []policy.Launch, what string, reach reach) (policy.Launch, error) {
	l := policy.Launch{}.With(on...)
	to, err := reach(s.home.memory, l.Space(), fmt.Sprintf("views: %s of %v", what, s))
	if err == nil {
		err = s.usable(what)
	}
	return l.On(to), err
}

func init() {
	memory.Freed = func(v any) bool { return v.(interface{ freed() bool }).freed() }
	memory.Opened = func(v any) (unsafe.Pointer, int) {
		return v.(interface{ opened() (unsafe.Pointer, int) }).opened()
	}
	memory.Located = func(v any) memory.Region { return v.(interface{ region() memory.Region }).region() }
}

func (v View[T]) freed() bool { return v.shape.orNone().home.freed.Load() }

func (v View[T]) opened() (first unsafe.Pointer, n int) {
	if v.Len() == 0 || v.shape.orNone().far() {
		return nil, 0
	}
	return unsafe.Pointer(unsafe.SliceData(v.data)), len(v.data)
}

// region returns where the elements are.
func (v View[T]) region() memory.Region {
	return v.shape.orNone().region(origin(v), unsafe.Sizeof(*new(T)))
}

// region returns where elements of that size are, the first of them at an address. Its callers are compiled for each
// type of element.
//
//go:noinline
func (s *shape) region(first unsafe.Pointer, size uintptr) memory.Region {
	r := memory.RegionAt(first, s.span(), size, s.extents(), s.strides())
	if s.far() {
		return r.In(s.home.memory)
	}
	return r
}
