package mpi

import (
	"context"
	"reflect"
	"runtime/pprof"
	"sync"
	"unsafe"
)

// The runtime hands the labels that a goroutine has for profiles down to those that it starts, however
// they are started. So a functor runs with labels of its launch: a copy of those that are there, which
// profiles do not tell from them, at an address that no other launch has.

// goroutineLabels and setGoroutineLabels get and set the labels of the calling goroutine.
//
//go:linkname goroutineLabels runtime/pprof.runtime_getProfLabel
func goroutineLabels() unsafe.Pointer

//go:linkname setGoroutineLabels runtime/pprof.runtime_setProfLabel
func setGoroutineLabels(labels unsafe.Pointer)

// labelsType is what labels are, nil if package pprof does not tell.
var labelsType = func() reflect.Type {
	from := asked{pprof.WithLabels(context.Background(), pprof.Labels("key", "value")), new(any)}
	pprof.Label(from, "key")
	if t := reflect.TypeOf(*from.value); t != nil && t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return nil
}()

// asked is a context that keeps what it was asked for.
type asked struct {
	context.Context
	value *any
}

func (a asked) Value(key any) any {
	*a.value = a.Context.Value(key)
	return *a.value
}

// marks are the labels of the launch that runs.
type marks struct {
	mu    sync.Mutex
	now   []marked
	spare reflect.Value // labels that no launch has had
	used  int           // of these
}

// marked are labels of goroutines, and those that they have in the launch.
type marked struct{ before, now unsafe.Pointer }

// spareLabels is how many labels are made at one time.
const spareLabels = 64

// begin forgets the launch before.
func (m *marks) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.now)
	m.now = m.now[:0]
}

// of returns the labels in the launch of a goroutine that has others.
func (m *marks) of(labels unsafe.Pointer) unsafe.Pointer {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.now {
		if k.before == labels || k.now == labels {
			return k.now
		}
	}
	if !m.spare.IsValid() || m.used == spareLabels {
		m.spare, m.used = reflect.MakeSlice(reflect.SliceOf(labelsType), spareLabels, spareLabels), 0
	}
	mine := m.spare.Index(m.used)
	m.used++
	if labels != nil {
		mine.Set(reflect.NewAt(labelsType, labels).Elem())
	}
	m.now = append(m.now, marked{labels, mine.Addr().UnsafePointer()})
	return mine.Addr().UnsafePointer()
}

// inherited reports whether the calling goroutine has labels of the launch.
func (m *marks) inherited() bool {
	labels := goroutineLabels()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.now {
		if k.now == labels {
			return true
		}
	}
	return false
}
