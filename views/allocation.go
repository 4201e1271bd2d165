package views

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/memory"
)

// An allocation is what a memory gave for the elements of a view. The shapes of all views that
// share the elements refer to it: when none is left, the memory is freed.
type allocation struct {
	memory  device.Memory
	address unsafe.Pointer
	freed   atomic.Bool
	cleanup runtime.Cleanup
}

// onHost stands for the memory of all views on the host, which the garbage collector frees.
var onHost = &allocation{memory: memory.Host}

// shut is the guard of memories that have none.
var shut device.Guard

// in puts the shape into an allocation.
func (s *shape) in(b *allocation) {
	s.home, s.guard = b, b.memory.Guard()
	if s.guard == nil {
		s.guard = &shut
	}
}

// far reports whether the host can never touch the memory.
func (s *shape) far() bool { return s.guard == &shut }

// usable returns an error if the memory was freed. what names an operation.
func (s *shape) usable(what string) error {
	if s.home.freed.Load() {
		return fmt.Errorf("views: %s of %v, whose memory was freed", what, s)
	}
	return nil
}

// allocateIn allocates zeroed elements in the memory of a device for a shape that has its
// strides, and puts the shape there.
func allocateIn[T any](m device.Memory, s *shape) ([]T, error) {
	t := reflect.TypeFor[T]()
	address, n, err := s.allocate(m, t)
	switch {
	case err != nil || s.far():
		return nil, err
	case n == 0 || t.Size() == 0: // wherever that is
		return make([]T, n), nil
	}
	return unsafe.Slice((*T)(address), n), nil
}

// allocate is allocateIn with the address of n elements of type t.
func (s *shape) allocate(m device.Memory, t reflect.Type) (address unsafe.Pointer, n int, err error) {
	if p := memory.PointerIn(t); p != nil {
		return nil, 0, fmt.Errorf("views: %v of %v in %v, which holds plain values, and a %v refers to memory elsewhere", s, t, m, p)
	}
	n, size := s.span(), int(t.Size())
	if size > 0 && n > math.MaxInt/size {
		return nil, 0, fmt.Errorf("views: %v of %v needs more memory than there can be", s, t)
	}
	address, err = allocate(m, n*size, t.Align())
	if err != nil {
		return nil, 0, fmt.Errorf("views: %v in %v: %w", s, m, err)
	}
	b := &allocation{memory: m, address: address}
	b.cleanup = runtime.AddCleanup(b, func(f lease) { _ = f.memory.Free(f.address) }, lease{m, address}) // nobody is there to hear of an error
	s.in(b)
	return address, n, nil
}

// A lease is what frees an allocation that is gone.
type lease struct {
	memory  device.Memory
	address unsafe.Pointer
}

// patience is how long allocate waits for what the garbage collector frees, in all.
const patience = 50 * time.Millisecond

// allocate allocates in a memory. The garbage collector does not know how full that is, so
// it may have views that nothing refers to: allocate has them collected if there is no room.
func allocate(m device.Memory, bytes, align int) (unsafe.Pointer, error) {
	address, err := addressIn(m, bytes, align)
	if !errors.Is(err, device.ErrOutOfMemory) {
		return address, err
	}
	runtime.GC()
	for wait := patience / 32; wait < patience && errors.Is(err, device.ErrOutOfMemory); wait *= 2 {
		time.Sleep(wait) // cleanups run after the collection
		address, err = addressIn(m, bytes, align)
	}
	return address, err
}

// minAddress is the least value of a pointer that the runtime does not take for a broken one.
const minAddress = 4096

// addressIn returns what the memory allocates, or an error if that is no address for so many
// bytes. Nothing is called while a broken one is in a variable of pointer type: the program
// would end when the stack grows.
func addressIn(m device.Memory, bytes, align int) (unsafe.Pointer, error) {
	address, err := m.Allocate(bytes, align)
	if err != nil {
		return nil, err
	}
	at := uintptr(address)
	if at >= minAddress && at%uintptr(align) == 0 && at <= math.MaxUint-uintptr(bytes) || at == 0 && bytes == 0 {
		return address, nil
	}
	if at >= minAddress {
		_ = m.Free(address) // nobody is to have it
	}
	return nil, fmt.Errorf("the address %#x of allocated memory of %d bytes, expected a multiple of %d from %d on with room for them", at, bytes, align, minAddress)
}

// Free gives the memory of a device back that the elements of v are in, at once: otherwise
// that is done some time after nothing refers to v or to another view of these elements any
// more, or when the memory is full. On the host it does nothing, so a program can free its
// mirrors on every space. In Kokkos, memory is freed with the last view of it.
//
// Nothing may use the elements at that time or later, nor those of views that share them:
// [DeepCopy], [Fill] and launches of this package return an error.
//
// It is an error if v is nil, or if the memory was freed before.
func Free[T any](v Viewer[T]) error {
	if v == nil {
		return errors.New("views: Free of a nil view")
	}
	return v.view().shape.orNone().free()
}

func (s *shape) free() error {
	b := s.home
	if b == onHost {
		return nil
	}
	if b.freed.Swap(true) {
		return s.usable("Free")
	}
	b.cleanup.Stop()
	if err := b.memory.Free(b.address); err != nil {
		return fmt.Errorf("views: Free of %v in %v: %w", s, b.memory, err)
	}
	return nil
}
