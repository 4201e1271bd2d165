package kmath

import "math"

// Log returns the natural logarithm of x.
func Log[T Float](x T) T {
	if is32(x) {
		return T(log32(float64(x)))
	}
	return T(log(float64(x)))
}

func log(x float64) float64 {
	if !(x >= 0x1p-1022 && x <= math.MaxFloat64) {
		return logFar(x)
	}
	exponent, m := byExponent(x)
	return logOf(float64(exponent), m-1, 0)
}

// logFar returns the natural logarithm of any x.
func logFar(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return logEdge(x)
	}
	k, m := byPower2(x)
	return logOf(k, m-1, 0)
}

// logEdge returns the logarithm, to any base, of what is not a positive number.
func logEdge(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	}
	return x // NaN or +Inf
}

// byPower2 returns k and m, √½ <= m < √2, with x = m·2ᵏ, of a positive number x.
func byPower2(x float64) (k, m float64) {
	var shift int64
	if x < 0x1p-1022 {
		x, shift = normal(x), -1022
	}
	exponent, m := byExponent(x)
	return float64(exponent + shift), m
}

// normal returns x·2¹⁰²² of a positive number x below 2⁻¹⁰²², whose bits are those of 1 + x·2¹⁰²² behind the 1. A
// product would be slow.
func normal(x float64) float64 { return math.Float64frombits(math.Float64bits(x)|1023<<52) - 1 }

// byExponent is byPower2 of a normal number.
func byExponent(x float64) (k int64, m float64) {
	const root = 0x3fe6a09e667f3bcd // √½
	bits := int64(math.Float64bits(x))
	k = (bits - root) >> 52
	return k, math.Float64frombits(uint64(bits - k<<52))
}

// logOf returns k·ln(2) + ln(1+f) + c for √½ <= 1+f < √2 and a small c.
func logOf(k, f, c float64) float64 {
	s := f / (2 + f)
	half := float64(.5 * f * f)
	tail := math.FMA(s, half+logTail2(s), math.FMA(k, ln2Rest, c))
	return math.FMA(k, ln2High, -((half - tail) - f))
}

// logTail2 returns 2(atanh(s)-s)/s.
func logTail2(s float64) float64 {
	z := float64(s * s)
	z2 := float64(z * z)
	low := math.FMA(math.FMA(logT3, z, logT2), z2, math.FMA(logT1, z, logT0))
	high := math.FMA(logT6, z2, math.FMA(logT5, z, logT4))
	return float64(z * math.FMA(high, float64(z2*z2), low))
}

func log32(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return logEdge(x)
	}
	k, m := byExponent(x) // which no float32 is too small for
	return math.FMA(float64(k), ln2, logNear32(m-1))
}

// logNear32 returns ln(1+f) for √½ <= 1+f < √2, as exactly as float32 needs it.
func logNear32(f float64) float64 {
	s := f / (2 + f)
	z := float64(s * s)
	tail := math.FMA(math.FMA(math.FMA(logS3, z, logS2), z, logS1), z, logS0)
	return float64(s * math.FMA(z, tail, 2))
}

// Log2 returns the logarithm of x to the base of 2. It is exact for powers of 2.
func Log2[T Float](x T) T {
	if is32(x) {
		return T(log232(float64(x)))
	}
	return T(log2(float64(x)))
}

func log2(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return logEdge(x)
	}
	k, m := byPower2(x)
	f := m - 1
	s := f / (2 + f)
	half := float64(.5 * f * f)
	high := f - half
	low := (f - high) - half + float64(s*(half+logTail2(s)))
	p := float64(high * log2e)
	rest := math.FMA(high, log2e, -p) + math.FMA(high, log2eLow, float64(low*log2e))
	sum := k + p
	return sum + ((k - sum) + p + rest)
}

func log232(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return logEdge(x)
	}
	k, m := byExponent(x)
	return math.FMA(logNear32(m-1), log2e, float64(k))
}

// Log1p returns ln(1+x), exact for small x, too.
//
//go:noinline
func Log1p[T Float](x T) T { return T(log1p(float64(x))) }

func log1p(x float64) float64 {
	switch {
	case !(x > -1 && x <= math.MaxFloat64):
		return logEdge(1 + x)
	case math.Abs(x) < 0x1p-54:
		return x
	}
	u := 1 + x
	k, m := byPower2(u)
	back := u - 1
	f, c := m-1, ((1-(u-back))+(x-back))/u
	return logOf(k, choose(k == 0, x, f), choose(k == 0, 0, c))
}
