package concept

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/gokkos/gokkos/internal/typed"
)

// FormOfElements returns the form of values that have n elements, which at returns, each
// with the form of. They are copied as one if of is the form of a number, or of a struct of
// numbers without padding.
func FormOfElements[S, T any](n int, of Form[T], at func(val *S) []T) Form[S] {
	if isHalf(hide(&of)) {
		of.Err = errors.New("reducers: elements with a form without Append or Set, expected both or Err")
	}
	if of.Err != nil {
		return Form[S]{Err: of.Err}
	}
	layout := fmt.Sprintf("%d of %s", n, of.Layout)
	if !of.copies {
		return formOfEach(n, of, at, layout)
	}
	return Form[S]{
		Append: func(buf []byte, val *S) ([]byte, error) {
			x := at(val)
			if err := checkLength(len(x), n); err != nil {
				return buf, err
			}
			return append(buf, memoryOf(x)...), nil
		},
		Set: func(val *S, data []byte) ([]byte, error) {
			x := at(val)
			if err := checkLength(len(x), n); err != nil {
				return nil, err
			}
			return setMemories(x, data)
		},
		Layout: layout,
	}
}

// formOfEach is FormOfElements where elements are more or less than their memory.
func formOfEach[S, T any](n int, of Form[T], at func(val *S) []T, layout string) Form[S] {
	return Form[S]{
		Append: func(buf []byte, val *S) ([]byte, error) {
			x := at(val)
			err := checkLength(len(x), n)
			for k := 0; k < len(x) && err == nil; k++ {
				buf, err = of.Append(buf, &x[k])
				err = ofElement(k, err)
			}
			return buf, err
		},
		Set: func(val *S, data []byte) ([]byte, error) {
			x := at(val)
			err := checkLength(len(x), n)
			for k := 0; k < len(x) && err == nil; k++ {
				data, err = of.Set(&x[k], data)
				err = ofElement(k, err)
			}
			return data, err
		},
		Layout: layout,
	}
}

// SetElements sets elements, each with the form of, from the beginning of data, and returns what follows. They are copied as one
// where [FormOfElements] does so, and init is applied to each before otherwise.
func SetElements[T any](of Form[T], x []T, init func(val *T), data []byte) (rest []byte, err error) {
	switch {
	case isHalf(hide(&of)):
		return nil, errors.New("reducers: elements with a form without Append or Set, expected both or Err")
	case of.Err != nil:
		return nil, of.Err
	case of.copies:
		return setMemories(x, data)
	}
	for k := range x {
		init(&x[k])
		if data, err = of.Set(&x[k], data); err != nil {
			return nil, ofElement(k, err)
		}
	}
	return data, nil
}

// checkLength returns an error unless an accumulator has the length that Init gave it.
func checkLength(length, n int) error {
	if length != n {
		return fmt.Errorf("reducers: the accumulator has length %d, expected %d: a functor changes its elements and never its length", length, n)
	}
	return nil
}

func ofElement(k int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w (element %d)", err, k)
}

// memoryOf returns the memory of values without pointers.
func memoryOf[T any](vals []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(vals))), uintptr(len(vals))*unsafe.Sizeof(*new(T)))
}

func setMemories[T any](vals []T, data []byte) (rest []byte, err error) {
	to := memoryOf(vals)
	from, rest, err := cut(data, len(to))
	if err != nil {
		return nil, ofType(reflect.TypeFor[T](), err)
	}
	copy(to, from)
	return rest, nil
}

// FormOfParts returns the form of values that consist of parts, one after the other: each is a
// form of the whole value that leaves the other parts alone. The first part without a form is
// the error.
func FormOfParts[S any](parts ...Form[S]) (whole Form[S]) {
	joinParts(*(*[]form)(unsafe.Pointer(&parts)), hide(&whole))
	return whole
}

func joinParts(parts []form, whole *form) {
	layouts := make([]string, len(parts))
	for k, of := range parts {
		if isHalf(&of) {
			of.Err = errors.New("reducers: a form without Append or Set, expected both or Err")
		}
		if of.Err != nil {
			whole.Err = fmt.Errorf("%w (part %d of %d)", of.Err, k+1, len(parts))
			return
		}
		layouts[k] = of.Layout
	}
	*whole = form{
		Append: func(buf []byte, val *typed.Hidden) (_ []byte, err error) {
			for k := 0; k < len(parts) && err == nil; k++ {
				buf, err = parts[k].Append(buf, val)
			}
			return buf, err
		},
		Set: func(val *typed.Hidden, data []byte) (_ []byte, err error) {
			for k := 0; k < len(parts) && err == nil; k++ {
				data, err = parts[k].Set(val, data)
			}
			return data, err
		},
		Layout: series(layouts),
	}
}

// series returns the layouts that follow one another, equal neighbours as one.
func series(layouts []string) string {
	var list []string
	for k := 0; k < len(layouts); {
		n := 1
		for k+n < len(layouts) && layouts[k+n] == layouts[k] {
			n++
		}
		list = append(list, fmt.Sprintf("%d of %s", n, layouts[k]))
		k += n
	}
	return "(" + strings.Join(list, ", ") + ")"
}
