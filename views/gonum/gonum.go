// Package gonum gives matrices and vectors of Gonum as views, and views as matrices and
// vectors of Gonum, without a copy.
//
// Both sides share the memory: what one writes, the other reads. Gonum's functions are those
// of gonum.org/v1/gonum/mat and blas/blas64; rows that are apart, as those of a slice of a
// matrix, stay apart.
//
// It is a module of its own, so that programs without Gonum need not have it.
package gonum

import (
	"fmt"
	"unsafe"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/gokkos/gokkos/views"
)

// OfDense returns a view of the elements of m. It is an error if m is nil or empty.
func OfDense(label string, m *mat.Dense) (views.View2[float64], error) {
	if m == nil || m.IsEmpty() {
		return views.View2[float64]{}, fmt.Errorf("gonum: the matrix for %q is nil or empty, expected one with elements", label)
	}
	return OfGeneral(label, m.RawMatrix())
}

// OfGeneral returns a view of the elements of g, which may have none. It is an error if a
// length is negative, if the rows overlap, or if the slice ends before the last element.
func OfGeneral(label string, g blas64.General) (views.View2[float64], error) {
	v, err := views.As2(views.Of(label, g.Data, []int{g.Rows, g.Cols}, views.Stride{g.Stride, 1}))
	return v, prefixed(err)
}

// OfVecDense returns a view of the elements of x. It is an error if x is nil or empty.
func OfVecDense(label string, x *mat.VecDense) (views.Strided1[float64], error) {
	if x == nil || x.IsEmpty() {
		return views.Strided1[float64]{}, fmt.Errorf("gonum: the vector for %q is nil or empty, expected one with elements", label)
	}
	return OfVector(label, x.RawVector())
}

// OfVector returns a view of the elements of x, which may have none. It is an error if the
// length is negative, if the increment is, or if the slice ends before the last element.
func OfVector(label string, x blas64.Vector) (views.Strided1[float64], error) {
	v, err := views.AsStrided1(views.Of(label, x.Data, []int{x.N}, views.Stride{x.Inc}))
	return v, prefixed(err)
}

// Dense returns a matrix of the elements of v. The errors are those of General, and it is one
// if v has no elements: Gonum has no such matrix.
func Dense(v views.Viewer[float64]) (*mat.Dense, error) {
	g, err := General(v)
	if err != nil {
		return nil, err
	}
	if g.Data == nil {
		return nil, fmt.Errorf("gonum: %v has no elements, expected some", views.As(v))
	}
	var m mat.Dense
	m.SetRawMatrix(g)
	return &m, nil
}

// General returns a matrix of the elements of v. It is an error if v is not of rank 2, if it
// has gaps in its rows, or if it is in the memory of a device, which views.MirrorCopy copies.
func General(v views.Viewer[float64]) (blas64.General, error) {
	x, err := views.As2(onHost(v))
	if err != nil {
		return blas64.General{}, prefixed(err)
	}
	n, m := x.Extent(0), x.Extent(1)
	return blas64.General{Rows: n, Cols: m, Data: elements(x.View), Stride: step(x.View, max(m, 1))}, nil
}

// VecDense returns a vector of the elements of v. The errors are those of Vector, and it is
// one if v has no elements: Gonum has no such vector.
func VecDense(v views.Viewer[float64]) (*mat.VecDense, error) {
	x, err := Vector(v)
	if err != nil {
		return nil, err
	}
	if x.N == 0 {
		return nil, fmt.Errorf("gonum: %v has no elements, expected some", views.As(v))
	}
	var u mat.VecDense
	u.SetRawVector(x)
	return &u, nil
}

// Vector returns a vector of the elements of v. It is an error if v is not of rank 1, or if it
// is in the memory of a device, which views.MirrorCopy copies.
func Vector(v views.Viewer[float64]) (blas64.Vector, error) {
	x, err := views.AsStrided1(onHost(v))
	if err != nil {
		return blas64.Vector{}, prefixed(err)
	}
	return blas64.Vector{N: x.Len(), Data: elements(x.View), Inc: step(x.View, 1)}, nil
}

// onHost returns v, which Gonum must be able to touch.
func onHost(v views.Viewer[float64]) (views.View[float64], error) {
	x := views.As(v)
	if x.MemorySpace() != views.Host {
		return x, fmt.Errorf("the view %v is in the memory of %v, expected %v", x, x.MemorySpace(), views.Host)
	}
	return x, nil
}

// step returns the stride of dimension 0, or another if nothing depends on it: a view leaves
// it open, but BLAS does not.
func step(v views.View[float64], other int) int {
	if v.Len() == 0 || v.Extent(0) == 1 {
		return other
	}
	return v.Stride(0)
}

// elements returns the memory from the first element to the last, nil if there are none.
func elements(v views.View[float64]) []float64 {
	if v.Len() == 0 {
		return nil
	}
	n := 1
	for d, extent := range v.Extents() {
		n += (extent - 1) * v.Stride(d)
	}
	return unsafe.Slice(v.Ptr(make([]int, v.Rank())...), n)
}

func prefixed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("gonum: %w", err)
}
