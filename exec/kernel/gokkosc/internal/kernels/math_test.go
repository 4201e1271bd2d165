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
	runs["waves"] = of(waves, Waves)
	runs["powers"] = ofTwo(powers, Powers)
	runs["angles"] = ofTwo(angles, Angles)
	runs["edges"] = ofTwo(edges, Edges)
	for name, f := range map[string][2]func(x, y []float32) func(int){"singly": {singly, Singly}, "ripples": {ripples, Ripples}} {
		runs[name] = func(r *rand.Rand, n int) run {
			x, y := singles(r, n), singles(r, n)
			return run{f[0](x, y), f[1](x, y), []any{y}}
		}
	}
}
