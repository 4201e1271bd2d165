package reducers

import (
	"fmt"

	"github.com/gokkos/gokkos/reducers/concept"
)

// Form returns the form of all elements, the length apart, which Init gives.
func (s slice[T]) Form() concept.Form[[]T] {
	if s.elems == nil {
		return concept.FormOfElements(s.n, concept.FormOf(s.elem), func(val *[]T) []T { return *val })
	}
	parts := make([]concept.Form[[]T], s.n)
	for k, r := range s.elems {
		of := concept.FormOf(r)
		if of.Err != nil {
			return concept.Form[[]T]{Err: ofElement(k, of.Err)}
		}
		parts[k] = partOf(k, of)
	}
	all := concept.FormOfParts(parts...)
	return concept.Form[[]T]{
		Append: func(buf []byte, val *[]T) ([]byte, error) {
			if err := s.length(val); err != nil {
				return buf, err
			}
			return all.Append(buf, val)
		},
		Set: func(val *[]T, data []byte) ([]byte, error) {
			if err := s.length(val); err != nil {
				return nil, err
			}
			return all.Set(val, data)
		},
		Layout: "each of " + all.Layout,
	}
}

// partOf returns the form of element k, as a part of all.
func partOf[T any](k int, of concept.Form[T]) concept.Form[[]T] {
	return concept.Form[[]T]{
		Append: func(buf []byte, val *[]T) ([]byte, error) {
			buf, err := of.Append(buf, &(*val)[k])
			return buf, ofElement(k, err)
		},
		Set: func(val *[]T, data []byte) ([]byte, error) {
			rest, err := of.Set(&(*val)[k], data)
			return rest, ofElement(k, err)
		},
		Layout: of.Layout,
	}
}

func ofElement(k int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w (element %d)", err, k)
}

// Form returns the form of the field.
func (f field[S, F]) Form() concept.Form[S] {
	of := concept.FormOf(f.r)
	return concept.Form[S]{
		Append: func(buf []byte, val *S) ([]byte, error) { return of.Append(buf, f.at(val)) },
		Set:    func(val *S, data []byte) ([]byte, error) { return of.Set(f.at(val), data) },
		Layout: of.Layout,
		Err:    of.Err,
	}
}

// Form returns the forms of the fields, in the order of their reducers.
func (c *composite[S]) Form() concept.Form[S] {
	parts := make([]concept.Form[S], len(c.parts))
	for k, p := range c.parts {
		parts[k] = concept.FormOf(p)
	}
	return concept.FormOfParts(parts...)
}

// Form returns the form of the value, if there is one; the operation comes from Init.
func (r NoIdentity[T]) Form() concept.Form[Partial[T]] {
	return concept.FormOfOptional(func(val *Partial[T]) (*T, *bool) { return &val.value, &val.present })
}
