// Package krylov is the method of conjugate gradients apart from how a product and a sum are computed: what examples/cg
// on one machine and the program cg of exec/mpi on several have in common.
package krylov

import (
	"errors"
	"math"

	"github.com/gokkos/gokkos/views/mtx"
)

// A System is A·x = b, or the rows of it that a process has.
type System interface {
	// Right returns the elements of b.
	Right() []float64
	// Direction returns the memory of the direction p, as many elements as b has.
	Direction() []float64
	// Multiply sets q to the elements of A·p.
	Multiply(q []float64) error
	// Dot returns Σ x[i]·y[i] over the elements of all processes.
	Dot(x, y []float64) (float64, error)
	// Each calls f for the number of each element.
	Each(f func(k int)) error
}

// ErrIndefinite is the error of a matrix that the method is not for.
var ErrIndefinite = errors.New("p·Ap is not positive, expected a symmetric positive definite matrix")

// ErrRange is the error of a matrix whose right side is zero, or too small or too large to be squared, and of one for
// which numbers overflow on the way.
var ErrRange = errors.New("a square of the residual that is zero at the start, or not finite, expected one in the range of float64")

// Solve starts from x = 0, and goes on up to a residual of tolerance times that of the start or so many iterations. It
// returns the elements of x, and calls report with the norm of each residual.
func Solve(s System, tolerance float64, most int, report func(iteration int, norm float64)) ([]float64, error) {
	b, p := s.Right(), s.Direction()
	x, r, q := make([]float64, len(b)), make([]float64, len(b)), make([]float64, len(b))
	copy(r, b)
	copy(p, b)
	rr, err := s.Dot(r, r)
	if err != nil {
		return nil, err
	}
	if rr == 0 {
		return nil, ErrRange
	}
	stop := tolerance * tolerance * rr
	for k := 0; ; k++ {
		if math.IsNaN(rr) || math.IsInf(rr, 0) {
			return nil, ErrRange
		}
		report(k, math.Sqrt(rr))
		if rr <= stop || k == most {
			return x, nil
		}
		if err := s.Multiply(q); err != nil {
			return nil, err
		}
		pq, err := s.Dot(p, q)
		switch {
		case err != nil:
			return nil, err
		case math.IsNaN(pq) || math.IsInf(pq, 0):
			return nil, ErrRange
		case !(pq > 0):
			return nil, ErrIndefinite
		}
		alpha := rr / pq
		if err := s.Each(func(k int) {
			x[k] += float64(alpha * p[k])
			r[k] -= float64(alpha * q[k])
		}); err != nil {
			return nil, err
		}
		before := rr
		if rr, err = s.Dot(r, r); err != nil {
			return nil, err
		}
		beta := rr / before
		if err := s.Each(func(k int) { p[k] = r[k] + float64(beta*p[k]) }); err != nil {
			return nil, err
		}
	}
}

// Poisson returns the rows begin to end-1 of the 5-point matrix on a square of n*n points.
func Poisson(n, begin, end int) *mtx.Matrix {
	m := &mtx.Matrix{First: begin, Rows: n * n, Columns: n * n, Starts: []int{0}}
	add := func(there bool, column int, value float64) {
		if there {
			m.Column, m.Values = append(m.Column, column), append(m.Values, value)
		}
	}
	for row := begin; row < end; row++ {
		i, j := row/n, row%n
		add(i > 0, row-n, -1)
		add(j > 0, row-1, -1)
		add(true, row, 4)
		add(j < n-1, row+1, -1)
		add(i < n-1, row+n, -1)
		m.Starts = append(m.Starts, len(m.Values))
	}
	return m
}
