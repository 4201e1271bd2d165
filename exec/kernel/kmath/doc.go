// Package kmath has the elementary functions with the same bits on every processor.
//
// Functions of package math may differ between processors: some have assembly of their own, and
// compilers round x*y + z once or twice. Those of this package are plain arithmetic in which every
// rounding is written down, so a kernel that calls them has the same results on every CPU, as a
// closure, compiled, and on a device.
//
// Every function takes and returns float32 or float64:
//
//	func decay(y, x []float64) func(i int) {
//		return func(i int) { y[i] += kmath.Exp(-x[i]) }
//	}
//
// # Errors
//
// In units of the last place of the result, over all of the range: at most 1; Pow, Tan, Tanh and
// Erf of float64 at most 2. docs/math.md has what was measured. Functions of float32 compute in
// float64 and round once more.
//
// # Special cases
//
// NaN, infinities, signed zeros and what lies outside of a function's domain give what the function of
// the same name in package math gives, payloads of NaNs excepted.
package kmath

import (
	"math"
	"unsafe"
)

// Float are the types that the functions take.
type Float interface{ ~float32 | ~float64 }

// is32 reports whether T has 32 bits. The compiler knows the answer. Functions that do not ask are not inlined: in a
// loop, the conversion of a float32, which leaves half of a register as it is, would wait for the call before.
func is32[T Float](x T) bool { return unsafe.Sizeof(x) == 4 }

// The nearest integer of a float64 below 2⁵¹ is in the low bits of its sum with roundingShift, and
// the sum less roundingShift is that integer as a float64.
const (
	roundingShift     = 0x1.8p52
	roundingShiftBits = 0x4338000000000000
)

// power2 returns 2ᵏ for -1022 <= k <= 1023.
func power2(k int64) float64 { return math.Float64frombits(uint64(k+1023) << 52) }

// scale returns x·2ᵏ, rounded once, for -2044 <= k <= 2046.
func scale(x float64, k int64) float64 {
	half := k >> 1
	return float64(float64(x*power2(half)) * power2(k-half))
}

// choose returns x if first, and y if not. Compilers choose between integers without a branch, and one that
// cannot be foreseen takes longer than most polynomials.
func choose(first bool, x, y float64) float64 {
	a, b := math.Float64bits(x), math.Float64bits(y)
	if first {
		b = a
	}
	return math.Float64frombits(b)
}

// negated returns -x for an odd k, and x for an even one.
func negated(x float64, k uint64) float64 { return math.Float64frombits(math.Float64bits(x) ^ k<<63) }

// isNegative reports whether x has a minus sign, be it that of a zero.
func isNegative(x float64) bool { return math.Float64bits(x)>>63 != 0 }

// Parts of constants: a constant is the sum of its parts.
const (
	ln2      = 0x1.62e42fefa39efp-1
	ln2Low   = 0x1.abc9e3b39803fp-56
	ln2High  = 0x1.62e42fee00000p-1 // 32 bits: its product with an exponent is exact
	ln2Rest  = 0x1.a39ef35793c76p-33
	log2e    = 0x1.71547652b82fep+0
	log2eLow = 0x1.777d0ffda0d24p-56
	halfPi1  = 0x1.921fb54442d18p+0
	halfPi2  = 0x1.1a62633145c07p-54
	halfPi3  = -0x1.f1976b7ed8fbcp-110
	twoByPi  = 0x1.45f306dc9c883p-1
	third    = 0x1.5555555555555p-2
	thirdLow = 0x1.5555555555555p-56
)
