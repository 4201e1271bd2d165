// Package typed asks for the types of values where each launch asks again, mostly for the same ones. An assertion to an
// interface that depends on a type parameter takes some 20 nanoseconds.
package typed

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Hidden stands for the type of values in code that is compiled once for all of them. A generic struct that
// has its T only behind pointers, as functions of a *T do, lies in memory as that of Hidden does. A pointer
// to one may be made a pointer to the other.
type Hidden struct{}

// Of tells types apart: it is the same number for values of one type, and 0 for nil.
func Of(x any) uintptr { return uintptr(wordsOf(&x)[0]) }

// As returns x.(I), for an interface I with methods.
func As[I any](x any) (i I, ok bool) {
	at, a := recall((*I)(nil), x)
	if a == nil {
		i, ok = x.(I)
		remember(at, (*I)(nil), x, wordsOf(&i)[0])
		return i, ok
	}
	return With[I](a.methods, x), a.methods != nil
}

// Methods returns what a value has as methods of an interface type, for [With], or nil.
func Methods(of reflect.Type, x any) unsafe.Pointer {
	if x == nil || !reflect.TypeOf(x).Implements(of) {
		return nil
	}
	i := reflect.New(of)
	i.Elem().Set(reflect.ValueOf(x))
	return *(*unsafe.Pointer)(i.UnsafePointer())
}

// With returns x as an interface by what values of its type have as methods, or nil if they have none.
func With[I any](methods unsafe.Pointer, x any) (i I) {
	if methods != nil {
		*wordsOf(&i) = [2]unsafe.Pointer{methods, wordsOf(&x)[1]}
	}
	return i
}

// recall returns the answer for a value and an interface, given a pointer to one, and its place; nil if it is not there.
func recall(key, x any) (at *atomic.Pointer[answer], a *answer) {
	of, to := wordsOf(&x)[0], wordsOf(&key)[0]
	at = &answers[(uintptr(to)/64+uintptr(of)/32)%uintptr(len(answers))]
	if a = at.Load(); a == nil || a.of != of || a.to != to {
		return at, nil
	}
	return at, a
}

// remember keeps an answer if there is none in its place.
func remember(at *atomic.Pointer[answer], key, x any, methods unsafe.Pointer) {
	if at.Load() == nil {
		at.CompareAndSwap(nil, &answer{wordsOf(&x)[0], wordsOf(&key)[0], methods})
	}
}

// answers are what was asked first, among types with one place here. Others are asked each time.
var answers [256]atomic.Pointer[answer]

// An answer is what the values of a type have as methods of an interface, or nil.
type answer struct{ of, to, methods unsafe.Pointer }

// wordsOf returns what an interface value is made of: what says its type, or the methods of it, and the value or where
// that is.
func wordsOf[I any](i *I) *[2]unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(i)) }
