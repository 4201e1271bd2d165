package concept

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/gokkos/gokkos/internal/typed"
)

// A Reducer is a reducers.Reducer, whose package imports this one. It is no type of its own, so
// that one is the other without a conversion.
type Reducer[T any] = interface {
	Init(val *T)
	Join(dst, src *T)
	Final(val *T)
	Reference() *T
}

// Traits say what a pattern may want to know of a reducer beyond its four
// methods. The zero value is right for most. A reducer that differs has a
// method Traits() Traits[T]; one that wraps another starts from [TraitsOf]. A struct that holds
// nothing but one pointer, to its result place, has the traits and the identity that its type has:
// a pattern may ask one of them for all.
type Traits[T any] struct {
	// Ordered marks an operation that is associative but not commutative.
	Ordered bool
	// Exact marks an operation that gives the same bits in whatever order partial
	// results are joined, so that a device may join them with atomics: wrapping
	// integers, min and max, logic, bits. Signs and payloads of NaNs do not count.
	// An Ordered operation is never Exact.
	Exact bool
	// NoIdentity marks an operation without a known identity (see reducers.Partial).
	NoIdentity bool
	// Initial asks for the old content of the result place to be joined in,
	// once, to the left of everything else.
	Initial bool
	// Once marks an operation that changes more than its partial results: each item must
	// contribute once, and the result be stored once. Scans refuse it, and nested patterns
	// over several members of a team, each of which stores a result.
	Once bool
	// Load sets *val to the partial result that stands for the old content of
	// the result place, for use with Initial; nil means that it is one itself.
	Load func(val *T)
	// Store writes the result; nil means *Reference() = *val. If it panics, results
	// that were stored before it stay.
	Store func(val *T)
	// Place is where the result goes if that is not *Reference(): a pointer, or a slice of
	// what is written, or the Place of the reducer that stores it. It tells launches that
	// two reducers would write the same memory.
	Place any
	// Err says why the reducer cannot be used. It is returned by the launch.
	Err error

	// Traits are a whole number of vector registers: else copies of copies wait for parts that overlap.
	_ uintptr
}

// TraitsOf returns the traits of r. A reducer that cannot be used,
// because it or its result place is nil, has Err set.
func TraitsOf[T any](r Reducer[T]) (t Traits[T]) {
	if isNil(r) {
		t.Err = errNil
		return t
	}
	if h, ok := typed.As[interface{ Traits() Traits[T] }](r); ok {
		t = h.Traits()
	}
	if t.Ordered {
		t.Exact = false
	}
	if t.Err == nil && t.Store == nil && r.Reference() == nil {
		t.Err = noPlace(r)
	}
	return t
}

var errNil = errors.New("reducers: the reducer is nil")

func noPlace(r any) error { return fmt.Errorf("reducers: %T has a nil result place", r) }

// IdentityOf returns the identity of r and whether it is known.
func IdentityOf[T any](r Reducer[T]) (identity T, known bool) {
	t := TraitsOf(r)
	if t.Err != nil || t.NoIdentity {
		return identity, false
	}
	r.Init(&identity)
	return identity, true
}

// isNil reports whether v is nil or holds a nil pointer or function.
func isNil(v any) bool {
	if v == nil {
		return true
	}
	switch x := reflect.ValueOf(v); x.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Map, reflect.Slice:
		return x.IsNil()
	}
	return false
}
