package kernels

import (
	"math"

	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// These kernels return early, before and behind stores.

// exceeds sets z[i] to 1 if one of the m numbers from x[i] on is more than a limit, else to 0.
//
//gokkos:kernel
func exceeds(limit float64, m int, mask []int8, x, z []float64) func(i int) {
	return func(i int) {
		if mask[i] == 0 {
			return
		}
		for j := range m {
			if x[i+j] > limit {
				z[i] = 1
				return
			}
		}
		z[i] = 0
	}
}

// crossing sets at[i] to where the sum of row i of x leaves two limits, and sum[i] to that sum.
//
//gokkos:kernel
func crossing(low, high float64, m int, x, sum []float64, at []int) func(i int) {
	return func(i int) {
		s := 0.0
		for j := 0; j < m; j++ {
			s += x[i*m+j]
			if s > high {
				at[i], sum[i] = j, s
				return
			}
			if s < low {
				at[i] = -j
				if s < float64(2*low) {
					sum[i] = s
				}
				return
			}
		}
		at[i], sum[i] = m, s
	}
}

// diagonal sets d[i] to the element of row i on the diagonal of a sparse matrix.
//
//gokkos:kernel
func diagonal(ptr, col []int, val, d []float64) func(i int) {
	return func(i int) {
		for k := ptr[i]; k < ptr[i+1]; k++ {
			if col[k] == i {
				d[i] = val[k]
				return
			}
		}
		d[i] = 0
	}
}

// factor finds a pair of numbers of which the product with x[i] is more than a limit.
//
//gokkos:kernel
func factor(n, m int, limit float64, x, y, z []float64) func(i int) {
	return func(i int) {
		for j := range n {
			for k := range m {
				if float64(x[i]*y[j*m+k]) > limit {
					z[i] = float64(j*m + k)
					return
				}
			}
			if y[j*m] < -limit {
				z[i] = -1
				return
			}
		}
		z[i] = 0
	}
}

// walked sets row i of path to the sums of x up to the first beyond a limit, and last[i] to its number.
//
//gokkos:kernel
func walked(m int, limit float64, x, path []float64, last []int) func(i int) {
	return func(i int) {
		s := x[i]
		for j := 0; j < m; j++ {
			s += x[j]
			path[i*m+j] = s
			if s > limit {
				last[i] = j
				return
			}
		}
		last[i] = m
	}
}

// rooted replaces row i of x by roots, up to the first negative number, which sets flag[i].
//
//gokkos:kernel
func rooted(ptr []int, x, y []float64, flag []int) func(i int) {
	return func(i int) {
		for k := ptr[i]; k < ptr[i+1]; k++ {
			if x[k] < 0 {
				flag[i] = 1
				return
			}
			y[k] = math.Sqrt(x[k])
		}
		flag[i] = 0
	}
}

// eliminated factorizes matrix i of m by m numbers in place, up to the first pivot that is 0.
//
//gokkos:kernel
func eliminated(m int, matrices []float64, singular []bool) func(i int) {
	return func(i int) {
		a := matrices[i*m*m : (i+1)*m*m]
		for k := 0; k < m; k++ {
			p := a[k*m+k]
			if p == 0 {
				singular[i] = true
				return
			}
			for r := k + 1; r < m; r++ {
				f := a[r*m+k] / p
				a[r*m+k] = f
				for c := k + 1; c < m; c++ {
					a[r*m+c] -= float64(f * a[k*m+c])
				}
			}
		}
		singular[i] = false
	}
}

// cholesky factorizes matrix i of m by m numbers in place, up to the first pivot that is not positive, and sets info[i] to its
// number, or to 0.
//
//gokkos:kernel
func cholesky(m int, a []float64, info []int) func(i int) {
	return func(i int) {
		o := i * m * m
		for k := 0; k < m; k++ {
			d := a[o+k*m+k]
			for j := 0; j < k; j++ {
				d -= float64(a[o+k*m+j] * a[o+k*m+j])
			}
			if d <= 0 {
				info[i] = k + 1
				return
			}
			d = math.Sqrt(d)
			a[o+k*m+k] = d
			for r := k + 1; r < m; r++ {
				s := a[o+r*m+k]
				for j := 0; j < k; j++ {
					s -= float64(a[o+r*m+j] * a[o+k*m+j])
				}
				a[o+r*m+k] = s / d
			}
		}
		info[i] = 0
	}
}

// substituted solves the bidiagonal system i from its last row upwards, in place.
//
//gokkos:kernel
func substituted(m int, upper, x []float64) func(i int) {
	return func(i int) {
		for j := m - 2; j >= 0; j-- {
			x[i*m+j] -= float64(upper[i*m+j+1] * x[i*m+j+1])
		}
	}
}

// mirrored sets row i of y to row i of x from its last number to its first one.
//
//gokkos:kernel
func mirrored(m int, x, y []float64) func(i int) {
	return func(i int) {
		for j := 0; j <= m-1; j++ {
			y[i*m+j] = x[i*m+m-1-j]
		}
	}
}

// eased sets row i of y to the means of neighbours in row i of x, and keeps its ends.
//
//gokkos:kernel
func eased(m int, x, y []float64) func(i int) {
	return func(i int) {
		row := x[i*m : (i+1)*m]
		for j := 0; j < m; j++ {
			if j > 0 && j+1 < m {
				y[i*m+j] = float64(.5 * (row[j-1] + row[j+1]))
			} else {
				y[i*m+j] = row[j]
			}
		}
	}
}

// flanked sets row i of z to the numbers of x up to two places away from number i, where there are such.
//
//gokkos:kernel
func flanked(x, z []float64) func(i int) {
	return func(i int) {
		for j := -2; j <= 2; j++ {
			if i+j >= 0 && i+j < len(x) {
				z[5*i+j+2] = x[i+j]
			}
		}
	}
}

// turned sets row i of z to the numbers of x around number i, from a last offset down to a first one, which is negative.
//
//gokkos:kernel
func turned(first, last int, x, z []float64) func(i int) {
	return func(i int) {
		for j := last; j >= first; j-- {
			z[i*(last-first+1)+last-j] = x[i+j-first]
		}
	}
}

// rim sets the points of v that are not at the rim to the mean of their neighbours in u.
//
//gokkos:kernel
func rim(u, v views.View2[float64]) func(r policy.Row[policy.Index2]) {
	return func(r policy.Row[policy.Index2]) {
		i := r.At.I
		if i == 0 || i == u.Extent(0)-1 {
			return
		}
		for j := range r.All() {
			if j > 0 && j < u.Extent(1)-1 {
				v.Set(i, j, float64(.25*(u.At(i-1, j)+u.At(i+1, j)+u.At(i, j-1)+u.At(i, j+1))))
			}
		}
	}
}
