package concept

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/internal/modified"
	"github.com/gokkos/gokkos/internal/typed"
)

// A Form is how partial results leave the process as bytes and come back, with all of their
// bits. The bytes do not describe themselves: who reads them must have the same form, which
// equal layouts tell.
//
// [FormOf] returns the form of a reducer. One that wraps another, or is made of others, has
// a method Form() Form[T] that starts from theirs; [FormOfElements], [FormOfParts] and
// [FormOfOptional] help. Any other needs AppendValue and SetValue at most.
type Form[T any] struct {
	// Append appends the bytes of *val to buf. It makes no room if there is enough.
	Append func(buf []byte, val *T) ([]byte, error)
	// Set sets *val, to which Init was applied, from the beginning of data, and returns
	// what follows. *val shares no memory with data. After an error it may hold anything
	// that Init can be applied to.
	Set func(val *T, data []byte) (rest []byte, err error)
	// Layout describes types and numbers in the order of their bytes. It is the same in
	// every process of one program.
	Layout string
	// Err says why partial results cannot leave the process; the rest does not matter then.
	Err error

	copies bool // the bytes are the memory of a value
}

// form is a Form with the type of values hidden: what makes forms is compiled once.
type form = Form[typed.Hidden]

func hide[T any](f *Form[T]) *form { return (*form)(unsafe.Pointer(f)) }

// isHalf reports whether one of the functions is missing without a reason.
func isHalf(f *form) bool { return f.Err == nil && (f.Append == nil || f.Set == nil) }

// valueAppender and valueSetter are the two halves of a form.
type valueAppender[T any] interface {
	AppendValue(buf []byte, val *T) ([]byte, error)
}

type valueSetter[T any] interface {
	SetValue(val *T, data []byte) (rest []byte, err error)
}

// FormOf returns the form that r gives to its partial results, or else
// the one that their type has by itself. These types have one:
//
//   - types with encoding.BinaryAppender and encoding.BinaryUnmarshaler: what these write,
//     after its length. A struct that embeds one has it field by field.
//   - bools, integers, floats and complex numbers: their memory, in the order of the machine
//     and with its sizes.
//   - strings: their bytes, after their length.
//   - arrays and structs of these, without padding and fields named _.
//
// Lengths take 8 bytes, the lowest first. Err is set for other types, and for an operation
// that changes more than its partial results, see [Traits].
func FormOf[T any](r Reducer[T]) (f Form[T]) {
	own := unmodified(r)
	if h, ok := own.(interface{ Form() Form[T] }); ok {
		f = h.Form()
		check(own, hide(&f))
		return f
	}
	if from, ok := own.(valueAppender[T]); ok {
		f.Append = from.AppendValue
	}
	if to, ok := own.(valueSetter[T]); ok {
		f.Set = to.SetValue
	}
	once := false
	if f.Append == nil && f.Set == nil {
		h, ok := typed.As[interface{ Traits() Traits[T] }](own)
		once = ok && h.Traits().Once
	}
	complete(own, once, reflect.TypeFor[T](), hide(&f))
	return f
}

// unmodified returns the reducer whose partial results those of r are, or nil if there is none.
func unmodified(r any) any {
	for !isNil(r) {
		inner, ok := modified.Within(r)
		if !ok {
			return r
		}
		r = inner
	}
	return nil
}

// check makes a form of r's own one that is whole, or an error. The lengths that its functions
// return are not trusted.
func check(r any, own *form) {
	if own.Err != nil {
		return
	}
	if isHalf(own) {
		own.Err = fmt.Errorf("reducers: %T has a Form without Append or Set, expected both or Err", r)
		return
	}
	appends, sets := own.Append, own.Set
	own.Append = func(buf []byte, val *typed.Hidden) ([]byte, error) {
		longer, err := appends(buf, val)
		if err == nil && len(longer) < len(buf) {
			return buf, fmt.Errorf("reducers: the Form of %T appended to %d bytes and returned %d, expected these and more", r, len(buf), len(longer))
		}
		return longer, err
	}
	own.Set = func(val *typed.Hidden, data []byte) ([]byte, error) {
		rest, err := sets(val, data)
		if err == nil && len(rest) > len(data) {
			return data, fmt.Errorf("reducers: the Form of %T was given %d bytes and left %d, expected no more", r, len(data), len(rest))
		}
		return rest, err
	}
}

// complete sets *f to the form of r, whose values are of type t: of r's own methods, which f has,
// or else of the type unless items may contribute once only.
func complete(r any, once bool, t reflect.Type, f *form) {
	switch appends, sets := f.Append != nil, f.Set != nil; {
	case r == nil:
		f.Err = errNil
	case appends && sets:
		*f = authored(r, t, f.Append, f.Set)
	case appends:
		*f = form{Err: fmt.Errorf("reducers: %T has AppendValue, expected a SetValue beside it", r)}
	case sets:
		*f = form{Err: fmt.Errorf("reducers: %T has SetValue, expected an AppendValue beside it", r)}
	case once:
		f.Err = fmt.Errorf("reducers: %T changes more than its partial results, which would stay in the process; give the reducer AppendValue and SetValue", r)
	default:
		*f = *formOfType(t)
	}
}

// authored returns the form that r's own methods make. The lengths that they return are not
// trusted.
func authored(r any, t reflect.Type, appends func([]byte, *typed.Hidden) ([]byte, error), sets func(*typed.Hidden, []byte) ([]byte, error)) form {
	return form{
		Append: func(buf []byte, val *typed.Hidden) ([]byte, error) {
			longer, err := appends(buf, val)
			switch {
			case err != nil:
				return buf, fmt.Errorf("reducers: AppendValue of %T: %w", r, err)
			case len(longer) < len(buf):
				return buf, fmt.Errorf("reducers: AppendValue of %T returned %d bytes, expected the %d it was given and more", r, len(longer), len(buf))
			}
			return longer, nil
		},
		Set: func(val *typed.Hidden, data []byte) ([]byte, error) {
			rest, err := sets(val, data)
			switch {
			case err != nil:
				return nil, fmt.Errorf("reducers: SetValue of %T: %w", r, err)
			case len(rest) > len(data):
				return nil, fmt.Errorf("reducers: SetValue of %T returned %d bytes, expected what is left of the %d it was given", r, len(rest), len(data))
			}
			return data[len(data)-len(rest):], nil
		},
		Layout: fmt.Sprintf("%v by %T", t, r),
	}
}

// FormOfOptional returns the form of values that hold a T or nothing: at returns where, and
// where it says whether there is one. The T has the form of its type.
func FormOfOptional[S, T any](at func(val *S) (value *T, present *bool)) Form[S] {
	var of Form[T]
	*hide(&of) = *formOfType(reflect.TypeFor[T]())
	if of.Err != nil {
		return Form[S]{Err: of.Err}
	}
	return Form[S]{
		Append: func(buf []byte, val *S) ([]byte, error) {
			value, present := at(val)
			if !*present {
				return append(buf, 0), nil
			}
			return of.Append(append(buf, 1), value)
		},
		Set: func(val *S, data []byte) ([]byte, error) {
			flag, rest, err := cut(data, 1)
			if err == nil {
				err = checkBools(flag)
			}
			if err != nil {
				return nil, ofType(reflect.TypeFor[S](), err)
			}
			value, present := at(val)
			if *present = flag[0] == 1; *present {
				return of.Set(value, rest)
			}
			return rest, nil
		},
		Layout: "optional " + of.Layout,
	}
}
