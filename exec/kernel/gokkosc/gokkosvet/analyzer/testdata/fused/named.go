package fused

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

type pair struct{ a, b float64 }

// Products that have a name, are in a place, or come from a function are fused as others are.
func named(x, y, z []float64) error {
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		t := x[i] * x[i] // want `some processors round this product and the sum once`
		y[i] = t + 1
		var u float64
		u = x[i] * 3 // want `some processors round this product and the sum once`
		y[i] = 1 - u
		v := x[i]
		v *= x[i] // want `some processors round this product and the sum once`
		y[i] += v
		y[i] = x[i] * 3 // want `some processors round this product and the sum once`
		y[i] += 1
		p := pair{x[i] * 4, x[i]} // want `some processors round this product and the sum once`
		y[i] = p.a + p.b
		p.b = x[i] * 5 // want `some processors round this product and the sum once`
		y[i] = p.b + 2
		var a [2]float64
		a[0] = x[i] * 6 // want `some processors round this product and the sum once`
		y[i] = a[0] + 2
		q := t
		y[i] = q + 3
		double := func(z float64) float64 { return z * 3 } // want `some processors round this product and the sum once`
		y[i] = double(x[i]) + 1
		y[i] = square(x[i]) + 1
		y[i] = added(x[i]*7, 1) // want `some processors round this product and the sum once`
		r, s := both(x[i])
		y[i] = r + s
		y[i] = result(x[i]) + 1
		m := made(x[i])
		y[i] = m.b + 1
		y[i] = mixed(x[i], 5, 3)

		w := float64(x[i] * x[i])
		y[i] = w + 1
		y[i] = rounded(x[i]) + 1
		y[i] = t * 2
		y[i] = max(t, 0) + 1
		k := i * i
		z[k+1] = 3
	})
}

func square(x float64) float64 { return x * x } // want `some processors round this product and the sum once`

func added(a, b float64) float64 { return a + b }

func both(x float64) (float64, float64) {
	return x * x, x // want `some processors round this product and the sum once`
}

func result(x float64) (r float64) {
	r = x * x // want `some processors round this product and the sum once`
	return
}

func made(x float64) pair { return pair{b: x * x} } // want `some processors round this product and the sum once`

func mixed(x, y, z float64) float64 { return x*y + z } // want `some processors round this product and the sum once`

func rounded(x float64) float64 { return float64(x * x) }

func never(x float64) float64 { return x*x + 1 }
