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
	k, r, rest := byHalfPi(x)
	s := quarter(k, r, rest)
	if math.Abs(x) < 0x1p-27 { // at the end, where vectors choose and need no mask
		return x
	}
	return s
}

func cos(x float64) float64 {
	k, r, rest := byHalfPi(x)
	return quarter(k+1, r, rest)
}

// quarter returns sin(r + rest + k·π/2).
func quarter(k uint64, r, rest float64) float64 {
	high, low := 0.0, 0.0
	if k&1 == 0 {
		high, low = sinNear(r, rest)
	} else {
		high, low = cosNear(r, rest)
	}
	if k&2 != 0 {
		return -(high + low)
	}
	return high + low
}

func sincos(x float64) (sine, cosine float64) {
	if math.Abs(x) < 0x1p-27 {
		return x, 1
	}
	k, r, rest := byHalfPi(x)
	high, low := sinNear(r, rest)
	s := high + low
	high, low = cosNear(r, rest)
	c := high + low
	if k&1 != 0 {
		s, c = c, -s
	}
	if k&2 != 0 {
		return -s, -c
	}
	return s, c
}

func tan(x float64) float64 {
	if math.Abs(x) < 0x1p-27 {
		return x
	}
	k, r, rest := byHalfPi(x)
	sHigh, sLow := sinNear(r, rest)
	cHigh, cLow := cosNear(r, rest)
	num, numRest := sHigh+sLow, (sHigh-(sHigh+sLow))+sLow
	den, denRest := cHigh+cLow, (cHigh-(cHigh+cLow))+cLow
	if k&1 != 0 {
		num, numRest, den, denRest = -den, -denRest, num, numRest
	}
	inverse := 1 / den
	t := float64(num * inverse)
	return t + float64((fma(-t, den, num)+fma(-t, denRest, numRest))*inverse)
}

// sinNear returns sin(r+rest) for |r| <= π/4 as a sum.
func sinNear(r, rest float64) (high, low float64) {
	z := float64(r * r)
	z2 := float64(z * z)
	first := fma(fma(sinT3, z, sinT2), z2, fma(sinT1, z, sinT0))
	tail := fma(fma(sinT6, z2, fma(sinT5, z, sinT4)), float64(z2*z2), first)
	return r, fma(float64(r*z), tail, fma(-.5*z, rest, rest))
}

// cosNear returns cos(r+rest) for |r| <= π/4 as a sum.
func cosNear(r, rest float64) (high, low float64) {
	z := float64(r * r)
	z2 := float64(z * z)
	tail := fma(fma(fma(cosT5, z, cosT4), z2, fma(cosT3, z, cosT2)), z2, fma(cosT1, z, cosT0))
	half := float64(.5 * z)
	w := 1 - half
	return w, (1 - w) - half + fma(z2, tail, -float64(r*rest))
}

// byHalfPi returns k and r + rest = x - k·π/2, the nearest to 0. Of k, the lowest two bits count.
func byHalfPi(x float64) (k uint64, r, rest float64) {
	if !(math.Abs(x) <= 0x1p20) {
		return farByHalfPi(x)
	}
	t := fma(x, twoByPi, roundingShift)
	n := t - roundingShift
	first := fma(-n, halfPi1, x) // exact: a multiple of 2⁻⁵³ below 1
	second := fma(-n, halfPi2, first)
	third := fma(-n, halfPi3, fma(-n, halfPi2, first-second))
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
	t := fma(x, twoByPi, roundingShift)
	n := t - roundingShift
	return math.Float64bits(t), fma(-n, halfPi2, fma(-n, halfPi1, x))
}

func sinNear32(r float64) float64 {
	z := float64(r * r)
	tail := fma(fma(fma(sinS3, z, sinS2), z, sinS1), z, sinS0)
	return fma(float64(r*z), tail, r)
}

func cosNear32(r float64) float64 {
	z := float64(r * r)
	tail := fma(fma(fma(cosS3, z, cosS2), z, cosS1), z, cosS0)
	return fma(float64(z*z), tail, 1-float64(.5*z))
}
