// Package krylov is the method of conjugate gradients apart from how a product and a sum are computed, which differs
// between one process and several.
package krylov

import (
	"errors"
	"fmt"
	"math"
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

// ErrRange is the error of a matrix whose right side is zero, or too small or too large to be squared, and of a matrix
// for which numbers overflow on the way.
var ErrRange = errors.New("a square of the residual that is zero at the start, or not finite, " +
	"expected one in the range of float64")

// ErrUnsolved is the error of a residual that is still too large after the most iterations.
var ErrUnsolved = errors.New("not solved")

// Solve starts from x = 0. It ends at a residual of tolerance times the first one, or after the most iterations.
// It returns the elements of x, and calls report with the norm of each residual.
//
// A larger residual at the end is an error that wraps [ErrUnsolved], unless the tolerance is 0. Solve returns the
// elements of x with it. The tolerance is at least 0 and below 1.
func Solve(s System, tolerance float64, most int, report func(iteration int, norm float64)) ([]float64, error) {
	if most < 0 || !(tolerance >= 0 && tolerance < 1) {
		return nil, fmt.Errorf("%d iterations and a tolerance of %v, expected at least 0 and 0, and a tolerance below 1", most, tolerance)
	}
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
	first := rr
	stop := tolerance * tolerance * rr
	for k := 0; ; k++ {
		if math.IsNaN(rr) || math.IsInf(rr, 0) {
			return nil, ErrRange
		}
		report(k, math.Sqrt(rr))
		switch {
		case rr <= stop || k == most && tolerance == 0:
			return x, nil
		case k == most:
			return x, fmt.Errorf("%w: a residual of %.3e after %d iterations, expected at most %.3e; -most allows more, "+
				"and -tolerance 0 asks for none", ErrUnsolved, math.Sqrt(rr), k, tolerance*math.Sqrt(first))
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
