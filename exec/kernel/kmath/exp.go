package kmath

import "math"

// Exp returns eˣ.
func Exp[T Float](x T) T {
	if is32(x) {
		return T(exp32(float64(x)))
	}
	return T(exp(float64(x)))
}

func exp(x float64) float64 {
	if !(math.Abs(x) < 708) {
		return expFar(x)
	}
	k, r, rest := byLn2(x)
	y := 1 + (r + math.FMA(float64(r*r), expTail(r), rest))
	return math.Float64frombits(math.Float64bits(y) + uint64(k)<<52) // y·2ᵏ, which is exact: |k| <= 1021 and ½ < y < 2
}

// expFar returns eˣ of any x, which may be no normal number.
func expFar(x float64) float64 {
	if x > 710 {
		x = 710 // overflows, as more does
	} else if x < -746 {
		x = -746 // is 0, as less is
	}
	k, r, rest := byLn2(x)
	return scale(1+(r+math.FMA(float64(r*r), expTail(r), rest)), k)
}

func exp32(x float64) float64 {
	if x > 90 {
		x = 90
	} else if x < -105 {
		x = -105
	}
	k, r, _ := byLn2(x)
	return power2of32(expNear32(r), k)
}

// power2of32 returns x·2ᵏ for k that exponents of float32 have.
func power2of32(x float64, k int64) float64 { return float64(x * power2(k)) }

// byLn2 returns k and r + rest = x - k·ln(2), the nearest to 0.
func byLn2(x float64) (k int64, r, rest float64) {
	t := math.FMA(x, log2e, roundingShift)
	k = int64(math.Float64bits(t)) - roundingShiftBits
	n := t - roundingShift
	high := math.FMA(-n, ln2High, x)
	r = math.FMA(-n, ln2Rest, high)
	return k, r, math.FMA(-n, ln2Rest, high-r)
}

// expTail returns (eʳ-1-r)/r² for |r| <= ln(2)/2.
func expTail(r float64) float64 {
	r2 := float64(r * r)
	r4 := float64(r2 * r2)
	low := math.FMA(math.FMA(expT3, r, expT2), r2, math.FMA(expT1, r, expT0))
	high := math.FMA(math.FMA(expT7, r, expT6), r2, math.FMA(expT5, r, expT4))
	return math.FMA(math.FMA(math.FMA(expT10, r2, math.FMA(expT9, r, expT8)), r4, high), r4, low)
}

// expm1Tail returns (eʳ-1-r-r²/2)/r³ for |r| <= ln(2)/2.
func expm1Tail(r, r2 float64) float64 {
	r4 := float64(r2 * r2)
	low := math.FMA(math.FMA(expT4, r, expT3), r2, math.FMA(expT2, r, expT1))
	high := math.FMA(math.FMA(expT8, r, expT7), r2, math.FMA(expT6, r, expT5))
	return math.FMA(math.FMA(math.FMA(expT10, r, expT9), r4, high), r4, low)
}

// expNear32 returns eʳ for |r| <= ln(2)/2, as exactly as float32 needs it.
func expNear32(r float64) float64 {
	r2 := float64(r * r)
	tail := math.FMA(math.FMA(math.FMA(expS5, r, expS4), r2, math.FMA(expS3, r, expS2)), r2, math.FMA(expS1, r, expS0))
	return 1 + math.FMA(tail, r2, r)
}

// Exp2 returns 2ˣ.
func Exp2[T Float](x T) T {
	if is32(x) {
		return T(exp232(float64(x)))
	}
	return T(exp2(float64(x), 0))
}

// exp2 returns 2 to the power of x + rest, where |rest| is a few ulps of x at most: far out, that is
// much.
func exp2(x, rest float64) float64 {
	if x > 1025 {
		x, rest = 1025, 0
	} else if x < -1080 {
		x, rest = -1080, 0
	}
	t := x + roundingShift
	k := int64(math.Float64bits(t)) - roundingShiftBits
	exact := x - (t - roundingShift)
	f := exact + rest
	rest = (exact - f) + rest
	r := float64(f * ln2)
	low := math.FMA(f, ln2, -r) + math.FMA(f, ln2Low, float64(rest*ln2))
	return scale(1+(r+math.FMA(float64(r*r), expTail(r), low)), k)
}

func exp232(x float64) float64 {
	if x > 130 {
		x = 130
	} else if x < -151 {
		x = -151
	}
	t := x + roundingShift
	k := int64(math.Float64bits(t)) - roundingShiftBits
	return power2of32(expNear32(float64((x-(t-roundingShift))*ln2)), k)
}

// Expm1 returns eˣ - 1, exact for small x, too.
//
//go:noinline
func Expm1[T Float](x T) T { return T(expm1(float64(x))) }

func expm1(x float64) float64 {
	switch {
	case x < -40:
		return -1 // to which the sum rounds
	case x > 710:
		return math.Inf(1)
	case math.Abs(x) < 0x1p-54:
		return x
	}
	return expm1Between(x)
}

// expm1Between returns eˣ - 1 for 2⁻⁵⁴ <= |x|, -40 <= x and x <= 710.
func expm1Between(x float64) float64 {
	// eʳ⁺ʳᵉˢᵗ-1 as a sum
	k, r, rest := byLn2(x)
	r2 := float64(r * r)
	tail := math.FMA(float64(r2*r), expm1Tail(r, r2), math.FMA(.5, math.FMA(r, r, -r2), rest))
	square := float64(.5 * r2)
	sum := square + tail
	e := r + sum
	tail = (r - e) + sum + ((square - sum) + tail)

	// and that times 2ᵏ, plus 2ᵏ-1: by halves, as 2ᵏ may be too large
	half := power2(k - 1)
	e, tail = float64(half*e), float64(half*tail)
	early := choose(k > 40, 0, .5) // beyond, half - .5 may round, and tail is what loses it
	less := half - early
	sum = less + e
	return float64(2 * (sum + ((less - sum) + e + (tail - (.5 - early)))))
}

// Tanh returns the hyperbolic tangent of x.
//
//go:noinline
func Tanh[T Float](x T) T { return T(tanh(float64(x))) }

func tanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28:
		return x
	case a > 22:
		return math.Copysign(1, x)
	}
	// (e²ᵃ-1) / (e²ᵃ+1), and what rounding the sum and the quotient loses.
	e := expm1Between(2 * a)
	d := e + 2
	inverse := 1 / d
	t := float64(e * inverse)
	t += float64(math.FMA(-t, e-(d-2), math.FMA(-t, d, e)) * inverse)
	return math.Copysign(t, x)
}
