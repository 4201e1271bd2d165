package kernels

import (
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// stencil sets a point of v to the mean of its neighbours in u.
//
//gokkos:kernel
func stencil(u, v views.View2[float64]) func(at policy.Index2) {
	return func(at policy.Index2) {
		i, j := at.I, at.J
		v.Set(i, j, .25*(u.At(i-1, j)+u.At(i+1, j)+u.At(i, j-1)+u.At(i, j+1)))
	}
}

// stencilRow is stencil for the points of a row.
//
//gokkos:kernel
func stencilRow(u, v views.View2[float64]) func(r policy.Row[policy.Index2]) {
	return func(r policy.Row[policy.Index2]) {
		i := r.At.I
		for j := range r.All() {
			v.Set(i, j, .25*(u.At(i-1, j)+u.At(i+1, j)+u.At(i, j-1)+u.At(i, j+1)))
		}
	}
}

// stencilColumn is stencil for rows along the first dimension.
//
//gokkos:kernel
func stencilColumn(u, v views.View2[float64]) func(r policy.Row[policy.Index2]) {
	return func(r policy.Row[policy.Index2]) {
		j := r.At.J
		for i := range r.All() {
			v.Set(i, j, .25*(u.At(i-1, j)+u.At(i+1, j)+u.At(i, j-1)+u.At(i, j+1)))
		}
	}
}

// residual is Σ r² of what stencil leaves of u, and the largest |r|.
//
//gokkos:kernel
func residual(u views.View2[float64]) func(at policy.Index2, sum, most *float64) {
	return func(at policy.Index2, sum, most *float64) {
		i, j := at.I, at.J
		r := float64(.25*(u.At(i-1, j)+u.At(i+1, j)+u.At(i, j-1)+u.At(i, j+1))) - u.At(i, j)
		*sum += float64(r * r)
		*most = max(*most, max(r, -r))
	}
}

// rowSums adds up rows, each of which has a share of its own.
//
//gokkos:kernel
func rowSums(u views.View2[float64]) func(r policy.Row[policy.Index2], acc *float64) {
	return func(r policy.Row[policy.Index2], acc *float64) {
		s := 0.0
		for j := range r.All() {
			s += u.At(r.At.I, j)
		}
		*acc += float64(s * s)
	}
}

// stencil3 is stencil in three dimensions.
//
//gokkos:kernel
func stencil3(u, v views.View3[float32]) func(at policy.Index3) {
	return func(at policy.Index3) {
		i, j, k := at.I, at.J, at.K
		v.Set(i, j, k, u.At(i-1, j, k)+u.At(i+1, j, k)+u.At(i, j-1, k)+u.At(i, j+1, k)+u.At(i, j, k-1)+u.At(i, j, k+1))
	}
}

// weights adds up numbers of the points of a box.
//
//gokkos:kernel
func weights(a, b int) func(at policy.Index4, acc *int64) {
	return func(at policy.Index4, acc *int64) {
		*acc += int64(((at.I*a+at.J)*b+at.K)*a + at.L)
	}
}

// place sets the element that a point of six dimensions has to its number.
//
//gokkos:kernel
func place(n int, x views.View1[int32]) func(at policy.Index6) {
	return func(at policy.Index6) {
		k := ((((at.I*n+at.J)*n+at.K)*n+at.L)*n+at.M)*n + at.N
		x.Set(k, int32(k))
	}
}

// far counts the points whose coordinates have a bit in common.
//
//gokkos:kernel
func far(least int) func(at policy.Index5, acc *int64) {
	return func(at policy.Index5, acc *int64) {
		if at.I&at.J&at.K&at.L&at.M >= least {
			*acc++
		}
	}
}
