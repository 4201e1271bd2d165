package concept

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/gokkos/gokkos/internal/modified"
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

// isHalf reports whether one of the functions is missing without a reason.
func (f *Form[T]) isHalf() bool { return f.Err == nil && (f.Append == nil || f.Set == nil) }

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
func FormOf[T any](r Reducer[T]) Form[T] {
	if isNil(r) {
		return Form[T]{Err: errors.New("reducers: the reducer is nil")}
	}
	if inner, ok := modified.Within(r); ok {
		within, _ := inner.(Reducer[T])
		return FormOf(within)
	}
	if h, ok := r.(interface{ Form() Form[T] }); ok {
		return checked(r, h.Form())
	}
	from, appends := r.(valueAppender[T])
	to, sets := r.(valueSetter[T])
	switch {
	case appends && sets:
		return authored(r, from, to)
	case appends:
		return Form[T]{Err: fmt.Errorf("reducers: %T has AppendValue, expected a SetValue beside it", r)}
	case sets:
		return Form[T]{Err: fmt.Errorf("reducers: %T has SetValue, expected an AppendValue beside it", r)}
	case TraitsOf(r).Once:
		return Form[T]{Err: fmt.Errorf("reducers: %T changes more than its partial results, which would stay in the process; give the reducer AppendValue and SetValue", r)}
	}
	return formOfType[T]()
}

// checked returns a form of r's own that is whole, or an error. The lengths that its functions
// return are not trusted.
func checked[T any](r Reducer[T], form Form[T]) Form[T] {
	if form.Err != nil {
		return form
	}
	if form.isHalf() {
		form.Err = fmt.Errorf("reducers: %T has a Form without Append or Set, expected both or Err", r)
		return form
	}
	appends, sets := form.Append, form.Set
	form.Append = func(buf []byte, val *T) ([]byte, error) {
		longer, err := appends(buf, val)
		if err == nil && len(longer) < len(buf) {
			return buf, fmt.Errorf("reducers: the Form of %T appended to %d bytes and returned %d, expected these and more", r, len(buf), len(longer))
		}
		return longer, err
	}
	form.Set = func(val *T, data []byte) ([]byte, error) {
		rest, err := sets(val, data)
		if err == nil && len(rest) > len(data) {
			return data, fmt.Errorf("reducers: the Form of %T was given %d bytes and left %d, expected no more", r, len(data), len(rest))
		}
		return rest, err
	}
	return form
}

// authored returns the form that r's own methods make. The lengths that they return are not
// trusted.
func authored[T any](r Reducer[T], from valueAppender[T], to valueSetter[T]) Form[T] {
	return Form[T]{
		Append: func(buf []byte, val *T) ([]byte, error) {
			longer, err := from.AppendValue(buf, val)
			switch {
			case err != nil:
				return buf, fmt.Errorf("reducers: AppendValue of %T: %w", r, err)
			case len(longer) < len(buf):
				return buf, fmt.Errorf("reducers: AppendValue of %T returned %d bytes, expected the %d it was given and more", r, len(longer), len(buf))
			}
			return longer, nil
		},
		Set: func(val *T, data []byte) ([]byte, error) {
			rest, err := to.SetValue(val, data)
			switch {
			case err != nil:
				return nil, fmt.Errorf("reducers: SetValue of %T: %w", r, err)
			case len(rest) > len(data):
				return nil, fmt.Errorf("reducers: SetValue of %T returned %d bytes, expected what is left of the %d it was given", r, len(rest), len(data))
			}
			return data[len(data)-len(rest):], nil
		},
		Layout: fmt.Sprintf("%v by %T", reflect.TypeFor[T](), r),
	}
}

// forms are the forms of types, so that a launch makes none: functions of a type parameter are
// allocated each time.
var forms sync.Map // of reflect.Type, to *Form[T]

// formOfType returns the form that values of type T have by themselves.
func formOfType[T any]() Form[T] {
	t := reflect.TypeFor[T]()
	if f, ok := forms.Load(t); ok {
		return *f.(*Form[T])
	}
	form := makeForm[T](t)
	forms.Store(t, &form)
	return form
}

func makeForm[T any](t reflect.Type) Form[T] {
	p := planOf(t)
	if p.err != nil {
		return Form[T]{Err: p.err}
	}
	if p.copies(t) {
		return Form[T]{Append: appendMemory[T], Set: setMemory[T], Layout: p.layout, copies: true}
	}
	return Form[T]{
		Append: func(buf []byte, val *T) ([]byte, error) {
			buf, err := p.pieces.append(buf, unsafe.Pointer(val))
			return buf, ofType[T](err)
		},
		Set: func(val *T, data []byte) ([]byte, error) {
			rest, err := p.pieces.set(unsafe.Pointer(val), data)
			return rest, ofType[T](err)
		},
		Layout: p.layout,
	}
}

// ofType says in an error which type's values it is about.
func ofType[T any](err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("reducers: a partial result of type %v: %w", reflect.TypeFor[T](), err)
}

// memoryOf returns the memory of values without pointers.
func memoryOf[T any](vals []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(vals))), uintptr(len(vals))*unsafe.Sizeof(*new(T)))
}

func appendMemory[T any](buf []byte, val *T) ([]byte, error) {
	return append(buf, memoryOf(unsafe.Slice(val, 1))...), nil
}

func setMemory[T any](val *T, data []byte) ([]byte, error) {
	return setMemories(unsafe.Slice(val, 1), data)
}

func setMemories[T any](vals []T, data []byte) (rest []byte, err error) {
	to := memoryOf(vals)
	from, rest, err := cut(data, len(to))
	if err != nil {
		return nil, ofType[T](err)
	}
	copy(to, from)
	return rest, nil
}

// FormOfOptional returns the form of values that hold a T or nothing: at returns where, and
// where it says whether there is one. The T has the form of its type.
func FormOfOptional[S, T any](at func(val *S) (value *T, present *bool)) Form[S] {
	of := formOfType[T]()
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
				return nil, ofType[S](err)
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
