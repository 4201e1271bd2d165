//go:build !386 && !arm && !mips && !mipsle

package kernels

import "math/rand/v2"

// Functions of package kmath have the bits of the closure in vectors, too.
func init() {
	of := func(closure, compiled func(x, y []float64) func(int)) func(r *rand.Rand, n int) run {
		return func(r *rand.Rand, n int) run {
			x, y := floats(r, n), floats(r, n)
			return run{closure(x, y), compiled(x, y), []any{y}}
		}
	}
	ofTwo := func(closure, compiled func(x, y, z []float64) func(int)) func(r *rand.Rand, n int) run {
		return func(r *rand.Rand, n int) run {
			x, y, z := floats(r, n), floats(r, n), floats(r, n)
			return run{closure(x, y, z), compiled(x, y, z), []any{z}}
		}
	}
	runs["exponentials"] = of(exponentials, Exponentials)
	runs["logarithms"] = of(logarithms, Logarithms)
	runs["decay"] = of(decay, Decay)
	runs["entropy"] = of(entropy, Entropy)
	runs["waves"] = func(r *rand.Rand, n int) run {
		x, y := turns(r, n), floats(r, n)
		return run{waves(x, y), Waves(x, y), []any{y}}
	}
	runs["powers"] = ofTwo(powers, Powers)
	runs["angles"] = ofTwo(angles, Angles)
	runs["edges"] = ofTwo(edges, Edges)
	runs["singly"] = func(r *rand.Rand, n int) run {
		x, y := singles(r, n), singles(r, n)
		return run{singly(x, y), Singly(x, y), []any{y}}
	}
	runs["errors"] = func(r *rand.Rand, n int) run {
		x, y := nearZero(r, n), floats(r, n)
		return run{errors(x, y), Errors(x, y), []any{y}}
	}
	runs["errorsSingly"] = func(r *rand.Rand, n int) run {
		x, y := make([]float32, n), singles(r, n)
		for i, v := range nearZero(r, n) {
			x[i] = float32(v)
		}
		return run{errorsSingly(x, y), ErrorsSingly(x, y), []any{y}}
	}
	runs["ripples"] = func(r *rand.Rand, n int) run {
		x, y := make([]float32, n), singles(r, n)
		for i, v := range turns(r, n) {
			x[i] = float32(v)
		}
		return run{ripples(x, y), Ripples(x, y), []any{y}}
	}
}

// nearZero are numbers, most of them where the error function is neither 1 nor -1.
func nearZero(r *rand.Rand, n int) []float64 {
	x := floats(r, n)
	for i := range x {
		if r.IntN(8) > 0 {
			x[i] = 14*r.Float64() - 7
		}
	}
	return x
}

// turns are angles, most of them small enough for loops, as the first ones are.
func turns(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1000 * r.NormFloat64()
		if i > 24 && r.IntN(20) == 0 {
			x[i] = float(r)
		}
	}
	return x
}
