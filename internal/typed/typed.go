// Package typed asks for the types of values where each launch asks again, mostly for the same ones. An assertion to an
// interface that depends on a type parameter takes some 20 nanoseconds.
package typed

import (
	"sync/atomic"
	"unsafe"
)

// Of tells types apart: it is the same number for values of one type, and 0 for nil.
func Of(x any) uintptr { return uintptr(wordsOf(&x)[0]) }

// As returns x.(I), for an interface I with methods.
func As[I any](x any) (i I, ok bool) {
	key, words := any((*I)(nil)), wordsOf(&x)
	to := wordsOf(&key)[0]
	at := &answers[(uintptr(to)/64+uintptr(words[0])/32)%uintptr(len(answers))]
	a := at.Load()
	if a == nil || a.of != words[0] || a.to != to {
		i, ok = x.(I)
		if a == nil {
			at.CompareAndSwap(nil, &answer{words[0], to, wordsOf(&i)[0]})
		}
		return i, ok
	}
	if a.methods != nil {
		*wordsOf(&i) = [2]unsafe.Pointer{a.methods, words[1]}
	}
	return i, a.methods != nil
}

// answers are what was asked first, among types with one place here. Others are asked each time.
var answers [256]atomic.Pointer[answer]

// An answer is what the values of a type have as methods of an interface, or nil.
type answer struct{ of, to, methods unsafe.Pointer }

// wordsOf returns what an interface value is made of: what says its type, or the methods of it, and the value or where
// that is.
func wordsOf[I any](i *I) *[2]unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(i)) }
