package reduction

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// An Array is the accumulator of a [Span]: one of type A for each of its elements.
type Array[A any] struct{ of []A }

// At returns the accumulator of element k, SYCL's operator[]. It panics if k is not
// below Len, as the index of a slice does.
func (a *Array[A]) At(k int) *A { return &a.of[k] }

// Len returns the number of elements, the extent of the span.
func (a *Array[A]) Len() int { return len(a.of) }

// Span returns the reductions of the elements of a slice, each with the reduction that
// elem makes for it:
//
//	reduction.Span(histogram[lower:upper], reduction.Plus)
//
// It is an error of the launch if that is not the reduction of the element it was given.
//
// The slice is a window: elements of its array outside of it are not touched. Its extent
// is known at run time only. reducers.WithInitial includes the old content of every
// element.
//
// Order: an array is reduced in one lane, so that the bits of floating-point results
// may differ from those of as many scalar reductions.
//
// Cost: every leaf has an array of its own, and two are joined element by element.
func Span[A, T any](window []T, elem func(result *T) Variable[A, T]) reducers.Reducer[Array[A]] {
	s := span[A, T]{window: window}
	if elem == nil {
		s.traits.Err = fmt.Errorf("reduction: Span needs a reduction for its elements, given a nil %T", elem)
		return s
	}
	place := new(T)
	s.cell = elem(place)
	s.traits = concept.TraitsOf[A](s.cell)
	if s.traits.Err == nil && s.traits.Place != any(place) {
		s.traits.Err = errors.New("reduction: Span was given a function that makes no reduction of the variable it is called with, expected one such as Plus")
	}
	s.flat = reduce.IsFlat[A]()
	if s.traits.Err == nil && s.flat {
		s.cell.Init(&s.unit)
	}
	return s
}

type span[A, T any] struct {
	window []T
	cell   Variable[A, T] // the reduction of an element that is none of the window's
	traits concept.Traits[A]
	flat   bool
	unit   A // the identity, if flat
}

func (s span[A, T]) Init(val *Array[A]) {
	if len(val.of) != len(s.window) {
		val.of = make([]A, len(s.window))
	}
	for k := range val.of {
		if s.flat {
			val.of[k] = s.unit
		} else {
			s.cell.Init(&val.of[k])
		}
	}
}

func (s span[A, T]) Join(dst, src *Array[A]) { s.cell.joinEach(dst.of, src.of) }

func (s span[A, T]) Final(val *Array[A]) {
	for k := range val.of {
		s.cell.Final(&val.of[k])
	}
}

// Reference returns nil: the result place is a []T.
func (s span[A, T]) Reference() *Array[A] { return nil }

func (s span[A, T]) Traits() concept.Traits[Array[A]] {
	return concept.Traits[Array[A]]{
		Ordered:    s.traits.Ordered,
		NoIdentity: s.traits.NoIdentity,
		Initial:    s.traits.Initial,
		Err:        s.traits.Err,
		Load: func(val *Array[A]) {
			val.of = make([]A, len(s.window))
			for k := range s.window {
				s.cell.load(&val.of[k], &s.window[k])
			}
		},
		Store: func(val *Array[A]) {
			for k := range s.window {
				s.cell.store(&s.window[k], &val.of[k])
			}
		},
		Place: s.window,
	}
}
