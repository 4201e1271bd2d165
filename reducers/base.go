package reducers

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/gokkos/gokkos/reducers/concept"
)

// Base is embedded by reducers whose identity is the zero value: it supplies
// Init, Final and Reference, and leaves Join to be written.
type Base[T any] struct{ result *T }

// Into returns a Base whose result goes to *result.
func Into[T any](result *T) Base[T] { return Base[T]{result} }

// Init sets *val to the zero value.
func (Base[T]) Init(val *T) {
	if unsafe.Sizeof(*val) > largeBytes {
		clear(unsafe.Slice(val, 1))
		return
	}
	var zero T
	*val = zero
}

// Final leaves *val as it is.
func (Base[T]) Final(*T) {}

// Reference returns the result place.
func (b Base[T]) Reference() *T { return b.result }

// Func is a reducer made of functions; see [New].
type Func[T any] struct {
	Base[T]
	join        func(dst, src *T)
	init, final func(val *T)
	missing     string // what New was given as nil, or ""
}

// An Option changes what [New] makes.
type Option[T any] func(*Func[T])

// Init gives [New] an identity other than the zero value.
func Init[T any](init func(val *T)) Option[T] {
	return func(f *Func[T]) {
		f.init = init
		f.need(init != nil, "Init function")
	}
}

// Final gives [New] something to do, once, to the joined value.
func Final[T any](final func(val *T)) Option[T] {
	return func(f *Func[T]) {
		f.final = final
		f.need(final != nil, "Final function")
	}
}

// New returns a reducer that joins with join and writes to *result. Without
// options the identity is the zero value and Final does nothing.
//
// A function or an option that is nil is an error of the launch.
func New[T any](result *T, join func(dst, src *T), options ...Option[T]) Func[T] {
	f := Func[T]{Base: Into(result), join: join}
	f.need(join != nil, "join function")
	for _, option := range options {
		if f.need(option != nil, "option") {
			option(&f)
		}
	}
	return f
}

// need keeps the first thing that New was given as nil. It returns whether it is there.
func (f *Func[T]) need(there bool, what string) bool {
	if !there && f.missing == "" {
		f.missing = what
	}
	return there
}

// Init sets *val to the identity.
func (f Func[T]) Init(val *T) {
	if f.init == nil {
		f.Base.Init(val)
		return
	}
	f.init(val)
}

// Join calls the function given to New.
func (f Func[T]) Join(dst, src *T) { f.join(dst, src) }

// Final calls the function given to New, if any.
func (f Func[T]) Final(val *T) {
	if f.final != nil {
		f.final(val)
	}
}

// Traits reports what New was given as nil.
func (f Func[T]) Traits() concept.Traits[T] {
	switch {
	case f.missing != "":
		return concept.Traits[T]{Err: fmt.Errorf("reducers: New was given a nil %s", f.missing)}
	case f.join == nil:
		return concept.Traits[T]{Err: errors.New("reducers: a zero Func, expected one made by New")}
	}
	return concept.Traits[T]{}
}

// Fold joins every value it sees.
func (f Func[T]) Fold() Fold[T] { return joining(f, f.join) }
