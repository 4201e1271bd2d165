package watch

import (
	"reflect"
	"unsafe"
)

// OwnAll says of all memory that v refers to that it belongs to the running thread.
//
//go:norace
func OwnAll(v reflect.Value) {
	joined = v
	parts(v, Own)
}

// joined is what the running thread said last that it owns.
var joined reflect.Value

// ownsNow reports whether an address is in memory that what the running thread owns has come to
// refer to.
//
//go:norace
func ownsNow(addr uintptr) bool {
	if !joined.IsValid() {
		return false
	}
	parts(joined, Own)
	return owns(addr)
}

// RenewAll says of all memory that v refers to that it begins anew.
//
//go:norace
func RenewAll(v reflect.Value) { parts(v, renew) }

//go:norace
func renew(p unsafe.Pointer, bytes uintptr) { Renew(uintptr(p), bytes) }

// parts calls f for the memory that v refers to: that of slices and pointers, and what these
// refer to in turn.
//
//go:norace
func parts(v reflect.Value, f func(p unsafe.Pointer, bytes uintptr)) {
	switch v.Kind() {
	case reflect.Slice:
		f(v.UnsafePointer(), uintptr(v.Cap())*v.Type().Elem().Size())
		elements(v, f)
	case reflect.Array:
		elements(v, f)
	case reflect.Struct:
		for k := range v.NumField() {
			parts(v.Field(k), f)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			f(v.UnsafePointer(), v.Type().Elem().Size())
			parts(v.Elem(), f)
		}
	}
}

//go:norace
func elements(v reflect.Value, f func(p unsafe.Pointer, bytes uintptr)) {
	switch v.Type().Elem().Kind() {
	case reflect.Slice, reflect.Struct, reflect.Pointer, reflect.Array:
		for k := range v.Len() {
			parts(v.Index(k), f)
		}
	}
}
