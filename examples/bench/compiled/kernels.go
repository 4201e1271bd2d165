// Package compiled has functors that the benchmark runs as closures and as compiled kernels.
package compiled

import (
	"math"

	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// The loops are not in the tree: make bench writes them to an overlay.

// addScaled adds a·x to z.
//
//gokkos:kernel
func addScaled(a float64, x, z []float64) func(i int) {
	return func(i int) { z[i] += float64(a * x[i]) }
}

// sumScaled sets z to x + a·y.
//
//gokkos:kernel
func sumScaled(a float64, x, y, z []float64) func(i int) {
	return func(i int) { z[i] = x[i] + float64(a*y[i]) }
}

// dot is Σ x[i]·y[i].
//
//gokkos:kernel
func dot(x, y []float64) func(i int, acc *float64) {
	return func(i int, acc *float64) { *acc += float64(x[i] * y[i]) }
}

// smallest is the least of x.
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

// iterated is Σ of a map that is iterated a hundred times and comes to rest.
//
//gokkos:kernel
func iterated(x []float64) func(i int, acc *float64) {
	return func(i int, acc *float64) {
		v := x[i]
		for range 100 {
			v = float64(.5 * (float64(v*v) - v + .25))
		}
		*acc += v
	}
}

// relax sets row i of z, but its ends, to the mean of the four neighbours in x, of m columns each.
//
//gokkos:kernel
func relax(m int, x, z []float64) func(i int) {
	return func(i int) {
		for j := 1; j < m-1; j++ {
			z[i*m+j] = float64(.25 * (x[(i-1)*m+j] + x[(i+1)*m+j] + x[i*m+j-1] + x[i*m+j+1]))
		}
	}
}

// gemv sets z to a·y, with m columns.
//
//gokkos:kernel
func gemv(m int, a, y, z []float64) func(i int) {
	return func(i int) {
		s := 0.0
		for j := range m {
			s += float64(a[i*m+j] * y[j])
		}
		z[i] = s
	}
}

// hash sets z to numbers in [-.5, .5) that are made of the index by SplitMix64.
//
//gokkos:kernel
func hash(z []float64) func(i int) {
	return func(i int) {
		k := uint64(i) + 0x9e3779b97f4a7c15
		k = (k ^ k>>30) * 0xbf58476d1ce4e5b9
		k = (k ^ k>>27) * 0x94d049bb133111eb
		z[i] = float64(float64((k^k>>31)>>11)*0x1p-53) - .5
	}
}

// mandelbrot sets z to how many rounds of w²+c stay within 2 of the origin, up to 256, for the points c of a picture of m
// columns.
//
//gokkos:kernel
func mandelbrot(m int, z []float64) func(i int) {
	step := 3 / float64(m)
	return func(i int) {
		cr, ci := float64(step*float64(i%m))-2.25, float64(step*float64(i/m))-1.5
		re, im, k := 0.0, 0.0, 0
		for ; k < 256; k++ {
			rr, ii := float64(re*re), float64(im*im)
			if rr+ii > 4 {
				break
			}
			re, im = rr-ii+cr, float64(2*re*im)+ci
		}
		z[i] = float64(k)
	}
}

// nearest sets z[i] to the square of the distance from point i to the nearest of eight centres, all in
// four dimensions.
//
//gokkos:kernel
func nearest(points, centres, z []float64) func(i int) {
	return func(i int) {
		best := math.MaxFloat64
		for c := range 8 {
			d := 0.0
			for k := range 4 {
				t := points[4*i+k] - centres[4*c+k]
				d += float64(t * t)
			}
			if d < best {
				best = d
			}
		}
		z[i] = best
	}
}

// stencil2 sets a point of z to a quarter of its four neighbours in x, less the point.
//
//gokkos:kernel
func stencil2(x, z views.View2[float64]) func(at policy.Index2) {
	return func(at policy.Index2) {
		i, j := at.I, at.J
		z.Set(i, j, float64(.25*(x.At(i-1, j)+x.At(i+1, j)+x.At(i, j-1)+x.At(i, j+1)))-x.At(i, j))
	}
}

// stencil3 sets a point of z to an eighth of its six neighbours in x, less the point.
//
//gokkos:kernel
func stencil3(x, z views.View3[float64]) func(at policy.Index3) {
	return func(at policy.Index3) {
		i, j, k := at.I, at.J, at.K
		sum := x.At(i-1, j, k) + x.At(i+1, j, k) + x.At(i, j-1, k) + x.At(i, j+1, k) + x.At(i, j, k-1) + x.At(i, j, k+1)
		z.Set(i, j, k, float64(.125*sum)-x.At(i, j, k))
	}
}

// residual is Σ r² of what stencil2 sets points to.
//
//gokkos:kernel
func residual(x views.View2[float64]) func(at policy.Index2, acc *float64) {
	return func(at policy.Index2, acc *float64) {
		i, j := at.I, at.J
		r := float64(.25*(x.At(i-1, j)+x.At(i+1, j)+x.At(i, j-1)+x.At(i, j+1))) - x.At(i, j)
		*acc += float64(r * r)
	}
}

// triad sets a point of z to x + a·y.
//
//gokkos:kernel
func triad(a float64, x, y, z views.View2[float64]) func(at policy.Index2) {
	return func(at policy.Index2) {
		i, j := at.I, at.J
		z.Set(i, j, x.At(i, j)+float64(a*y.At(i, j)))
	}
}

// transpose sets the columns of z to the rows of x.
//
//gokkos:kernel
func transpose(x, z views.View2[float64]) func(at policy.Index2) {
	return func(at policy.Index2) { z.Set(at.J, at.I, x.At(at.I, at.J)) }
}

// product sets z to the product of the matrices x and y.
//
//gokkos:kernel
func product(x, y, z views.View2[float64]) func(at policy.Index2) {
	return func(at policy.Index2) {
		sum := 0.0
		for k := range x.Extent(1) {
			sum += float64(x.At(at.I, k) * y.At(k, at.J))
		}
		z.Set(at.I, at.J, sum)
	}
}

// means sets a row of z to the mean of that row of x, and to the mean of its squares.
//
//gokkos:kernel
func means(x, z views.View2[float64]) func(i int) {
	return func(i int) {
		sum, squares, m := 0.0, 0.0, x.Extent(1)
		for j := range m {
			v := x.At(i, j)
			sum += v
			squares += float64(v * v)
		}
		z.Set(i, 0, sum/float64(m))
		z.Set(i, 1, squares/float64(m))
	}
}

// busy computes for as long as it can with what it has read once: of each of eight numbers 64 products and sums.
//
//gokkos:kernel
func busy(a float64, x, z []float64) func(i int) {
	return func(i int) {
		b := x[i]
		c, d, e, f := b+1, b+2, b+3, b+4
		g, h, k := b+5, b+6, b+7
		for range 64 {
			b, c = float64(b*a)+.5, float64(c*a)+.5
			d, e = float64(d*a)+.5, float64(e*a)+.5
			f, g = float64(f*a)+.5, float64(g*a)+.5
			h, k = float64(h*a)+.5, float64(k*a)+.5
		}
		z[i] = b + c + d + e + f + g + h + k
	}
}

// BusyOperations is how many products and sums busy takes for an item.
const BusyOperations = 7 + 64*8*2 + 7
