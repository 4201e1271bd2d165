package team

import (
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// An operation is the reducer of one meeting. The first member to arrive constructs it.
type operation[T any] struct {
	r       reducers.Reducer[T]
	dynamic reflect.Type // of the reducer
	code    uintptr      // of the constructor
	arrived int          // members, in this meeting
	place   T            // the reducer's result place: its result is returned instead

	known, flat bool // flat, once known: a T refers to no memory elsewhere
}

// agree constructs the reducer if the calling member is the first to arrive. It returns the
// type of the reducer that the member asks for: members that ask for different types diverge.
//
// Constructors of the same code make reducers of the same type, so that most members call
// none. Values of constructors are not compared: each member may have a closure of its own.
// The reducer is not kept for the next meeting, since what a closure captures may change.
//
// op runs in the member, and must call no collective there.
//
// like is a value such as the members contribute. The result place starts as a copy of it:
// it gives a [reducers.Slice] its length.
func agree[T any, R reducers.Reducer[T]](p *participant, o *operation[T], name string, like T, op func(*T) R) reflect.Type {
	if op == nil {
		misuse("%s: the operation is nil: expected the constructor of a reducer, such as builtin.Sum", name)
	}
	code := **(**uintptr)(unsafe.Pointer(&op))
	if o.arrived > 0 {
		o.arrived++
		if code == o.code {
			return o.dynamic
		}
		return reducerType(p, like, op)
	}
	if !o.known {
		o.known, o.flat = true, reduce.IsFlat[T]()
	}
	if !o.flat {
		o.place = like
	}
	r := construct(p, &o.place, op)
	traits := concept.TraitsOf(r)
	if traits.Err == nil && r.Reference() == nil {
		// Perhaps of one field. Compose reports the fields that have no reducer.
		r = reducers.Compose(r)
		traits = concept.TraitsOf(r)
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

// reducerType returns the type of the reducer that op constructs.
//
//go:noinline
func reducerType[T any, R reducers.Reducer[T]](p *participant, like T, op func(*T) R) reflect.Type {
	return reflect.TypeOf(construct(p, &like, op))
}

// construct calls op for a result place.
func construct[T any, R reducers.Reducer[T]](p *participant, place *T, op func(*T) R) (r reducers.Reducer[T]) {
	x := &p.m.exchange
	x.calling = true
	defer x.called()
	return op(place)
}

// open begins to combine. It is called before anything can panic: a team of one may recover
// and call the next collective.
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

// finish sets *dst to Final of *src, in memory of its own.
func (o *operation[T]) finish(dst, src *T) {
	o.set(dst, src)
	o.r.Final(dst)
}
