package views

import "fmt"

// As returns v as a [View], whose rank is known when the program runs. It is for code that
// takes a [Viewer]. A nil v gives the zero View.
func As[T any](v Viewer[T]) View[T] {
	if v == nil {
		return View[T]{}
	}
	return v.view()
}

// typed returns v if a type of that rank can hold it, with gaps between neighbours in the
// last dimension or without.
func typed[T any](v View[T], err error, rank int, packed bool) (View[T], error) {
	s := v.shape.orNone()
	switch {
	case err != nil:
		return View[T]{}, err
	case s.rank != rank:
		return View[T]{}, fmt.Errorf("views: %v has rank %d, expected %d", s, s.rank, rank)
	case packed && !s.packed(rank-1):
		return View[T]{}, fmt.Errorf("views: %v has stride %d in dimension %d, expected 1; AsStrided%d takes it", s, s.stride[rank-1], rank-1, rank)
	}
	return v, nil
}
