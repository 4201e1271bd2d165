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

// shifted sets a point of v to twice that of u, and one more.
//
//gokkos:kernel
func shifted(u, v views.View2[float64]) func(at policy.Index2) {
	return func(at policy.Index2) { v.Set(at.I, at.J, float64(2*u.At(at.I, at.J))+1) }
}

// outweighed multiplies the rows of u by numbers of their own, and columns by one.
//
//gokkos:kernel
func outweighed(w, c []float64, u, v views.View2[float64]) func(at policy.Index2) {
	return func(at policy.Index2) { v.Set(at.I, at.J, float64(w[at.I]*u.At(at.I, at.J))+c[at.J]) }
}

// wedge adds up the elements of u above a point, and the number of the row times that of the column.
//
//gokkos:kernel
func wedge(u, v views.View2[int]) func(at policy.Index2) {
	return func(at policy.Index2) {
		s := at.I * at.J
		for k := range at.I {
			s += u.At(k, at.J)
		}
		v.Set(at.I, at.J, s)
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

// residual is Σ r² of what relaxed leaves of u.
//
//gokkos:kernel
func residual(u views.View2[float64]) func(at policy.Index2, acc *float64) {
	return func(at policy.Index2, acc *float64) {
		i, j := at.I, at.J
		r := float64(.25*(u.At(i-1, j)+u.At(i+1, j)+u.At(i, j-1)+u.At(i, j+1))) - u.At(i, j)
		*acc += float64(r * r)
	}
}

// relaxed3 is relaxed in three dimensions.
//
//gokkos:kernel
func relaxed3(u, v views.View3[float64]) func(at policy.Index3) {
	return func(at policy.Index3) {
		i, j, k := at.I, at.J, at.K
		s := u.At(i-1, j, k) + u.At(i+1, j, k) + u.At(i, j-1, k) + u.At(i, j+1, k) + u.At(i, j, k-1) + u.At(i, j, k+1)
		v.Set(i, j, k, float64(s*.125)-u.At(i, j, k))
	}
}

// spread adds w times the elements of a column to a point of four dimensions with any strides.
//
//gokkos:kernel
func spread(w float64, u views.Strided2[float64], at []int, v views.View4[float64]) func(p policy.Index4) {
	return func(p policy.Index4) {
		s := v.At(p.I, p.J, p.K, p.L)
		for n := range u.Extent(0) {
			s += float64(w * u.At(n, p.L))
		}
		if p.L&1 == 0 {
			s = -s + float64(at[p.K])
		}
		v.Set(p.I, p.J, p.K, p.L, s)
	}
}

// extremes are the sum, the least, the greatest and the number of points above w.
//
//gokkos:kernel
func extremes(w float32, x views.View3[float32]) func(at policy.Index3, sum *float64, low, high *float32, n *int) {
	return func(at policy.Index3, sum *float64, low, high *float32, n *int) {
		v := x.At(at.I, at.J, at.K)
		*sum += float64(v)
		*low, *high = min(*low, v), max(*high, v)
		if v > w {
			*n++
		}
	}
}

// nearestOf picks elements that lie anywhere.
//
//gokkos:kernel
func nearestOf(at []int, x []float64, v views.Strided3[float64]) func(p policy.Index3, acc *float64) {
	return func(p policy.Index3, acc *float64) {
		n := at[p.K+p.I]
		if n >= 0 {
			*acc += x[n]
			v.Set(p.I, p.J, p.K, x[n]+float64(n+p.J))
		}
	}
}

// escaping counts the rounds of z = z²+c that stay within 2 of the origin, up to limit, and adds up the last z: at
// some points within a few rounds, at others beside them never.
//
//gokkos:kernel
func escaping(step float64, limit int, n views.View2[int32]) func(at policy.Index2, sum *float64) {
	return func(at policy.Index2, sum *float64) {
		cr, ci := float64(step*float64(at.I))-.5, float64(step*float64(at.J))-1.25
		zr, zi, k := 0.0, 0.0, 0
		for ; k < limit; k++ {
			rr, ii := float64(zr*zr), float64(zi*zi)
			if rr+ii > 4 {
				break
			}
			zi = float64(2*zr*zi) + ci
			zr = rr - ii + cr
		}
		n.Set(at.I, at.J, int32(k))
		*sum += zr
	}
}

// sixth is a point of six dimensions.
//
//gokkos:kernel
func sixth(x []int32) func(p policy.Index6) {
	return func(p policy.Index6) {
		x[((((p.I*2+p.J)*3+p.K)*2+p.L)*3+p.M)*5+p.N] ^= int32(p.I + 10*p.J + 100*p.K + 1000*p.L + 10000*p.M + 100000*p.N)
	}
}

// summedRow adds up a row, and the rows.
//
//gokkos:kernel
func summedRow(u views.View3[float64], sums []float64) func(r policy.Row[policy.Index3], acc *float64, rows *int) {
	return func(r policy.Row[policy.Index3], acc *float64, rows *int) {
		s := 0.0
		for k := r.Begin; k < r.End; k++ {
			s += u.At(r.At.I, r.At.J, k)
		}
		if sums[r.At.I] < 0 {
			s = sums[r.At.I]
		}
		*acc += s + float64(r.Len())
		*rows++
	}
}

// scaledRow multiplies a row by a number of its own.
//
//gokkos:kernel
func scaledRow(w []float64, u views.View3[float64]) func(r policy.Row[policy.Index3]) {
	return func(r policy.Row[policy.Index3]) {
		c := w[r.At.J] + 1
		row := u.Row(r.At.I, r.At.J)[r.Begin:r.End]
		for n := range row {
			row[n] = float64(c * row[n])
		}
	}
}

// carriedRow adds the element before to each of a row: of one view, the sums of all before.
//
//gokkos:kernel
func carriedRow(u, v views.View2[float64]) func(r policy.Row[policy.Index2]) {
	return func(r policy.Row[policy.Index2]) {
		for j := range r.All() {
			v.Set(r.At.I, j, u.At(r.At.I, j)+u.At(r.At.I, j-1))
		}
	}
}

// columnRow adds to a row along the first dimension another one.
//
//gokkos:kernel
func columnRow(u, v views.View2[float64]) func(r policy.Row[policy.Index2]) {
	return func(r policy.Row[policy.Index2]) {
		j := r.At.J
		c := u.At(0, j)
		for i := range r.All() {
			v.Set(i, j, float64(c*u.At(i, j))+v.At(i, j))
		}
	}
}

// hashed adds up numbers that tell points apart.
//
//gokkos:kernel
func hashed(seed uint64) func(p policy.Index4, acc *uint64) {
	return func(p policy.Index4, acc *uint64) {
		h := seed
		h = (h ^ uint64(p.I)) * 0x9e3779b97f4a7c15
		h = (h ^ uint64(p.J)) * 0x9e3779b97f4a7c15
		h = (h ^ uint64(p.K)) * 0x9e3779b97f4a7c15
		*acc += (h ^ uint64(p.L)) * 0x9e3779b97f4a7c15
	}
}
