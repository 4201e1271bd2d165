package team

import (
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/reducers"
)

// An operation is the reducer of one meeting, made by the first member to arrive.
type operation[T any] struct {
	r       reducers.Reducer[T]
	dynamic reflect.Type // of the reducer
	code    uintptr      // of the constructor
	arrived int          // members, in this meeting
	place   T            // where the reducer believes that its result goes

	known, flat bool // flat: copying a value copies all of it
}

// agree makes the reducer if the calling member is the first, and returns the type of
// the reducer that the member asks for: members that ask for different ones diverge.
//
// Only code is compared before types: a constructor may be a closure, of which every
// member has its own. The reducer is not kept for the next meeting since what a
// constructor has captured may change.
//
// The constructor is called in the member, which may not call another collective there.
//
// like is a value as the members bring it: the length of a [reducers.Slice] is that of
// its result place.
func agree[T any, R reducers.Reducer[T]](s *seat, o *operation[T], name string, like T, op func(*T) R) reflect.Type {
	if op == nil {
		misuse("%s: the operation is nil: expected the constructor of a reducer, such as builtin.Sum", name)
	}
	code := **(**uintptr)(unsafe.Pointer(&op))
	if o.arrived > 0 {
		o.arrived++
		if code == o.code {
			return o.dynamic
		}
		return another(s, like, op)
	}
	if !o.known {
		o.known, o.flat = true, reducers.IsFlat[T]()
	}
	if !o.flat {
		o.place = like
	}
	r := made(s, &o.place, op)
	traits := reducers.TraitsOf(r)
	if traits.Err == nil && r.Reference() == nil { // of one field, perhaps, but who owns the others?
		r = reducers.Compose(r)
		traits = reducers.TraitsOf(r)
	}
	if traits.Err != nil {
		misuse("%s: %w", name, traits.Err)
	}
	if traits.Initial {
		misuse("%s: a collective has no result place with an old result: give the initial value to the From form instead", name)
	}
	o.r, o.code, o.dynamic = r, code, reflect.TypeOf(r)
	o.arrived = 1
	return o.dynamic
}

// another returns the type of the reducer that op makes.
//
//go:noinline
func another[T any, R reducers.Reducer[T]](s *seat, like T, op func(*T) R) reflect.Type {
	return reflect.TypeOf(made(s, &like, op))
}

// made calls a constructor.
func made[T any, R reducers.Reducer[T]](s *seat, place *T, op func(*T) R) (r reducers.Reducer[T]) {
	b := &s.m.board
	b.calling = true
	defer b.called()
	return op(place)
}

// open is called when all members have arrived, before anything can panic: a team of
// one may recover.
func (o *operation[T]) open() { o.arrived = 0 }

// close forgets what refers to the caller's memory.
func (o *operation[T]) close() {
	var none T
	o.r, o.place = nil, none
}

// identity sets *dst to the identity, in memory of its own.
func (o *operation[T]) identity(dst *T) {
	if !o.flat {
		var none T
		*dst = none
	}
	o.r.Init(dst)
}

// set sets *dst to *src, in memory of its own.
func (o *operation[T]) set(dst, src *T) {
	if o.flat {
		*dst = *src
		return
	}
	o.identity(dst)
	o.r.Join(dst, src)
}

// finish sets *dst to what *src is in the end, in memory of its own.
func (o *operation[T]) finish(dst, src *T) {
	o.set(dst, src)
	o.r.Final(dst)
}
