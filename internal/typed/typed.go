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

// Same reports whether two values of an interface type are of one type.
func Same[I any](x, y I) bool { return wordsOf(&x)[0] == wordsOf(&y)[0] }

// As returns x.(I), for an interface I with methods.
func As[I any](x any) (i I, ok bool) {
	methods := methodsOf((*I)(nil), x)
	return With[I](methods, x), methods != nil
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

// An Interface is what an interface value is made of: it may be read as one of the type that its methods are of.
type Interface struct{ methods, value unsafe.Pointer }

// Known reports whether the interface has methods.
func (i *Interface) Known() bool { return i.methods != nil }

// Interfaced returns x as an interface by what values of its type have as methods of it.
func Interfaced(methods unsafe.Pointer, x any) Interface {
	return Interface{methods, wordsOf(&x)[1]}
}

// methodsOf returns Methods of an interface type, given a pointer to one.
func methodsOf(pointer, x any) unsafe.Pointer {
	of, to := wordsOf(&x)[0], wordsOf(&pointer)[0]
	place := &answers[(uintptr(to)/64+uintptr(of)/32)%uintptr(len(answers))]
	for {
		list := place.Load()
		for a := list; a != nil; a = a.next {
			if a.of == of && a.to == to {
				return a.methods
			}
		}
		a := &answer{of, to, Methods(reflect.TypeOf(pointer).Elem(), x), list}
		place.CompareAndSwap(list, a) // or somebody has added to the list
	}
}

// answers are what has been asked: lists of types with one place here.
var answers [256]atomic.Pointer[answer]

// An answer is what the values of a type have as methods of an interface, or nil.
type answer struct {
	of, to, methods unsafe.Pointer
	next            *answer
}

// wordsOf returns what an interface value is made of: what says its type, or the methods of it, and the value or where
// that is.
func wordsOf[I any](i *I) *[2]unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(i)) }
