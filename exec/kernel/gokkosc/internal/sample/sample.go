// Package sample has one small kernel for each feature that targets compile differently. Its generated files
// are the golden text of gokkosc: a review reads a target's change in them.
package sample

import (
	"math"

	"github.com/gokkos/gokkos/exec/kernel/kmath"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// axpy adds a·x to y: loads, a product and a store for each item.
//
//gokkos:kernel
func axpy(a float64, x, y []float64) func(i int) {
	return func(i int) { y[i] += float64(a * x[i]) }
}

// dot is Σ x[i]·y[i]: partial results in the lanes of a leaf.
//
//gokkos:kernel
func dot(x, y []float64) func(i int, acc *float64) {
	return func(i int, acc *float64) { *acc += float64(x[i] * y[i]) }
}

// blur sets a point of v to the mean of its neighbours in u: a box, whose rows are runs.
//
//gokkos:kernel
func blur(u, v views.View2[float64]) func(at policy.Index2) {
	return func(at policy.Index2) {
		v.Set(at.I, at.J, float64(0.25*(u.At(at.I-1, at.J)+u.At(at.I+1, at.J)+u.At(at.I, at.J-1)+u.At(at.I, at.J+1))))
	}
}

// product sets y to a·x: an inner loop with a sum.
//
//gokkos:kernel
func product(a views.View2[float64], x, y []float64) func(i int) {
	return func(i int) {
		s := 0.0
		for j, v := range a.Row(i) {
			s += float64(v * x[j])
		}
		y[i] = s
	}
}

// gather sets y to elements of x from anywhere, each behind a check of its index.
//
//gokkos:kernel
func gather(at []int32, x, y []float64) func(i int) {
	return func(i int) { y[i] = math.Sqrt(x[at[i]]) }
}

// root sets y to the square root of x by rounds, of which items take different numbers: lanes wait for others.
//
//gokkos:kernel
func root(x, y []float64) func(i int) {
	return func(i int) {
		r := 1.0
		for range 60 {
			next := float64(0.5 * (r + x[i]/r))
			if math.Abs(next-r) < 1e-12 {
				break
			}
			r = next
		}
		y[i] = r
	}
}

// grey sets y to a mean of bytes: narrow integers, and a division by a constant.
//
//gokkos:kernel
func grey(red, green, blue, y []uint8) func(i int) {
	return func(i int) { y[i] = uint8((uint32(red[i]) + 2*uint32(green[i]) + uint32(blue[i])) / 5) }
}

// decayed is exp(-x): a function of kmath, and a value in place of a store.
//
//gokkos:kernel
func decayed(x []float64) func(i int) float64 {
	return func(i int) float64 { return kmath.Exp(-x[i]) }
}
