// Package typed asks for the types of values where each launch asks again, mostly for the same ones. An assertion to an
// interface that depends on a type parameter takes some 20 nanoseconds.
package typed

import (
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
	if recall(wordsOf(&i), (*I)(nil), x) {
		return i, wordsOf(&i)[0] != nil
	}
	i, ok = x.(I)
	remember(wordsOf(&i), (*I)(nil), x)
	return i, ok
}

// recall sets an interface value to x if the answer for the type of x was yes, and returns whether there is an
// answer. The key is a pointer to the interface.
func recall(i *[2]unsafe.Pointer, key, x any) bool {
	at, of, to := placeOf(key, x)
	a := at.Load()
	if a == nil || a.of != of || a.to != to {
		return false
	}
	if a.methods != nil {
		*i = [2]unsafe.Pointer{a.methods, wordsOf(&x)[1]}
	}
	return true
}

// remember keeps an answer if there is none in its place.
func remember(i *[2]unsafe.Pointer, key, x any) {
	if at, of, to := placeOf(key, x); at.Load() == nil {
		at.CompareAndSwap(nil, &answer{of, to, i[0]})
	}
}

// placeOf returns the place of an answer, and what it is the answer to.
func placeOf(key, x any) (at *atomic.Pointer[answer], of, to unsafe.Pointer) {
	of, to = wordsOf(&x)[0], wordsOf(&key)[0]
	return &answers[(uintptr(to)/64+uintptr(of)/32)%uintptr(len(answers))], of, to
}

// answers are what was asked first, among types with one place here. Others are asked each time.
var answers [256]atomic.Pointer[answer]

// An answer is what the values of a type have as methods of an interface, or nil.
type answer struct{ of, to, methods unsafe.Pointer }

// wordsOf returns what an interface value is made of: what says its type, or the methods of it, and the value or where
// that is.
func wordsOf[I any](i *I) *[2]unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(i)) }
