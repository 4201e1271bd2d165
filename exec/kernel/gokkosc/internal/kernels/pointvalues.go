package kernels

import (
	"math"

	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Functors that return the value of a point.

// curvature is how far u is from the mean of its neighbours.
//
//gokkos:kernel
func curvature(u views.View2[float64]) func(at policy.Index2) float64 {
	return func(at policy.Index2) float64 {
		i, j := at.I, at.J
		return u.At(i, j) - float64(.25*(u.At(i-1, j)+u.At(i+1, j)+u.At(i, j-1)+u.At(i, j+1)))
	}
}

// beyondAll reports whether a point of three dimensions is out of a ball about the origin, and its element above
// low.
//
//gokkos:kernel
func beyondAll(radius, low float32, x []float32) func(at policy.Index3) bool {
	return func(at policy.Index3) bool {
		d := float64(at.I*at.I + at.J*at.J + at.K*at.K)
		return math.Sqrt(d) > float64(radius) && x[at.I+2*at.J+3*at.K] > low
	}
}
