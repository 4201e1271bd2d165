package reducers

import (
	"fmt"
	"strings"
)

// FormOfElements returns the form of values that have n elements, which at returns, each
// with the form of. They are copied as one if of is the form of a number, or of a struct of
// numbers without padding.
func FormOfElements[S, T any](n int, of Form[T], at func(val *S) []T) Form[S] {
	if of.Err != nil {
		return Form[S]{Err: of.Err}
	}
	form := formOfEach(n, func(int) Form[T] { return of }, at)
	form.Layout = fmt.Sprintf("%d of %s", n, of.Layout)
	if !of.copies {
		return form
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
		Layout: form.Layout,
	}
}

// formOfEach returns the form, less its layout, of values that have n elements, each with
// a form of its own.
func formOfEach[S, T any](n int, of func(k int) Form[T], at func(val *S) []T) Form[S] {
	return Form[S]{
		Append: func(buf []byte, val *S) ([]byte, error) {
			x := at(val)
			err := checkLength(len(x), n)
			for k := 0; k < len(x) && err == nil; k++ {
				buf, err = of(k).Append(buf, &x[k])
				err = ofElement(k, err)
			}
			return buf, err
		},
		Set: func(val *S, data []byte) ([]byte, error) {
			x := at(val)
			err := checkLength(len(x), n)
			for k := 0; k < len(x) && err == nil; k++ {
				data, err = of(k).Set(&x[k], data)
				err = ofElement(k, err)
			}
			return data, err
		},
	}
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

// Form returns the form of all elements, the length apart, which Init gives.
func (s slice[T]) Form() Form[[]T] {
	at := func(val *[]T) []T { return *val }
	if s.elems == nil {
		return FormOfElements(s.n, FormOf(s.elem), at)
	}
	forms, layouts := make([]Form[T], s.n), make([]string, s.n)
	for k, r := range s.elems {
		forms[k] = FormOf(r)
		if err := ofElement(k, forms[k].Err); err != nil {
			return Form[[]T]{Err: err}
		}
		layouts[k] = forms[k].Layout
	}
	form := formOfEach(s.n, func(k int) Form[T] { return forms[k] }, at)
	form.Layout = "each of " + series(layouts)
	return form
}

// Form returns the form of the field.
func (f field[S, F]) Form() Form[S] {
	of := FormOf(f.r)
	return Form[S]{
		Append: func(buf []byte, val *S) ([]byte, error) { return of.Append(buf, f.at(val)) },
		Set:    func(val *S, data []byte) ([]byte, error) { return of.Set(f.at(val), data) },
		Layout: of.Layout,
		Err:    of.Err,
	}
}

// Form returns the forms of the fields, in the order of their reducers.
func (c *composite[S]) Form() Form[S] {
	forms, layouts := make([]Form[S], len(c.parts)), make([]string, len(c.parts))
	for k, p := range c.parts {
		forms[k] = FormOf(p)
		if forms[k].Err != nil {
			return Form[S]{Err: fmt.Errorf("%w (part %d of %d)", forms[k].Err, k+1, len(c.parts))}
		}
		layouts[k] = forms[k].Layout
	}
	return Form[S]{
		Append: func(buf []byte, val *S) (_ []byte, err error) {
			for k := 0; k < len(forms) && err == nil; k++ {
				buf, err = forms[k].Append(buf, val)
			}
			return buf, err
		},
		Set: func(val *S, data []byte) (_ []byte, err error) {
			for k := 0; k < len(forms) && err == nil; k++ {
				data, err = forms[k].Set(val, data)
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

// Form returns the form of the value, if there is one; the operation comes from Init.
func (r NoIdentity[T]) Form() Form[Partial[T]] {
	return FormOfOptional(func(val *Partial[T]) (*T, *bool) { return &val.value, &val.present })
}
