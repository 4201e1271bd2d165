// Package memory is what exec and the packages of views share about the memory of views: who
// reaches it, where in it elements are, and memory that the garbage collector frees.
package memory

import (
	"fmt"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/ranks"
)

// Reach returns the execution space for a launch of functors on elements in m: on, or the
// owner of the memory if on is nil. It is an error if functors there cannot touch m, and what
// names the operation and the elements. A view is in the memory of one process: of a space of
// several, it is the one of this process.
func Reach(m device.Memory, on space.Space, what string) (space.Space, error) {
	on, err := Near(m, on, what)
	if err == nil && Far(m) {
		err = fmt.Errorf("%s in the memory of %v, which functors cannot touch from the host; views.MirrorCopy or views.DeepCopy copies it", what, m)
	}
	return on, err
}

// Near is [Reach] for what needs no functor: the memory itself does it.
func Near(m device.Memory, on space.Space, what string) (space.Space, error) {
	on = Here(on)
	switch owner := m.Owner(); {
	case owner == nil:
		return on, nil
	case on == nil:
		return owner, nil
	}
	if device.MemoryOf(on) != m {
		return on, fmt.Errorf("%s in the memory of %v on the space %s, which cannot touch it; views.MirrorCopy or views.DeepCopy copies it", what, m, named(on, m))
	}
	return on, nil
}

// named returns the name of a space, with its memory where the owner of m has the same name: the cards of a machine
// share one.
func named(on space.Space, m device.Memory) string {
	if own := device.MemoryOf(on); own != nil && on.Name() == m.Owner().Name() && own.String() != m.String() {
		return fmt.Sprintf("%s of %v", on.Name(), own)
	}
	return on.Name()
}

// Alone is an error if on is a space of several processes and the host can never touch m. An operation over
// all elements would run on the device of this process, and only on its own elements.
func Alone(m device.Memory, on space.Space, what string) error {
	d, ok := on.(ranks.Space)
	if !ok || d.Processes() < 2 || !Far(m) {
		return nil
	}
	return fmt.Errorf("%s in the memory of %v on the space %s: it does not run over %d processes, expected the space of "+
		"this one, %s, for its own elements", what, m, on.Name(), d.Processes(), d.Inner().Name())
}

// Here returns the space of this process where on is one of several, and else on.
func Here(on space.Space) space.Space {
	if d, ok := on.(ranks.Space); ok && d.Processes() > 1 {
		return d.Inner()
	}
	return on
}

// Far reports whether the host can never touch the memory.
func Far(m device.Memory) bool { return m.Guard() == nil }

// Elements returns the elements of a view, a views.View[T] or a pointer to one, whoever may touch them now: from the
// first in memory to the last, nil if there are none or if the memory is [Far]. It is for the packages that launch
// where the view is.
func Elements[T any](view any) []T {
	first, n := Opened(view)
	return unsafe.Slice((*T)(first), n)
}

// Opened is [Elements] for any type: it returns the address of the first, and how many there are. Package views sets
// it.
var Opened func(view any) (first unsafe.Pointer, n int)

// Located returns where the elements of such a view are. Package views sets it.
var Located func(view any) Region

// Freed reports whether the memory of such a view was freed. Package views sets it.
var Freed func(view any) bool
