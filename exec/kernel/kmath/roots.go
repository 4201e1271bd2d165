package kmath

import "math"

// Cbrt returns the cube root of x.
//
//go:noinline
func Cbrt[T Float](x T) T { return T(cbrt(float64(x))) }

func cbrt(x float64) float64 {
	a := math.Abs(x)
	if !(a > 0 && a <= math.MaxFloat64) {
		return x
	}
	var shift int64
	if a < 0x1p-1022 {
		a, shift = math.Float64frombits(math.Float64bits(a)|1024<<52)-2, -341 // times 2¹⁰²³
	}
	bits := math.Float64bits(a)
	exponent := bits>>52 + 3*1024 - 1023
	root := exponent / 3
	m := math.Float64frombits(bits&(1<<52-1) | (exponent-3*root+1023)<<52) // 1 <= m < 8
	unit := math.Copysign(power2(int64(root)-1024+shift), x)

	y := math.FMA(math.FMA(math.FMA(cbrtT6, m, cbrtT5), m, cbrtT4), m, cbrtT3)
	y = math.FMA(math.FMA(math.FMA(y, m, cbrtT2), m, cbrtT1), m, cbrtT0)
	y = nearerCbrt(nearerCbrt(y, m), m)
	y2 := float64(y * y)
	t := float64(m * y2)
	t2 := float64(t * t)
	left := math.FMA(-t2, t, m) - float64(math.FMA(t, t, -t2)*t) // m - t³
	return math.FMA(float64(left*y2), third, t) * unit
}

// nearerCbrt returns what is nearer than y to 1/∛m, by y + y(1 - m·y³)/3.
func nearerCbrt(y, m float64) float64 {
	y3 := float64(float64(y*y) * y)
	return math.FMA(float64(y*third), math.FMA(-m, y3, 1), y)
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
	a, b = choose(a < b, b, a), choose(a < b, a, b)
	switch {
	case !(a <= math.MaxFloat64 && b <= math.MaxFloat64):
		return hypotEdge(a, b)
	case b <= a*0x1p-54:
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
	rest := (aa - sum) + bb + (math.FMA(a, a, -aa) + math.FMA(b, b, -bb))
	return math.Sqrt(sum+rest) * unit
}

// hypotEdge returns √(a² + b²) where one of them is infinite or NaN.
func hypotEdge(a, b float64) float64 {
	if a > math.MaxFloat64 || b > math.MaxFloat64 {
		return math.Inf(1)
	}
	return math.NaN()
}

func hypot32(x, y float64) float64 {
	if math.Abs(x) > math.MaxFloat64 || math.Abs(y) > math.MaxFloat64 {
		return math.Inf(1)
	}
	return math.Sqrt(math.FMA(x, x, float64(y*y)))
}
