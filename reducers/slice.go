package reducers

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers/concept"
)

// slice reduces slices element by element.
type slice[T any] struct {
	result *[]T
	n      int
	elem   Reducer[T]          // its result place is not used
	elems  []Reducer[T]        // one for each element, if the place decides more than where to store
	cell   func(*T) Reducer[T] // elem with a cell of *result for result place
	traits concept.Traits[T]
}

// Slice returns a reducer of slices: the k-th element of the result is the
// reduction of the k-th elements, each with the scalar reducer that elem makes,
// for example
//
//	reducers.Slice(&histogram, builtin.Sum)
//
// The length is that of *result when Slice is called. An accumulator always has
// this length; the functor changes its elements. On success the elements of
// *result are overwritten in place, so other slices of the same memory see it.
// The elements may be slices, each of its own length.
//
// It is an error of the launch if elem makes no reducer of the element it is given, or if
// elements share memory, as slices can.
//
// Cost: each leaf starts from a slice of identities, and each join goes over all elements.
// From some thousand elements on, of which an item changes few, package views/scatter takes
// half of the time and less.
func Slice[T any, R Reducer[T]](result *[]T, elem func(*T) R) Reducer[[]T] {
	s := slice[T]{result: result}
	if result == nil || elem == nil {
		s.traits.Err = fmt.Errorf("reducers: Slice needs a result place and an element reducer, given %v and %T", result, elem)
		return s
	}
	s.n = len(*result)
	s.cell = func(place *T) Reducer[T] { return elem(place) }
	place := new(T)
	s.elem = s.cell(place)
	s.traits = concept.TraitsOf(s.elem)
	if s.traits.Store != nil { // a slice of slices, say, whose lengths differ
		s.elems = make([]Reducer[T], s.n)
		for k := range s.elems {
			s.elems[k] = s.cell(&(*result)[k])
		}
	} else if s.traits.Err == nil && s.elem.Reference() != place {
		s.traits.Err = errors.New("reducers: Slice was given a function that makes no reducer with the result place it is called with, expected one such as builtin.Sum")
	}
	return s
}

// at returns the reducer of element k.
func (s slice[T]) at(k int) Reducer[T] {
	if s.elems != nil {
		return s.elems[k]
	}
	return s.elem
}

func (s slice[T]) Init(val *[]T) {
	if len(*val) != s.n {
		*val = make([]T, s.n)
	}
	for k := range *val {
		s.at(k).Init(&(*val)[k])
	}
}

func (s slice[T]) Join(dst, src *[]T) {
	s.check(dst)
	s.check(src)
	d, x := *dst, *src
	for k := range d {
		s.at(k).Join(&d[k], &x[k])
	}
}

func (s slice[T]) Final(val *[]T) {
	s.check(val)
	for k := range *val {
		s.at(k).Final(&(*val)[k])
	}
}

// check panics if a functor has changed the length of its accumulator. What it
// appended would be lost.
func (s slice[T]) check(val *[]T) {
	if err := s.length(val); err != nil {
		panic(err)
	}
}

// length returns an error if an accumulator has another length than Init gave it.
func (s slice[T]) length(val *[]T) error {
	if len(*val) != s.n {
		return fmt.Errorf("reducers: the accumulator of a Slice has length %d, expected %d: a functor changes its elements and never its length", len(*val), s.n)
	}
	return nil
}

func (s slice[T]) Reference() *[]T { return s.result }

func (s slice[T]) Traits() concept.Traits[[]T] {
	t := concept.Traits[[]T]{
		Ordered:    s.traits.Ordered,
		NoIdentity: s.traits.NoIdentity,
		Initial:    s.traits.Initial,
		Once:       s.traits.Once,
		Err:        s.traits.Err,
		Store:      s.store,
	}
	if t.Err == nil && len(*s.result) != s.n {
		t.Err = fmt.Errorf("reducers: the result slice has length %d now, but had %d when the reducer was made", len(*s.result), s.n)
	}
	t.Load = func(val *[]T) {
		*val = make([]T, s.n)
		for k := range *val {
			r := s.cell(&(*s.result)[k])
			t := concept.TraitsOf(r)
			reduce.Load(r, &t, &(*val)[k])
		}
	}
	if t.Err == nil {
		t.Place, t.Err = s.place()
	}
	return t
}

// place returns the memory of the result, or its elements' places if that is not all.
func (s slice[T]) place() (any, error) {
	if s.elems == nil {
		return *s.result, nil
	}
	places := make([]any, s.n)
	for k, r := range s.elems {
		t := concept.TraitsOf(r)
		if t.Err != nil {
			return nil, fmt.Errorf("%w (element %d of a Slice)", t.Err, k)
		}
		places[k] = reduce.Place(r, &t)
	}
	return reduce.Parts{Kind: "element", First: 0, Places: places}, nil
}

func (s slice[T]) store(val *[]T) {
	if s.elems == nil {
		copy(*s.result, *val)
		return
	}
	for k := range *val {
		r := s.cell(&(*s.result)[k])
		t := concept.TraitsOf(r)
		reduce.Store(r, &t, &(*val)[k])
	}
}

func (s slice[T]) withInitial() Reducer[[]T] {
	if cell := s.cell; cell != nil {
		s.cell = func(place *T) Reducer[T] { return WithInitial(cell(place)) }
	}
	return s
}
