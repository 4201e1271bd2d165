package reduce

import (
	"reflect"
	"sync"

	"github.com/gokkos/gokkos/reducers/concept"
)

// reducer is a reducers.Reducer, whose package imports this one. It is no type of its own, so
// that one is the other without a conversion.
type reducer[T any] = interface {
	Init(val *T)
	Join(dst, src *T)
	Final(val *T)
	Reference() *T
}

// IsFlat reports whether a copy of a T copies all of it, so that two copies share no
// memory that could change.
func IsFlat[T any]() bool { return isFlat(reflect.TypeFor[T]()) }

// TakesLanes reports whether values of type T may be reduced in several lanes: they are
// flat and not larger than 64 bytes, counted as on a 64-bit machine.
func TakesLanes[T any]() bool {
	t := reflect.TypeFor[T]()
	return isFlat(t) && sizeof(t) <= maxLaneBytes
}

// IsPlace reports whether a reducer of type t is a struct that holds nothing but one pointer, to its
// result place, as most built-in ones are: equal ones are the same, and all have the traits and
// the identity of their type, see [concept.Traits].
func IsPlace[T any](t reflect.Type) bool {
	if is, ok := places.Load(t); ok {
		return is.(bool)
	}
	is := t != nil && t.Kind() == reflect.Struct && pointers(t, reflect.TypeFor[*T]()) == 1
	places.Store(t, is)
	return is
}

// places has the answers of IsPlace: a type reduces values of one type.
var places sync.Map

// pointers returns how many fields the struct t has if all are pointers of that type, else -1. Of
// two pointers one may be to what the identity comes from.
func pointers(t, pointer reflect.Type) (n int) {
	for f := range t.Fields() {
		some := -1
		switch {
		case f.Type == pointer:
			some = 1
		case f.Type.Kind() == reflect.Struct:
			some = pointers(f.Type, pointer)
		}
		if some < 0 {
			return -1
		}
		n += some
	}
	return n
}

// Load sets *val to the partial result that stands for the old content of r's result
// place, given r's traits.
func Load[T any](r reducer[T], t *concept.Traits[T], val *T) {
	switch {
	case t.Load != nil:
		t.Load(val)
	case isFlat(reflect.TypeFor[T]()):
		*val = *r.Reference()
	default: // a copy would share memory with the result place
		r.Init(val)
		r.Join(val, r.Reference())
	}
}

// Store writes *val, to which Final was applied, to r's result place, given r's traits.
// The place may then share memory with *val.
func Store[T any](r reducer[T], t *concept.Traits[T], val *T) {
	if t.Store != nil {
		t.Store(val)
		return
	}
	*r.Reference() = *val
}

// isFlat reports whether copying a value of type t copies all of it.
func isFlat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer, reflect.Map, reflect.Interface, reflect.Chan, reflect.UnsafePointer:
		return false
	case reflect.Array:
		return isFlat(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if !isFlat(f.Type) {
				return false
			}
		}
	}
	return true // functions and strings cannot be changed
}

// isBits reports whether values of type t are numbers and bools, or made of these.
func isBits(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return isBits(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if !isBits(f.Type) {
				return false
			}
		}
		return true
	}
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128
}

// sizeof returns the size of a flat type as on a 64-bit machine, so that the tree
// is the same on all machines.
func sizeof(t reflect.Type) uintptr {
	size, _ := layout(t)
	return size
}

func layout(t reflect.Type) (size, align uintptr) {
	switch t.Kind() {
	case reflect.Int, reflect.Uint, reflect.Uintptr, reflect.Func:
		return 8, 8
	case reflect.String:
		return 16, 8
	case reflect.Complex64, reflect.Complex128:
		return t.Size(), t.Size() / 2
	case reflect.Array:
		size, align = layout(t.Elem())
		return size * uintptr(t.Len()), align
	case reflect.Struct:
		align = 1
		for f := range t.Fields() {
			s, a := layout(f.Type)
			size = (size+a-1)/a*a + s
			align = max(align, a)
		}
		return (size + align - 1) / align * align, align
	}
	return t.Size(), t.Size()
}
