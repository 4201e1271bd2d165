package kmath

import "math"

// Atan returns the arctangent of x in radians.
func Atan[T Float](x T) T {
	if is32(x) {
		return T(atan32(float64(x)))
	}
	return T(atan(float64(x)))
}

// Atan2 returns the angle of the point (x, y), from -π to π.
//
//go:noinline
func Atan2[T Float](y, x T) T { return T(atan2(float64(y), float64(x))) }

const (
	tanEighth       = 0x1.a827999fcef32p-2 // tan(π/8)
	tanThreeEighths = 0x1.3504f333f9de6p+1 // tan(3π/8)
)

const (
	quarterPi    = 0x1.921fb54442d18p-1 // its products with 2, 3 and 4 are exact
	quarterPiLow = 0x1.1a62633145c07p-55
)

func atan(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-27:
		return x
	case a <= tanEighth:
		z := float64(x * x)
		return x + float64(float64(x*z)*atanTerms(z))
	case a < 0x1p66: // π/4 + atan((a-1)/(a+1)), and beyond 3π/8 it is π/2 + atan(-1/a)
		c := choose(a > tanThreeEighths, 0, 1)
		ca := float64(c * a)
		num, den := ca-1, a+c
		return math.Copysign(atanAround(2-c, num, ca-(num+1), den, a-(den-c)), x)
	case a != a:
		return x
	}
	return math.Copysign(halfPi1, x)
}

// atanAround returns k·π/4 + atan(num/den), where num and den have rests and |num/den| <= tan(π/8).
func atanAround(k, num, numRest, den, denRest float64) float64 {
	inverse := 1 / den
	t := float64(num * inverse)
	rest := float64((math.FMA(-t, den, num) + math.FMA(-t, denRest, numRest)) * inverse)
	z := float64(t * t)
	tail := math.FMA(float64(t*z), atanTerms(z), math.FMA(-z, rest, rest))
	base := float64(k * quarterPi)
	sum := base + t
	return sum + (((base - sum) + t) + (float64(k*quarterPiLow) + tail))
}

// atanTerms returns (atan(t)-t)/t³ for z = t² and |t| <= tan(π/8).
func atanTerms(z float64) float64 {
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	p0 := math.FMA(math.FMA(atanT3, z, atanT2), z2, math.FMA(atanT1, z, atanT0))
	p1 := math.FMA(math.FMA(atanT7, z, atanT6), z2, math.FMA(atanT5, z, atanT4))
	p2 := math.FMA(math.FMA(atanT11, z, atanT10), z2, math.FMA(atanT9, z, atanT8))
	return math.FMA(math.FMA(p2, z4, p1), z4, p0)
}

func atan32(x float64) float64 {
	a := math.Abs(x)
	base, t := 0.0, a
	switch {
	case a > tanThreeEighths:
		base, t = halfPi1, -1/a
	case a > tanEighth:
		base, t = quarterPi, (a-1)/(a+1)
	}
	z := float64(t * t)
	p := math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(atanS5, z, atanS4), z, atanS3), z, atanS2), z, atanS1), z, atanS0)
	return math.Copysign(base+math.FMA(float64(t*z), p, t), x)
}

func atan2(y, x float64) float64 {
	a, b := math.Abs(y), math.Abs(x)
	switch {
	case a != a || b != b:
		return math.NaN()
	case a == 0 || b == 0 || a > math.MaxFloat64 || b > math.MaxFloat64:
		return math.Copysign(atan2Edge(a, b, isNegative(x)), y)
	}
	over, left := a > b, isNegative(x)
	n, d := choose(over, b, a), choose(over, a, b)
	k, sign := choose(over, 2, 0), choose(over != left, -1, 1)
	k = choose(left, 4-k, k)
	if n < float64(d*0x1p-60) {
		if k == 0 {
			return math.Copysign(n/d, y)
		}
		return math.Copysign(float64(k*quarterPi), y) // what is added to it is too small to see
	}
	if d > 0x1p1000 {
		n, d = float64(n*0x1p-200), float64(d*0x1p-200)
	} else if d < 0x1p-900 {
		n, d = float64(n*0x1p200), float64(d*0x1p200)
	}
	// The angle of n/d is π/4 + atan((n-d)/(n+d)) beyond π/8.
	c := choose(n <= float64(tanEighth*d), 0, 1)
	cd, cn := float64(c*d), float64(c*n)
	num, den := n-cd, d+cn
	numRest, denRest := n-(num+cd), cn-(den-d)
	return math.Copysign(atanAround(k+float64(c*sign), float64(sign*num), float64(sign*numRest), den, denRest), y)
}

// atan2Edge returns the angle where one of the sides is 0 or infinite.
func atan2Edge(a, b float64, left bool) float64 {
	k := 2.0 // b is 0 or a infinite
	switch infinite := b > math.MaxFloat64; {
	case infinite && a > math.MaxFloat64:
		k = 1
	case infinite || a == 0:
		k = 0
	}
	if left {
		k = 4 - k
	}
	return float64(k * quarterPi)
}
