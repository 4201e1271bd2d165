package kernels

import (
	"math"

	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// These kernels store in loops whose number of rounds differs by item.

// ragged replaces each number of row i, of those from ends[i] to ends[i+1], by a function of it and of w[i].
//
//gokkos:kernel
func ragged(ends []int, w, v []float64) func(i int) {
	return func(i int) {
		for k := ends[i]; k < ends[i+1]; k++ {
			v[k] = math.Sqrt(float64(v[k]*v[k])+w[i]) / (1 + math.Abs(v[k]))
		}
	}
}

// orbits sets row i to the first n[i] points of an orbit of the logistic map that begins at x[i].
//
//gokkos:kernel
func orbits(r float64, x []float64, n []int, points views.View2[float64]) func(i int) {
	return func(i int) {
		row, z := points.Row(i), x[i]
		for k := 0; k < n[i]; k++ {
			z = float64(float64(r*z) * (1 - z))
			row[k] = math.Sqrt(math.Abs(z))
		}
	}
}

// settled follows a fraction until it is as near to its limit as tolerance says, and keeps what it has reached: after each
// even round in even[i], and of odd rounds the last one beyond low, with its number.
//
//gokkos:kernel
func settled(tolerance, low float64, x, even, odd []float64, last []int) func(i int) {
	return func(i int) {
		z, k := 1.0, 0
		for k < 60 {
			next := 1 / (1 + math.Sqrt(math.Abs(float64(z*x[i])))/(1+z))
			if d := math.Abs(next - z); d < tolerance {
				break
			}
			if z = next; k&1 == 0 {
				even[2*i], even[2*i+1] = z, -z
			} else if z > low {
				odd[i], last[i] = z, k
			}
			k++
		}
		even[2*i+1] = float64(k)
	}
}

// gathered adds to y[i] what is in x from low[i] to high[i], and its roots.
//
//gokkos:kernel
func gathered(low, high []int, x, y []float64) func(i int) {
	return func(i int) {
		for k := low[i]; k < high[i]; k++ {
			y[i] += math.Sqrt(x[k]) / (x[k] + 3)
		}
	}
}

// escaped sets at[i] to the first round in which the orbit of x[i] is beyond 2, and z[i] to where it is, if there is one
// among limit rounds.
//
//gokkos:kernel
func escaped(limit int, x, z []float32, at []int32) func(i int) {
	return func(i int) {
		v := float32(0)
		for k := range limit {
			v = float32(v*v) + x[i]
			if v > 2 || v < -2 {
				at[i], z[i] = int32(k), v
				return
			}
		}
	}
}

// stacked sets sums of point i, j to the first n[j] numbers of a sequence that begins at v.
//
//gokkos:kernel
func stacked(n []int, v views.View2[float64], sums views.View3[float64]) func(at policy.Index2) {
	return func(at policy.Index2) {
		s := v.At(at.I, at.J)
		for k := 0; k < n[at.J]; k++ {
			s = math.Sqrt(float64(s*s)+1) / (2 - s)
			sums.Set(at.I, at.J, k, s)
		}
	}
}

// nested stores in a loop of a loop, of which both have as many rounds as numbers of the item say.
//
//gokkos:kernel
func nested(n []int, x, y, z []float64) func(i int) {
	return func(i int) {
		v := x[i]
		for j := 0; j < n[i]; j++ {
			for k := j; k < n[i]; k++ {
				v = math.Sqrt(math.Abs(v)+float64(k)) / (1 + float64(j))
				y[i] = v
			}
			z[3*i+2], z[3*i] = v, float64(j)
		}
	}
}

// doubled stores two of three numbers of row i, of which there are n[i].
//
//gokkos:kernel
func doubled(width int, n []int, x, y []float64) func(i int) {
	return func(i int) {
		for k := 0; k < n[i]; k++ {
			v := math.Sqrt(x[i]+float64(k)) / (float64(k) + 3)
			y[width*i+3*k] = v
			y[width*i+3*k+1] = -v
		}
	}
}

// closed stores n[i] numbers of row i, and the last one again at an element that may be one of another row.
//
//gokkos:kernel
func closed(width int, n []int, x, y []float64) func(i int) {
	return func(i int) {
		v := x[i]
		for k := 0; k < n[i]; k++ {
			v = math.Sqrt(math.Abs(v)+float64(k)) / (1 + float64(k))
			y[width*i+k] = v
		}
		y[width*i+9] = v
	}
}

// ended sets numbers 1 to m-1 of row i of z, and number 0 to where the loop has ended.
//
//gokkos:kernel
func ended(m int, x, z []float64) func(i int) {
	return func(i int) {
		j := 1
		for ; j < m; j++ {
			z[i*m+j] = x[i] + float64(j)
		}
		z[i*m] = float64(j)
	}
}
