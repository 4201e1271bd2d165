package kmath

import "math"

// Cbrt returns the cube root of x.
func Cbrt[T Float](x T) T { return T(cbrt(float64(x))) }

func cbrt(x float64) float64 {
	a := math.Abs(x)
	if !(a > 0 && a <= math.MaxFloat64) {
		return x
	}
	var shift int64
	if a < 0x1p-1022 {
		a, shift = a*0x1p54, -18
	}
	bits := math.Float64bits(a)
	exponent := int64(bits>>52) - 1023 + 3*1024
	root := exponent / 3
	m := math.Float64frombits(bits&(1<<52-1) | uint64(exponent-3*root+1023)<<52) // 1 <= m < 8

	y := fma(fma(fma(fma(fma(fma(cbrtT6, m, cbrtT5), m, cbrtT4), m, cbrtT3), m, cbrtT2), m, cbrtT1), m, cbrtT0)
	for range 2 { // towards 1/∛m, by y + y(1 - m·y³)/3
		y3 := float64(float64(y*y) * y)
		y = fma(float64(y*third), fma(-m, y3, 1), y)
	}
	y2 := float64(y * y)
	t := float64(m * y2)
	t2 := float64(t * t)
	left := fma(-t2, t, m) - float64(fma(t, t, -t2)*t) // m - t³
	t = fma(float64(left*y2), third, t)
	return math.Copysign(t*power2(root-1024+shift), x)
}

// Hypot returns √(x² + y²), without overflow or underflow before the end.
func Hypot[T Float](x, y T) T {
	if is32(x) {
		return T(hypot32(float64(x), float64(y)))
	}
	return T(hypot(float64(x), float64(y)))
}

func hypot(x, y float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	switch {
	case a > math.MaxFloat64 || b > math.MaxFloat64:
		return math.Inf(1)
	case a != a || b != b:
		return math.NaN()
	case a < b:
		a, b = b, a
	}
	if b <= a*0x1p-54 {
		return a + b
	}
	unit := 1.0
	if a > 0x1p510 {
		a, b, unit = a*0x1p-600, b*0x1p-600, 0x1p600
	} else if b < 0x1p-450 {
		a, b, unit = a*0x1p600, b*0x1p600, 0x1p-600
	}
	// One rounding of the sum leaves .86 ulp, one more of b² would be 1.03.
	aa, bb := float64(a*a), float64(b*b)
	sum := aa + bb
	rest := (aa - sum) + bb + (fma(a, a, -aa) + fma(b, b, -bb))
	return math.Sqrt(sum+rest) * unit
}

func hypot32(x, y float64) float64 {
	if math.Abs(x) > math.MaxFloat64 || math.Abs(y) > math.MaxFloat64 {
		return math.Inf(1)
	}
	return math.Sqrt(fma(x, x, float64(y*y)))
}
