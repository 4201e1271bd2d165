package kernels

import "github.com/gokkos/gokkos/views/random"

// These kernels draw random numbers.

// inside counts the points of a square that are in the circle: π/4 of them.
//
//gokkos:kernel
func inside(pool random.Pool) func(i int, n *int) {
	return func(i int, n *int) {
		g := pool.At(i)
		for range 5 {
			x, y := g.Float64(), g.Float64()
			if float64(x*x)+float64(y*y) < 1 {
				*n++
			}
		}
	}
}

// mass is Σ x·u of random numbers u: its body is long, with a loop in it.
//
//gokkos:kernel
func mass(pool random.Pool, x []float64) func(i int, acc *float64) {
	return func(i int, acc *float64) {
		g := pool.At(i)
		*acc += float64(x[i] * g.Float64())
	}
}

// A walker draws from a pool that is a part of it.
type walker struct {
	pool  random.Pool
	steps int
	sides int
}

// walk is where a random walk ends, and its last die.
//
//gokkos:kernel
func walk(w walker, x []float32, die []int) func(i int) {
	return func(i int) {
		g := w.pool.At(i * 3)
		s := float32(0)
		for k := 0; k < w.steps; k++ {
			if u := g.Uint32(); u&1 == 0 {
				s += g.Float32()
			} else {
				s -= float32(float32(u>>8) * 0x1p-24)
			}
		}
		face := -1
		if w.sides > 0 {
			face = g.IntN(w.sides)
		}
		x[i], die[i] = s, face
	}
}

// bell draws of the normal and of the exponential distribution.
//
//gokkos:kernel
func bell(pool random.Pool, mean float64, x, y []float64) func(i int) {
	return func(i int) {
		g := pool.At(i)
		z := g.Normal()
		x[i], y[i] = mean+z, float64(mean*g.Exp())
	}
}
