//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"math"
	"math/rand/v2"
)

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
	runs["bitsOfExtremes"] = func(r *rand.Rand, n int) run {
		x, y, z := nans(r, n), nans(r, n), make([]uint64, 4*n)
		return run{bitsOfExtremes(x, y, z), BitsOfExtremes(x, y, z), []any{z}}
	}
	runs["bitsOfExtremesSingly"] = func(r *rand.Rand, n int) run {
		x, y, z := make([]float32, n), make([]float32, n), make([]uint32, 4*n)
		for i := range x {
			for _, at := range []*float32{&x[i], &y[i]} {
				if *at = r.Float32() - 0.5; r.IntN(2) == 0 {
					*at = math.Float32frombits(uint32(r.IntN(2))<<31 | 0xff<<23 | uint32(r.IntN(4))<<21 | uint32(r.IntN(4)))
				}
			}
		}
		return run{bitsOfExtremesSingly(x, y, z), BitsOfExtremesSingly(x, y, z), []any{z}}
	}
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

// nans are numbers, and NaNs and infinities: with signs, payloads, and such that signal.
func nans(r *rand.Rand, n int) []float64 {
	x := floats(r, n)
	for i := range x {
		if r.IntN(2) == 0 {
			x[i] = math.Float64frombits(uint64(r.IntN(2))<<63 | 0x7ff<<52 | uint64(r.IntN(4))<<50 | uint64(r.IntN(4))<<31)
		}
	}
	return x
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
