// Package kernels has functors over views, compiled for devices, for the tests of package cuda. The loops and the PTX
// are not in the tree: make kernels writes them to an overlay.
package kernels

import (
	"math"

	"github.com/gokkos/gokkos/exec/kernel/kmath"
	"github.com/gokkos/gokkos/views"
)

// triad sets z to x + a·y.
//
//gokkos:kernel
func triad(a float64, x, y, z views.View1[float64]) func(i int) {
	return func(i int) { z.Set(i, x.At(i)+float64(a*y.At(i))) }
}

// axpy adds a·x to y.
//
//gokkos:kernel
func axpy(a float64, x, y views.View1[float64]) func(i int) {
	return func(i int) { y.Set(i, y.At(i)+float64(a*x.At(i))) }
}

// nothing does nothing.
//
//gokkos:kernel
func nothing() func(i int) { return func(int) {} }

// dot is Σ x[i]·y[i].
//
//gokkos:kernel
func dot(x, y views.View1[float64]) func(i int, acc *float64) {
	return func(i int, acc *float64) { *acc += float64(x.At(i) * y.At(i)) }
}

// sum32 is Σ x[i], of float32.
//
//gokkos:kernel
func sum32(x views.View1[float32]) func(i int, acc *float32) {
	return func(i int, acc *float32) { *acc += x.At(i) }
}

// product multiplies hashes of the indices, as integers of 32 bits.
//
//gokkos:kernel
func product(seed int32) func(i int, acc *int32) {
	return func(i int, acc *int32) { *acc *= 2*(int32(i)^seed) + 1 }
}

// extremes finds the least and the greatest, and adds up.
//
//gokkos:kernel
func extremes(x views.View1[float64]) func(i int, least, most, sum *float64) {
	return func(i int, least, most, sum *float64) {
		v := x.At(i)
		*least = min(*least, v)
		*most = max(*most, v)
		*sum += v
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

// option sets the price of a call option of Black and Scholes.
//
//gokkos:kernel
func option(price, strike, years views.View1[float64], rate, volatility float64, call views.View1[float64]) func(i int) {
	return func(i int) {
		s, k, t := price.At(i), strike.At(i), years.At(i)
		root := math.Sqrt(t)
		d1 := (kmath.Log(s/k) + float64((rate+float64(0.5*volatility*volatility))*t)) / float64(volatility*root)
		d2 := d1 - float64(volatility*root)
		n1 := 1 / (1 + kmath.Exp(-1.702*d1))
		n2 := 1 / (1 + kmath.Exp(-1.702*d2))
		call.Set(i, float64(s*n1)-float64(float64(k*kmath.Exp(-rate*t))*n2))
	}
}

// mandel counts the iterations of points in a row of the complex plane.
//
//gokkos:kernel
func mandel(re, step float64, im float64, most int, counts views.View1[int32]) func(i int) {
	return func(i int) {
		c := re + float64(float64(i)*step)
		x, y := 0.0, 0.0
		n := 0
		for n < most && float64(x*x)+float64(y*y) < 4 {
			x, y = float64(x*x)-float64(y*y)+c, float64(2*float64(x*y))+im
			n++
		}
		counts.Set(i, int32(n))
	}
}

// inside counts points of a quarter of a circle, by a hash of the index.
//
//gokkos:kernel
func inside(seed uint64) func(i int, acc *int64) {
	return func(i int, acc *int64) {
		z := seed + uint64(i)*0x9e3779b97f4a7c15
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
		z = (z ^ (z >> 27)) * 0x94d049bb133111eb
		z ^= z >> 31
		x, y := float64(z>>32)/(1<<32), float64(z&0xffffffff)/(1<<32)
		if float64(x*x)+float64(y*y) < 1 {
			*acc++
		}
	}
}

// bodies sets the accelerations of bodies of masses m at x, y, z: each is drawn by all.
//
//gokkos:kernel
func bodies(x, y, z, m, ax, ay, az views.View1[float64]) func(i int) {
	return func(i int) {
		sx, sy, sz := 0.0, 0.0, 0.0
		for j := range m.Extent(0) {
			dx, dy, dz := x.At(j)-x.At(i), y.At(j)-y.At(i), z.At(j)-z.At(i)
			r2 := float64(dx*dx) + float64(dy*dy) + float64(dz*dz) + 1e-6
			w := m.At(j) / float64(r2*math.Sqrt(r2))
			sx += float64(dx * w)
			sy += float64(dy * w)
			sz += float64(dz * w)
		}
		ax.Set(i, sx)
		ay.Set(i, sy)
		az.Set(i, sz)
	}
}
