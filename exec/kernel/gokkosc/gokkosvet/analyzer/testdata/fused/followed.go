package fused

import (
	"math"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

type holder struct {
	pair
	inner *pair
}

func (p pair) sum() float64 { return p.a + p.b }

func (p *pair) add(z float64) { p.a += z }

func (p *pair) square(x float64) { p.a = x * x } // want `some processors round this product and the sum once`

func sumOf(p pair) float64 { return p.a + p.b }

func total(v ...float64) float64 { return v[0] + v[1] }

func apply(f func(float64) float64, x float64) float64 { return f(x) }

func cubed(x float64) float64 { return x * x * x } // want `some processors round this product and the sum once`

//go:noinline
func far(a float64) float64 { return a + 1 }

func pick(x float64) float64 {
	if x > 1 {
		return x * x
	}
	return x
}

var global float64

// A product is fused where the compiler sees that it is the only thing that comes to the sum.
func followed(x, y []float64, pp *pair) error {
	return exec.ParallelFor(policy.Range(0, 9).On(exec.Serial{}), func(i int) {
		y[i] = pair{x[i] * x[i], 1}.sum()    // want `some processors round this product and the sum once`
		y[i] = sumOf(pair{x[i] * x[i], 1})   // want `some processors round this product and the sum once`
		y[i] = (&pair{x[i] * x[i], 1}).sum() // want `some processors round this product and the sum once`
		a := [2]float64{x[i] * x[i], 1}      // want `some processors round this product and the sum once`
		y[i] = a[0] + a[1]
		q := pair{1, x[i] * x[i]} // want `some processors round this product and the sum once`
		y[i] = q.sum()
		r := pair{x[i] * x[i], 1} // want `some processors round this product and the sum once`
		r.add(1)
		s := pair{1, x[i] * x[i]} // want `some processors round this product and the sum once`
		z := s
		y[i] = z.b + 1
		t := x[i] * x[i] // want `some processors round this product and the sum once`
		t++
		u := x[i] * 3 // want `some processors round this product and the sum once`
		u--
		v := x[i] * 5 // want `some processors round this product and the sum once`
		p := &v
		y[i] = *p + 1
		*p = x[i] * 7 // want `some processors round this product and the sum once`
		y[i] = v + 1
		b, c := x[i]*9, 1.0 // want `some processors round this product and the sum once`
		b, c = c, b
		y[i] = c + 1
		_ = b
		h := holder{pair: pair{x[i] * 3, 1}} // want `some processors round this product and the sum once`
		y[i] = h.sum()
		h.square(x[i])
		y[i] = h.a + 1
		y[i] = total(x[i]*x[i], 1) // want `some processors round this product and the sum once`
		y[i] = apply(cubed, x[i]) + 1
		global = x[i] * x[i] // want `some processors round this product and the sum once`
		y[i] = global + 1
		pp.a = x[i] * 3 // want `some processors round this product and the sum once`
		pp.b = 3
		y[i] = pp.a + 1
	})
}

func alike(x, y []float64) error {
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		for {
			t := x[i] * x[i] // want `some processors round this product and the sum once`
			if t > 3 {
				y[i] = t + 1
				break
			}
		}
		var d any = x[i] * x[i] // want `some processors round this product and the sum once`
		y[i] = d.(float64) + 1
		y[i] = x[i]/4 + 1    // want `some processors round this product and the sum once`
		y[i] = x[i]*x[i] + 1 // want `some processors round this product and the sum once`
		w := x[i] * x[i]     // want `some processors round this product and the sum once`
		for k := range y {
			y[i*len(y)+k] += w
		}
		y[i] = x[i] * x[i] // want `some processors round this product and the sum once`
		y[i] += math.Sqrt(x[i])
		ps := []*pair{{a: x[i] * 3}} // want `some processors round this product and the sum once`
		y[i] = ps[0].a + 1
		goto end
	end:
		f := x[i] * y[i] // want `some processors round this product and the sum once`
		y[i] = f + 1
		defer func() {
			e := x[i] * 3 // want `some processors round this product and the sum once`
			y[i] = e + 1
		}()
		func() {
			e := x[i] * 3 // want `some processors round this product and the sum once`
			y[i] = e + 1
		}()
	})
}

// Several things come to these sums, or nothing is left of the product.
func apart(x, y, z []float64) error {
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		r := x[i] * x[i]
		other := func() { r = 0 }
		println()
		y[i] = r + 1
		other()
		negated := x[i] * x[i]
		if x[i] > 3 {
			negated = -negated
		}
		y[i] = negated + 1
		p := 1.0
		for range 4 {
			p *= x[i]
		}
		y[i] = p + 1
		t := 0.0
		if i > 3 {
			t = x[i] * 2.5
		}
		y[i] = t + 1
		u := 1.0
		for k := range x {
			u = x[k] * y[k]
			if u > 3 {
				break
			}
		}
		y[i] = u + 1
		v := x[i] * x[i]
		switch {
		case x[i] > 3:
			v = 1
		}
		y[i] = v + 1
		y[i] = pick(x[i]) + 1
		y[i] = far(x[i] * x[i])
		y[i] = x[i] * x[i]
		z[i] = 3
		y[i] += 1
		y[i] = x[i] * x[i]
		println()
		y[i] += 1
		y[i] = x[i] * x[i]
		if x[i] > 2 {
			y[i+1] = 3
		}
		y[i] += 1
		y[i] = x[i] * x[i]
		i++
		y[i] += 1
		y[i] = 2*x[i] + y[i]
		y[i] = -x[i] + x[i]*-1
		y[i] = max(x[i]*x[i], 1) + 2
		w := x[i] * x[i]
		y[i] = float64(w) + 1
		n := float64(w)
		y[i] = n + 1
		a := [2]float64{x[i] * x[i], 1}
		s := 0.0
		for _, e := range a {
			s += e
		}
		y[i] = s
	})
}

func complexes(x, y []complex128, s []complex64) error {
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		y[i] = x[i] * x[i] // want `some processors round the products of this complex product`
		y[i] = x[i] * 3i
		s[i] = s[i] * s[i]
	})
}
