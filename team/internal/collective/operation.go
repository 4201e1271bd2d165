package collective

import (
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// An Operation is the reducer of one meeting. The first member to arrive constructs it.
type Operation[T any] struct {
	R       reducers.Reducer[T]
	Dynamic reflect.Type // of the reducer
	code    uintptr      // of the constructor
	arrived int          // members, in this meeting
	place   T            // the reducer's result place: its result is returned instead

	Flat  bool // once known: a T refers to no memory elsewhere
	known bool
}

// Agree constructs the reducer if the calling member is the first to arrive. It returns the
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
func Agree[T any, R reducers.Reducer[T]](p *Participant, o *Operation[T], name string, like T, op func(*T) R) reflect.Type {
	if op == nil {
		Misuse("%s: the operation is nil: expected the constructor of a reducer, such as builtin.Sum", name)
	}
	code := **(**uintptr)(unsafe.Pointer(&op))
	if o.arrived > 0 {
		o.arrived++
		if code == o.code {
			return o.Dynamic
		}
		return reducerType(p, like, op)
	}
	if !o.known {
		o.known, o.Flat = true, reduce.IsFlat[T]()
	}
	if !o.Flat {
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
		Misuse("%s: %w", name, traits.Err)
	}
	if traits.Initial {
		Misuse("%s: a collective has no result place with an old result: give the initial value to the From form of package group instead", name)
	}
	o.R, o.code, o.Dynamic = r, code, reflect.TypeOf(r)
	o.arrived = 1
	return o.Dynamic
}

// reducerType returns the type of the reducer that op constructs.
//
//go:noinline
func reducerType[T any, R reducers.Reducer[T]](p *Participant, like T, op func(*T) R) reflect.Type {
	return reflect.TypeOf(construct(p, &like, op))
}

// construct calls op for a result place.
func construct[T any, R reducers.Reducer[T]](p *Participant, place *T, op func(*T) R) (r reducers.Reducer[T]) {
	p.Own.Calling = true
	defer p.Own.Called()
	return op(place)
}

// Open begins to combine. It is called before anything can panic: a team of one may recover
// and call the next collective.
func (o *Operation[T]) Open() { o.arrived = 0 }

// Close forgets what refers to the caller's memory.
func (o *Operation[T]) Close() {
	var none T
	o.R, o.place = nil, none
}

// Identity sets *dst to the identity, in memory of its own.
func (o *Operation[T]) Identity(dst *T) {
	if !o.Flat {
		var none T
		*dst = none
	}
	o.R.Init(dst)
}

// Set sets *dst to *src, in memory of its own.
func (o *Operation[T]) Set(dst, src *T) {
	if o.Flat {
		*dst = *src
		return
	}
	o.Identity(dst)
	o.R.Join(dst, src)
}

// finish sets *dst to Final of *src, in memory of its own.
func (o *Operation[T]) finish(dst, src *T) {
	o.Set(dst, src)
	o.R.Final(dst)
}
