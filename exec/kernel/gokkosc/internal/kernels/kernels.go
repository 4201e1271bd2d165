// Package kernels has functors as programs have them, each of which gokkosc compiles. Tests
// compare their bits with those of the closures, and benchmarks their speed.
package kernels

import (
	"math"

	"github.com/gokkos/gokkos/views"
)

// The loops are not in the tree: make kernels writes them to an overlay.

// axpy adds a·x to y.
//
//gokkos:kernel
func axpy(a float64, x, y []float64) func(i int) {
	return func(i int) { y[i] += float64(a * x[i]) }
}

// triad sets z to x + a·y.
//
//gokkos:kernel
func triad(a float64, x, y, z []float64) func(i int) {
	return func(i int) { z[i] = x[i] + float64(a*y[i]) }
}

// dot is Σ x[i]·y[i].
//
//gokkos:kernel
func dot(x, y []float64) func(i int, acc *float64) {
	return func(i int, acc *float64) { *acc += float64(x[i] * y[i]) }
}

// smallest is the least of x, without NaNs.
//
//gokkos:kernel
func smallest(x []float64) func(i int, acc *float64) {
	return func(i int, acc *float64) {
		if v := x[i]; v < *acc {
			*acc = v
		}
	}
}

// roots is Σ √(x²+1) / (x+2).
//
//gokkos:kernel
func roots(x []float64) func(i int, acc *float64) {
	return func(i int, acc *float64) {
		v := x[i]
		*acc += math.Sqrt(float64(v*v)+1) / (v + 2)
	}
}

// relax sets row i of v, but its ends, to the mean of the four neighbours in u.
//
//gokkos:kernel
func relax(u, v views.View2[float64]) func(i int) {
	return func(i int) {
		for j := 1; j < u.Extent(1)-1; j++ {
			v.Set(i, j, 0.25*(u.At(i-1, j)+u.At(i+1, j)+u.At(i, j-1)+u.At(i, j+1)))
		}
	}
}

// gemv sets y to a·x.
//
//gokkos:kernel
func gemv(a views.View2[float64], x, y []float64) func(i int) {
	return func(i int) {
		s := 0.0
		for j, v := range a.Row(i) {
			s += float64(v * x[j])
		}
		y[i] = s
	}
}

// mix is the finalizer of SplitMix64.
func mix(z uint64) uint64 {
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// hash sets h to a hash of the index.
//
//gokkos:kernel
func hash(seed uint64, h []uint64) func(i int) {
	return func(i int) { h[i] = mix(seed + uint64(i)*0x9e3779b97f4a7c15) }
}

// nearest sets which[i] to the cluster whose centre is the nearest to point i, and sums up the
// squares of the distances.
//
//gokkos:kernel
func nearest(points, centres views.View2[float32], which []int32) func(i int, acc *float64) {
	return func(i int, acc *float64) {
		best, at := float32(math.MaxFloat32), int32(0)
		for c := 0; c < centres.Extent(0); c++ {
			d := float32(0)
			for k := 0; k < points.Extent(1); k++ {
				t := points.At(i, k) - centres.At(c, k)
				d += float32(t * t)
			}
			if d < best {
				best, at = d, int32(c)
			}
		}
		which[i] = at
		*acc += float64(best)
	}
}

// spmv sets y to a·x with a sparse matrix a, of which val[ptr[i]:ptr[i+1]] are in row i, and
// col says in which column each is.
//
//gokkos:kernel
func spmv(ptr, col []int, val, x, y []float64) func(i int) {
	return func(i int) {
		s := 0.0
		for k := ptr[i]; k < ptr[i+1]; k++ {
			s += float64(val[k] * x[col[k]])
		}
		y[i] = s
	}
}
