package reducertest

import (
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// hidden is what laws ask of a reducer, with the type of its values hidden. All of [Check] that is compiled for each type
// is here. The pointers are to values.
type hidden struct {
	of        reflect.Type  // of values
	reducer   reflect.Value // the interface
	traits    func() traits
	reference func() reflect.Value
	init      func(val unsafe.Pointer)
	join      func(dst, src unsafe.Pointer)
	final     func(val unsafe.Pointer)
	joinLanes func(lanes unsafe.Pointer, n int) // or nil
	form      func() form
	columns   func() columns
}

// traits are those of package concept, as far as laws depend on them.
type traits struct {
	err                           error
	ordered, exact, loads, stores bool
}

// form sends values through bytes.
type form struct {
	err    error
	append func(buf []byte, val unsafe.Pointer) ([]byte, error)
	set    func(val unsafe.Pointer, data []byte) (rest []byte, err error)
}

// columns have the reducer as a launch has it, and with its initial value, which seed sets a value to.
type columns struct {
	plain, initial *reduce.Column
	seed           func(val unsafe.Pointer)
}

func hide[T any](r reducers.Reducer[T]) hidden {
	h := hidden{
		of:      reflect.TypeFor[T](),
		reducer: reflect.ValueOf(&r).Elem(),
		traits: func() traits {
			t := concept.TraitsOf(r)
			return traits{t.Err, t.Ordered, t.Exact, t.Load != nil, t.Store != nil}
		},
		reference: func() reflect.Value { return reflect.ValueOf(r.Reference()) },
		init:      func(val unsafe.Pointer) { r.Init((*T)(val)) },
		join:      func(dst, src unsafe.Pointer) { r.Join((*T)(dst), (*T)(src)) },
		final:     func(val unsafe.Pointer) { r.Final((*T)(val)) },
		form: func() form {
			f := concept.FormOf(r)
			return form{
				f.Err,
				func(buf []byte, val unsafe.Pointer) ([]byte, error) { return f.Append(buf, (*T)(val)) },
				func(val unsafe.Pointer, data []byte) ([]byte, error) { return f.Set((*T)(val), data) },
			}
		},
		columns: func() columns {
			plain, initial := reduce.NewSlots(r), reduce.NewSlots[T](reducers.WithInitial(r))
			return columns{&plain.Column, &initial.Column, func(val unsafe.Pointer) { initial.Seed((*T)(val)) }}
		},
	}
	if r, ok := r.(interface{ JoinLanes(lanes []T) }); ok {
		h.joinLanes = func(lanes unsafe.Pointer, n int) { r.JoinLanes(unsafe.Slice((*T)(lanes), n)) }
	}
	return h
}

// at returns where a value is, which must be addressable.
func at(val reflect.Value) unsafe.Pointer { return val.Addr().UnsafePointer() }

// store writes a value to the result place, as a launch does.
func (c columns) store(val reflect.Value) {
	reflect.ValueOf(c.plain.Value(0)).Elem().Set(val)
	c.plain.Store(0)
}

// load sets a value to the initial one.
func (c columns) load(val reflect.Value) {
	c.initial.Open(1, 1, 1) // loads
	c.seed(at(val))
}
