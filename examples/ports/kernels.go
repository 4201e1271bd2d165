package main

import (
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// spread is a step of the heat equation in one point.
//
//gokkos:kernel
func spread(now, before views.View2[float64]) func(at policy.Index2) {
	return func(at policy.Index2) {
		i, j := at.I, at.J
		around := before.At(i-1, j) + before.At(i+1, j) + (before.At(i, j-1) + before.At(i, j+1))
		now.Set(i, j, before.At(i, j)+float64(.2*(around-float64(4*before.At(i, j)))))
	}
}

// advance moves x along the direction p, and the residual r along q.
//
//gokkos:kernel
func advance(alpha float64, x, r, p, q []float64) func(k int) {
	return func(k int) {
		x[k] += float64(alpha * p[k])
		r[k] -= float64(alpha * q[k])
	}
}

// turn is the next direction.
//
//gokkos:kernel
func turn(beta float64, p, r []float64) func(k int) {
	return func(k int) { p[k] = r[k] + float64(beta*p[k]) }
}
