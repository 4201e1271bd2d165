package kernels

import (
	"math"

	"github.com/gokkos/gokkos/exec/kernel/kmath"
)

// exponentials sets y to functions of x by exponentials.
//
//gokkos:kernel
func exponentials(x, y []float64) func(i int) {
	return func(i int) {
		y[i] = kmath.Exp(x[i]) + kmath.Exp2(x[i]) + kmath.Tanh(x[i])
		if x[i] < 1 {
			y[i] = kmath.Expm1(x[i])
		}
	}
}

// logarithms sets y to functions of x by logarithms.
//
//gokkos:kernel
func logarithms(x, y []float64) func(i int) {
	return func(i int) {
		y[i] = kmath.Log(x[i]) + kmath.Log2(x[i])
		if x[i] < 0 {
			y[i] = kmath.Log1p(x[i])
		}
	}
}

// powers sets z to x to the power of y.
//
//gokkos:kernel
func powers(x, y, z []float64) func(i int) {
	return func(i int) { z[i] = kmath.Pow(x[i], y[i]) }
}

// angles sets z to the angle of (x, y).
//
//gokkos:kernel
func angles(x, y, z []float64) func(i int) {
	return func(i int) { z[i] = kmath.Atan2(y[i], x[i]) + kmath.Atan(x[i]) }
}

// edges sets z to lengths by roots.
//
//gokkos:kernel
func edges(x, y, z []float64) func(i int) {
	return func(i int) { z[i] = kmath.Hypot(x[i], y[i]) + kmath.Cbrt(y[i]) }
}

// singly sets y to functions of x, in numbers of 32 bits.
//
//gokkos:kernel
func singly(x, y []float32) func(i int) {
	return func(i int) {
		y[i] = kmath.Exp(x[i]) + kmath.Log(x[i]) + kmath.Atan(x[i]) + kmath.Hypot(x[i], y[i])
	}
}

// decay sets y to e⁻ˣ.
//
//gokkos:kernel
func decay(x, y []float64) func(i int) {
	return func(i int) { y[i] = kmath.Exp(-x[i]) }
}

// entropy sets y to -x·ln(x).
//
//gokkos:kernel
func entropy(x, y []float64) func(i int) {
	return func(i int) { y[i] = -x[i] * kmath.Log(x[i]) }
}

// waves sets y to functions of the angle x. Items with angles beyond 2²⁰ run as the closure.
//
//gokkos:kernel
func waves(x, y []float64) func(i int) {
	return func(i int) {
		s, c := kmath.Sincos(x[i])
		y[i] = s + float64(2*c) + kmath.Tan(x[i]) + float64(kmath.Sin(x[i])*kmath.Cos(x[i]))
	}
}

// ripples sets y to functions of the angle x, in numbers of 32 bits.
//
//gokkos:kernel
func ripples(x, y []float32) func(i int) {
	return func(i int) { y[i] = kmath.Sin(x[i]) + kmath.Cos(x[i]) + kmath.Tan(x[i]) }
}

// errors sets y to the error function of x.
//
//gokkos:kernel
func errors(x, y []float64) func(i int) {
	return func(i int) { y[i] = kmath.Erf(x[i]) }
}

// errorsSingly sets y to the error function of x, in numbers of 32 bits.
//
//gokkos:kernel
func errorsSingly(x, y []float32) func(i int) {
	return func(i int) { y[i] = kmath.Erf(x[i]) }
}

// bitsOfExtremes sets z to the bits of the larger and the smaller one of two numbers, whatever bits a NaN has.
//
//gokkos:kernel
func bitsOfExtremes(x, y []float64, z []uint64) func(i int) {
	return func(i int) {
		z[4*i], z[4*i+1] = math.Float64bits(max(x[i], y[i])), math.Float64bits(min(x[i], y[i]))
		z[4*i+2], z[4*i+3] = math.Float64bits(max(y[i], -0.5, x[i])), math.Float64bits(min(0, x[i], y[i]))
		if math.Signbit(max(x[i], 0)) {
			z[4*i] ^= 1
		}
	}
}

// bitsOfExtremesSingly is bitsOfExtremes of numbers of 32 bits.
//
//gokkos:kernel
func bitsOfExtremesSingly(x, y []float32, z []uint32) func(i int) {
	return func(i int) {
		z[4*i], z[4*i+1] = math.Float32bits(max(x[i], y[i])), math.Float32bits(min(x[i], y[i]))
		z[4*i+2], z[4*i+3] = math.Float32bits(max(y[i], -0.5, x[i])), math.Float32bits(min(0, x[i], y[i]))
	}
}
