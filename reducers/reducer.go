package reducers

import (
	"errors"
	"fmt"
	"reflect"
)

// A Reducer is an associative operation on T with an identity, and the place
// where its result goes. It is used by several workers at a time: its methods
// must not change the reducer itself.
//
// A reducer may have a method JoinLanes(lanes []T) as well, a faster way to end a leaf:
// it does Join(&lanes[l], &lanes[l+h]) for l from 0 to h-1, for h a half, a quarter, and
// so on of the number of lanes, which is a power of two. Only lanes[0] matters after it.
//
// A reducer may have both of these, so that its partial results can leave the process and
// come back, with all of their bits. Values that are numbers need none, see [FormOf].
//
//	AppendValue(buf []byte, val *T) ([]byte, error)
//	SetValue(val *T, data []byte) (rest []byte, err error)
//
// AppendValue appends bytes that stand for *val to buf and leaves *val as it is. SetValue
// sets *val, to which Init was applied, from the beginning of data, and returns what follows
// these bytes. It copies what it keeps of data. If data ends too early, it returns an error.
//
// A reducer whose operation has a name that devices know may have a method
// Operation() [Operation], so that they can compute it with code of their own. A type that
// embeds one, and joins or takes values in its own way, needs an Operation of its own, too.
type Reducer[T any] interface {
	// Init sets *val to the identity: Join(dst, identity) leaves *dst as it is.
	// *val may hold an earlier partial result, whose memory Init may use again.
	Init(val *T)
	// Join sets *dst to *dst (+) *src, in this order. It must neither change
	// *src nor leave the two sharing memory.
	Join(dst, src *T)
	// Final is called once, on the value that everything has been joined into.
	Final(val *T)
	// Reference returns the result place. A pattern writes it after Final, and
	// only if the whole launch succeeded.
	Reference() *T
}

// Traits say what a pattern may want to know of a reducer beyond its four
// methods. The zero value is right for most. A reducer that differs has a
// method Traits() Traits[T]; one that wraps another starts from [TraitsOf].
type Traits[T any] struct {
	// Ordered marks an operation that is associative but not commutative.
	Ordered bool
	// Exact marks an operation that gives the same bits in whatever order partial
	// results are joined, so that a device may join them with atomics: wrapping
	// integers, min and max, logic, bits. Signs and payloads of NaNs do not count.
	// An Ordered operation is never Exact.
	Exact bool
	// NoIdentity marks an operation without a known identity (see [Partial]).
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
}

// TraitsOf returns r's traits. A reducer that cannot be used, because it or its
// result place is nil, has Err set.
func TraitsOf[T any](r Reducer[T]) Traits[T] {
	if isNil(r) {
		return Traits[T]{Err: errors.New("reducers: the reducer is nil")}
	}
	var t Traits[T]
	if h, ok := r.(interface{ Traits() Traits[T] }); ok {
		t = h.Traits()
	}
	t.Exact = t.Exact && !t.Ordered
	if t.Err == nil && t.Store == nil && r.Reference() == nil {
		t.Err = fmt.Errorf("reducers: %T has a nil result place", r)
	}
	return t
}

// Identity returns r's identity, and whether it is known.
func Identity[T any](r Reducer[T]) (identity T, known bool) {
	t := TraitsOf(r)
	if t.Err != nil || t.NoIdentity {
		return identity, false
	}
	r.Init(&identity)
	return identity, true
}

// laneJoiner is a reducer that joins the lanes of a leaf in one call; see [Reducer].
type laneJoiner[T any] interface{ JoinLanes(lanes []T) }

// joinerOf returns the reducer that joins the lanes of a leaf for r, or nil.
func joinerOf[T any](r Reducer[T]) laneJoiner[T] {
	if m, ok := r.(Modified[T]); ok {
		return joinerOf(m.Reducer)
	}
	whole, _ := r.(laneJoiner[T])
	return whole
}

// load sets *val to the partial result that stands for r's old result.
func load[T any](r Reducer[T], t Traits[T], val *T) {
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

// store writes val to r's result place.
func store[T any](r Reducer[T], t Traits[T], val *T) {
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
