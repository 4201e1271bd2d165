package wrong

import "github.com/gokkos/gokkos/reducers"

type closest struct {
	distance float64
	at       int
}

type nearest struct{ reducers.Base[closest] }

func (nearest) Join(dst, src *closest) { // want `the identity of this reducer is not zero, and the Init of reducers.Base sets zero`
	if src.distance < dst.distance {
		*dst = *src
	}
}

type first struct{ reducers.Base[int] }

func (first) Join(dst, src *int) { // want `the identity of this reducer is not zero`
	if *dst > *src {
		*dst = *src
	}
}

type product struct{ reducers.Base[int] }

func (product) Join(dst, src *int) { *dst = *dst * *src } // want `the identity of this reducer is not zero`

func made() {
	var total float64
	var all bool
	var bits uint
	_ = reducers.New(&total, func(d, s *float64) { *d *= *s })              // want `the identity of this reducer is not zero`
	_ = reducers.New(&total, func(d, s *float64) { *d = max(*d, *s) })      // want `the identity of this reducer is not zero`
	_ = reducers.New(&total, func(d, s *float64) { *d = min(*s, *d) })      // want `the identity of this reducer is not zero`
	_ = reducers.New(&all, func(d, s *bool) { *d = *d && *s })              // want `the identity of this reducer is not zero`
	_ = reducers.New(&bits, func(d, s *uint) { *d &= *s })                  // want `the identity of this reducer is not zero`
	_ = reducers.New(&total, multiply, reducers.Final(func(x *float64) {})) // want `the identity of this reducer is not zero`
}

func multiply(d, s *float64) { *d *= *s }

type least[T ~float32 | ~float64] struct{ reducers.Base[T] }

func (least[T]) Join(dst, src *T) { // want `the identity of this reducer is not zero`
	if *src < *dst {
		*dst = *src
	}
}
