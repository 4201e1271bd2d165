package mpi

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A buffer is the elements of a view as bytes: the memory of the view itself if its elements
// lie in host memory in the order of layout Right, and else a copy.
type buffer[T any] struct {
	view  views.View[T]
	copy  *views.View[T] // nil if bytes are those of view
	bytes []byte
	on    []policy.Launch // where it is copied
}

// uncancelled is for what others wait for, and for what has come.
var uncancelled = policy.Launch{}.WithContext(context.Background())

// bufferOf returns the bytes of v, whose content does not matter yet. what names the call.
func bufferOf[T any](what string, v views.Viewer[T], on []policy.Launch) (buffer[T], error) {
	if v == nil {
		return buffer[T]{}, fmt.Errorf("mpi: %s of a nil view", what)
	}
	b := buffer[T]{view: views.As(v)}
	if p := pointerIn[T](); p != nil {
		return buffer[T]{}, fmt.Errorf("mpi: %s of %v, whose elements of type %v refer to memory of this process: %v", what, b.view, reflect.TypeFor[T](), p)
	}
	if b.view.MemorySpace() == views.Host {
		if x, ok := b.view.Slice(); ok {
			b.bytes = bytesOf(x)
			return b, nil
		}
	}
	x := make([]T, b.view.Len())
	c, err := views.Of("message of "+b.view.Label(), x, b.view.Extents())
	if err != nil {
		return buffer[T]{}, err
	}
	b.copy, b.bytes, b.on = &c, bytesOf(x), append(slices.Clip(on), uncancelled)
	return b, nil
}

// pack makes the bytes those of the view.
func (b buffer[T]) pack() error {
	if b.copy == nil || b.view.Len() == 0 {
		return nil
	}
	return views.DeepCopy(*b.copy, b.view, b.on...)
}

// unpack makes the elements of the view what the bytes are.
func (b buffer[T]) unpack() error {
	if b.copy == nil || b.view.Len() == 0 {
		return nil
	}
	return views.DeepCopy(b.view, *b.copy, b.on...)
}

// packed returns the bytes of a view that is sent.
func packed[T any](what string, v views.Viewer[T], on []policy.Launch) ([]byte, error) {
	b, err := bufferOf(what, v, on)
	if err == nil {
		err = b.pack()
	}
	return b.bytes, err
}

func bytesOf[T any](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
}

// planOf returns where a call runs, and what cancels it.
func planOf(on []policy.Launch) policy.Plan { return policy.Range(0, 0).With(on...).Plan() }

// pointers has what pointerIn has found.
var pointers sync.Map // of types, to a type or nil

// pointerIn returns a type in T that refers to memory elsewhere, or nil.
func pointerIn[T any]() reflect.Type {
	t := reflect.TypeFor[T]()
	found, ok := pointers.Load(t)
	if !ok {
		found = findPointer(t)
		pointers.Store(t, found)
	}
	p, _ := found.(reflect.Type)
	return p
}

// findPointer is what internal/memory of the core finds, which a module of its own that is nested below
// may not import.
func findPointer(t reflect.Type) reflect.Type {
	switch k := t.Kind(); {
	case k == reflect.Array:
		return findPointer(t.Elem())
	case k == reflect.Struct:
		for f := range t.Fields() {
			if p := findPointer(f.Type); p != nil {
				return p
			}
		}
		return nil
	case k <= reflect.Complex128: // bool and numbers
		return nil
	}
	return t
}

// apartFrom is an error if two views have elements in common, which MPI would read and write at one
// time. Views in memories of devices are copied either way.
func apartFrom[T any](what string, x, y views.View[T]) error {
	if x.MemorySpace() != views.Host || y.MemorySpace() != views.Host {
		return nil
	}
	if a, ok := x.Slice(); ok {
		if b, ok := y.Slice(); ok && !meet(bytesOf(a), bytesOf(b)) { // mostly
			return nil
		}
	}
	if views.Overlap(x, y) {
		return fmt.Errorf("mpi: %s with %v and %v, which have elements in common", what, x, y)
	}
	return nil
}

// meet reports whether two pieces of memory have bytes in common.
func meet(a, b []byte) bool {
	from, to := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return from < to+uintptr(len(b)) && to < from+uintptr(len(a))
}

// checkStack is an error if stack has not one more dimension in front than part, of ranks.
func checkStack[T any](what string, stack, part views.View[T], ranks int) error {
	want := append([]int{ranks}, part.Extents()...)
	if !slices.Equal(stack.Extents(), want) {
		return fmt.Errorf("mpi: %s with %v of all ranks and %v of one, expected extents %v, one row for each rank", what, stack, part, want)
	}
	return nil
}
