package kernels

import (
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// relaxed sets a point of v to the mean of its neighbours in u.
//
//gokkos:kernel
func relaxed(u, v views.View2[float64]) func(at policy.Index2) {
	return func(at policy.Index2) {
		i, j := at.I, at.J
		v.Set(i, j, float64(.25*(u.At(i-1, j)+u.At(i+1, j)+u.At(i, j-1)+u.At(i, j+1))))
	}
}

// relaxedRow is relaxed for the points of a row.
//
//gokkos:kernel
func relaxedRow(u, v views.View2[float64]) func(r policy.Row[policy.Index2]) {
	return func(r policy.Row[policy.Index2]) {
		i := r.At.I
		for j := range r.All() {
			v.Set(i, j, float64(.25*(u.At(i-1, j)+u.At(i+1, j)+u.At(i, j-1)+u.At(i, j+1))))
		}
	}
}
