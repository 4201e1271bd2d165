// Package memory says which memories there are, who may touch them, and where in them the
// elements of views are, which packages exec and views share. Package views names [Space]
// for users.
package memory

import (
	"fmt"
	"sync"

	"github.com/gokkos/gokkos/exec/space"
)

// A Space is a memory that elements of views can be in. Two are equal if they are the same
// memory. The zero value is that of the host.
type Space struct{ memory *Memory }

// In returns the space of a memory.
func In(m *Memory) Space {
	if m == host {
		m = nil
	}
	return Space{m}
}

// Memory returns what the space is a name of.
func (s Space) Memory() *Memory {
	if s.memory == nil {
		return host
	}
	return s.memory
}

// String returns "Host", or the name of the device.
func (s Space) String() string { return s.Memory().name }

// Reach returns the execution space for a launch on elements in m: on, or the device whose
// memory m is if on is nil. It is an error if on cannot touch m, and what names the elements.
func Reach(m Space, on space.Space, what string) (space.Space, error) {
	switch owner := m.Memory().Owner; {
	case owner == nil:
		return on, nil
	case on == nil:
		return owner, nil
	}
	if near, ok := on.(interface{ Memory() Space }); !ok || near.Memory() != m {
		return on, fmt.Errorf("%s in the memory of %v on the space %s, which cannot touch it; views.MirrorCopy or views.DeepCopy copies it", what, m, on.Name())
	}
	return on, nil
}

// A Memory is that of the host, or that of a device, which is open while a launch runs on
// the device.
type Memory struct {
	// Closed says that nobody may touch the memory. It changes only when the first of the
	// launches begins and the last one ends, so those who read it inside of one need no lock.
	Closed bool
	// Owner is the space whose memory it is, or nil.
	Owner space.Space
	// Err returns why there can be no views in the memory now, or nil. It may be nil.
	Err func() error

	name     string
	mu       sync.Mutex
	launches int
}

var host = &Memory{name: "Host"}

// Opened returns the elements of a view, a views.View[T], whoever may touch them now: a []T
// from the first in memory to the last, nil if there are none, and where in it they are.
// Package views sets it, for the packages that launch where the view is.
var Opened func(view any) (elements any, at Region)

// OfDevice returns the memory of a device. It is closed.
func OfDevice(name string, owner space.Space) *Memory {
	return &Memory{Closed: true, Owner: owner, name: name}
}

// None returns a memory that there is not, and err is why.
func None(name string, err error) *Memory {
	return &Memory{Closed: true, name: name, Err: func() error { return err }}
}

// Enter opens the memory for a launch.
func (m *Memory) Enter() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.launches++; m.launches == 1 {
		m.Closed = false
	}
}

// Leave ends what Enter began.
func (m *Memory) Leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.launches--; m.launches == 0 {
		m.Closed = true
	}
}
