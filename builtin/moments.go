package builtin

import (
	"math"

	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// An Average is the sum and the number of some values.
type Average[T Real] struct {
	Sum T
	N   int
}

// Add joins the value x.
func (a *Average[T]) Add(x T) { a.Sum, a.N = a.Sum+x, a.N+1 }

// Value returns Sum/N, or NaN if there are no values.
func (a Average[T]) Value() float64 { return float64(a.Sum) / float64(a.N) }

// Mean joins by adding sums and numbers of values; its identity is 0 of each.
// The sum of integers wraps in its own type.
func Mean[T Real](result *Average[T]) Reduction[Average[T], T] {
	return mean[T]{reducers.Into(result)}
}

type mean[T Real] struct{ reducers.Base[Average[T]] }

func (mean[T]) Join(dst, src *Average[T]) { dst.Sum, dst.N = dst.Sum+src.Sum, dst.N+src.N }

func (mean[T]) JoinLanes(lanes []Average[T]) {
	joinHalves(lanes, func(dst *Average[T], src Average[T]) { dst.Sum, dst.N = dst.Sum+src.Sum, dst.N+src.N })
}

func (mean[T]) Traits() concept.Traits[Average[T]] { return exactIfInteger[Average[T], T]() }

func (r mean[T]) Fold() reducers.Fold[T] { return reducers.NewFold[Average[T], T](r, nil) }

func (mean[T]) AddValues(lanes []Average[T], first int, x []T) { averageLanes(lanes, first, x) }

func averageLanes[T Real](lanes []Average[T], _ int, x []T) {
	rows := 0
	if len(lanes) >= 4 {
		rows = len(x) &^ (len(lanes) - 1)
	}
	for l := 0; l+4 <= len(lanes) && l < rows; l += 4 {
		a := (*[4]Average[T])(lanes[l:])
		q := quad[T]{a[0].Sum, a[1].Sum, a[2].Sum, a[3].Sum}
		for k := l; k < rows; k += len(lanes) {
			q = add4(q, (*[4]T)(x[k:]))
		}
		a[0].Sum, a[1].Sum, a[2].Sum, a[3].Sum = q.a, q.b, q.c, q.d
		for k := range a {
			a[k].N += rows / len(lanes)
		}
	}
	for k := rows; k < len(x); k++ {
		lanes[k&(len(lanes)-1)].Add(x[k])
	}
}

// Moments are the number N of some values, their mean, and the sum M2 of the
// squares of their distances from it.
type Moments[T Float] struct {
	N        int
	Mean, M2 T
}

// Add joins the value x.
//
// Source: Welford, Note on a method for calculating corrected sums of squares
// and products, Technometrics 4 (1962).
func (m *Moments[T]) Add(x T) {
	m.N++
	d := x - m.Mean
	m.Mean += d / T(m.N)
	m.M2 += T(d * (x - m.Mean))
}

// Variance returns M2/N, the variance of the values themselves, or NaN if there
// are none.
func (m Moments[T]) Variance() T { return m.M2 / T(m.N) }

// SampleVariance returns M2/(N-1), the estimate for what the values are a sample
// of, or NaN if there are fewer than two.
func (m Moments[T]) SampleVariance() T {
	if m.N < 2 {
		return T(math.NaN())
	}
	return m.M2 / T(m.N-1)
}

// StdDev returns the square root of Variance.
func (m Moments[T]) StdDev() T { return T(math.Sqrt(float64(m.Variance()))) }

// Variance joins the moments of two sets of values to those of their union; its
// identity are the moments of no values, all 0.
//
// Source: Chan, Golub, LeVeque, Updating formulae and a pairwise algorithm for
// computing sample variances, Stanford STAN-CS-79-773 (1979).
func Variance[T Float](result *Moments[T]) Reduction[Moments[T], T] {
	return variance[T]{reducers.Into(result)}
}

type variance[T Float] struct{ reducers.Base[Moments[T]] }

func (variance[T]) Join(dst, src *Moments[T]) {
	switch {
	case src.N == 0:
		return
	case dst.N == 0:
		*dst = *src
		return
	}
	n := dst.N + src.N
	share := T(src.N) / T(n)
	d := src.Mean - dst.Mean
	dst.Mean += T(d * share)
	dst.M2 += src.M2 + T(T(T(d*d)*share)*T(dst.N))
	dst.N = n
}

func (r variance[T]) Fold() reducers.Fold[T] { return reducers.NewFold[Moments[T], T](r, nil) }

func (variance[T]) AddValues(lanes []Moments[T], _ int, x []T) {
	mask := len(lanes) - 1
	for k, v := range x {
		lanes[k&mask].Add(v)
	}
}
