package kmath

import "math"

// Sin returns the sine of x radians.
func Sin[T Float](x T) T {
	if is32(x) {
		return T(sin32(float64(x)))
	}
	return T(sin(float64(x)))
}

// Cos returns the cosine of x radians.
func Cos[T Float](x T) T {
	if is32(x) {
		return T(cos32(float64(x)))
	}
	return T(cos(float64(x)))
}

// Sincos returns Sin(x) and Cos(x).
func Sincos[T Float](x T) (sine, cosine T) {
	if is32(x) {
		s, c := sincos32(float64(x))
		return T(s), T(c)
	}
	s, c := sincos(float64(x))
	return T(s), T(c)
}

// Tan returns the tangent of x radians.
func Tan[T Float](x T) T {
	if is32(x) {
		return T(tan32(float64(x)))
	}
	return T(tan(float64(x)))
}

func sin(x float64) float64 {
	s := sinPast(x, 0)
	if math.Abs(x) < 0x1p-27 { // at the end, where vectors choose and need no mask
		return x
	}
	return s
}

func cos(x float64) float64 { return sinPast(x, 1) }

// sinPast returns sin(x + quarters·π/2).
func sinPast(x float64, quarters uint64) float64 {
	var k uint64
	var r, rest float64
	if math.Abs(x) <= near {
		k, r, rest = byHalfPi(x)
	} else {
		k, r, rest = farByHalfPi(x)
	}
	k += quarters
	high, low := 0.0, 0.0
	if k&1 == 0 {
		high, low = sinNear(r, rest)
	} else {
		high, low = cosNear(r, rest)
	}
	return negated(high+low, k>>1)
}

func sincos(x float64) (sine, cosine float64) {
	if math.Abs(x) < 0x1p-27 {
		return x, 1
	}
	var k uint64
	var r, rest float64
	if math.Abs(x) <= near {
		k, r, rest = byHalfPi(x)
	} else {
		k, r, rest = farByHalfPi(x)
	}
	high, low := sinNear(r, rest)
	s := high + low
	high, low = cosNear(r, rest)
	c := high + low
	odd := k&1 != 0
	return negated(choose(odd, c, s), k>>1), negated(choose(odd, s, c), k>>1^k)
}

func tan(x float64) float64 {
	if math.Abs(x) < 0x1p-27 {
		return x
	}
	var k uint64
	var r, rest float64
	if math.Abs(x) <= near {
		k, r, rest = byHalfPi(x)
	} else {
		k, r, rest = farByHalfPi(x)
	}
	sHigh, sLow := sinNear(r, rest)
	cHigh, cLow := cosNear(r, rest)
	num, numRest := sHigh+sLow, (sHigh-(sHigh+sLow))+sLow
	den, denRest := cHigh+cLow, (cHigh-(cHigh+cLow))+cLow
	if k&1 != 0 {
		num, numRest, den, denRest = -den, -denRest, num, numRest
	}
	inverse := 1 / den
	t := float64(num * inverse)
	return t + float64((math.FMA(-t, den, num)+math.FMA(-t, denRest, numRest))*inverse)
}

// sinNear returns sin(r+rest) for |r| <= π/4 as a sum.
func sinNear(r, rest float64) (high, low float64) {
	z := float64(r * r)
	z2 := float64(z * z)
	first := math.FMA(math.FMA(sinT3, z, sinT2), z2, math.FMA(sinT1, z, sinT0))
	tail := math.FMA(math.FMA(sinT6, z2, math.FMA(sinT5, z, sinT4)), float64(z2*z2), first)
	return r, math.FMA(float64(r*z), tail, math.FMA(-.5*z, rest, rest))
}

// cosNear returns cos(r+rest) for |r| <= π/4 as a sum.
func cosNear(r, rest float64) (high, low float64) {
	z := float64(r * r)
	z2 := float64(z * z)
	tail := math.FMA(math.FMA(math.FMA(cosT5, z, cosT4), z2, math.FMA(cosT3, z, cosT2)), z2, math.FMA(cosT1, z, cosT0))
	half := float64(.5 * z)
	w := 1 - half
	return w, (1 - w) - half + math.FMA(z2, tail, -float64(r*rest))
}

// near is up to where byHalfPi is right. Beyond, it is farByHalfPi.
const near = 0x1p20

// byHalfPi returns k and r + rest = x - k·π/2, the nearest to 0. Of k, the lowest two bits count.
func byHalfPi(x float64) (k uint64, r, rest float64) {
	t := math.FMA(x, twoByPi, roundingShift)
	n := roundingShift - t
	first := math.FMA(n, halfPi1, x) // exact: a multiple of 2⁻⁵³ below 1
	second := math.FMA(n, halfPi2, first)
	third := math.FMA(n, halfPi3, math.FMA(n, halfPi2, first-second))
	r = second + third
	return math.Float64bits(t), r, (second - r) + third
}

func sin32(x float64) float64 {
	if math.Abs(x) < 0x1p-27 {
		return x
	}
	k, r := byHalfPi32(x)
	return quarter32(k, r)
}

func cos32(x float64) float64 {
	k, r := byHalfPi32(x)
	return quarter32(k+1, r)
}

func quarter32(k uint64, r float64) float64 {
	y := 0.0
	if k&1 == 0 {
		y = sinNear32(r)
	} else {
		y = cosNear32(r)
	}
	if k&2 != 0 {
		return -y
	}
	return y
}

func sincos32(x float64) (sine, cosine float64) {
	if math.Abs(x) < 0x1p-27 {
		return x, 1
	}
	k, r := byHalfPi32(x)
	return quarter32(k, r), quarter32(k+1, r)
}

func tan32(x float64) float64 {
	if math.Abs(x) < 0x1p-27 {
		return x
	}
	k, r := byHalfPi32(x)
	s, c := sinNear32(r), cosNear32(r)
	if k&1 != 0 {
		return -c / s
	}
	return s / c
}

func byHalfPi32(x float64) (k uint64, r float64) {
	if !(math.Abs(x) <= 0x1p28) {
		k, r, _ = farByHalfPi(x)
		return k, r
	}
	t := math.FMA(x, twoByPi, roundingShift)
	n := t - roundingShift
	return math.Float64bits(t), math.FMA(-n, halfPi2, math.FMA(-n, halfPi1, x))
}

func sinNear32(r float64) float64 {
	z := float64(r * r)
	tail := math.FMA(math.FMA(math.FMA(sinS3, z, sinS2), z, sinS1), z, sinS0)
	return math.FMA(float64(r*z), tail, r)
}

func cosNear32(r float64) float64 {
	z := float64(r * r)
	tail := math.FMA(math.FMA(math.FMA(cosS3, z, cosS2), z, cosS1), z, cosS0)
	return math.FMA(float64(z*z), tail, 1-float64(.5*z))
}
