package compiled

import (
	"math"

	"github.com/gokkos/gokkos/exec/kernel/kmath"
	"github.com/gokkos/gokkos/views/random"
)

// These are what programs compute.

// Market is what all options have in common.
type Market struct{ Strike, Rate, Volatility float64 }

// phi is the normal distribution function, with an error below 7.5e-8.
//
// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17.
func phi(x float64) float64 {
	t := 1 / (1 + float64(.2316419*math.Abs(x)))
	p := float64((float64((float64((float64((float64(1.330274429*t)-1.821255978)*t)+1.781477937)*t)-.356563782)*t) + .319381530) * t)
	tail := float64(float64(.3989422804014327*kmath.Exp(-float64(.5*float64(x*x)))) * p)
	if x < 0 {
		return tail
	}
	return 1 - tail
}

// Call is the price of a European call option by Black and Scholes.
func (m Market) Call(spot, years float64) float64 {
	s := float64(m.Volatility * math.Sqrt(years))
	drift := m.Rate + float64(.5*float64(m.Volatility*m.Volatility))
	d := (kmath.Log(spot/m.Strike) + float64(drift*years)) / s
	return float64(spot*phi(d)) - float64(float64(m.Strike*kmath.Exp(-float64(m.Rate*years)))*phi(d-s))
}

// options sets z to the prices of options on stocks at 100·(1+x) for 1.5+y years.
//
//gokkos:kernel
func options(m Market, x, y, z []float64) func(i int) {
	return func(i int) { z[i] = m.Call(float64(100*x[i])+100, y[i]+1.5) }
}

// Softening is added to the squares of distances of bodies.
const Softening = 1e-3

// Pull adds to a the attraction of a body at a distance d.
func Pull(mass, dx, dy, dz, ax, ay, az float64) (x, y, z float64) {
	r2 := float64(dx*dx) + float64(dy*dy) + float64(dz*dz) + Softening
	w := mass / float64(r2*math.Sqrt(r2))
	return ax + float64(w*dx), ay + float64(w*dy), az + float64(w*dz)
}

// attraction sets a to the accelerations of bodies at (x, y, z) by one another, those along x first, then those along y
// and z.
//
//gokkos:kernel
func attraction(mass, x, y, z, a []float64) func(i int) {
	n := len(mass)
	return func(i int) {
		px, py, pz := x[i], y[i], z[i]
		ax, ay, az := 0.0, 0.0, 0.0
		for k := range mass {
			ax, ay, az = Pull(mass[k], x[k]-px, y[k]-py, z[k]-pz, ax, ay, az)
		}
		a[i], a[n+i], a[2*n+i] = ax, ay, az
	}
}

// Cutoff is the square of the distance from which on atoms have no force on each other.
const Cutoff = 3.2

// Push adds to f the force of Lennard and Jones of an atom at a distance d that is nearer than the cutoff.
func Push(dx, dy, dz, fx, fy, fz float64) (x, y, z float64) {
	r2 := float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
	if r2 >= Cutoff {
		return fx, fy, fz
	}
	s := 1 / r2
	s3 := float64(float64(s*s) * s)
	w := float64(float64(float64(24*s)*s3) * (float64(2*s3) - 1))
	return fx + float64(w*dx), fy + float64(w*dy), fz + float64(w*dz)
}

// forces sets f to the forces on atoms at (x, y, z), those along x first, then those along y and z. The neighbours of atom i are
// list[first[i]:first[i+1]].
//
//gokkos:kernel
func forces(first, list []int32, x, y, z, f []float64) func(i int) {
	n := len(x)
	return func(i int) {
		px, py, pz := x[i], y[i], z[i]
		fx, fy, fz := 0.0, 0.0, 0.0
		for k := first[i]; k < first[i+1]; k++ {
			j := list[k]
			fx, fy, fz = Push(px-x[j], py-y[j], pz-z[j], fx, fy, fz)
		}
		f[i], f[n+i], f[2*n+i] = fx, fy, fz
	}
}

// inside counts the points of a square that are in the circle, two for each item: π/4 of them.
//
//gokkos:kernel
func inside(pool random.Pool) func(i int, n *int) {
	return func(i int, n *int) {
		g := pool.At(i)
		for range 2 {
			x, y := g.Float64(), g.Float64()
			if float64(x*x)+float64(y*y) < 1 {
				*n++
			}
		}
	}
}
