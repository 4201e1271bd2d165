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
func Atan2[T Float](y, x T) T { return T(atan2(float64(y), float64(x))) }

const (
	tanEighth       = 0x1.a827999fcef32p-2 // tan(π/8)
	tanThreeEighths = 0x1.3504f333f9de6p+1 // tan(3π/8)
)

const (
	quarterPi         = 0x1.921fb54442d18p-1
	quarterPiLow      = 0x1.1a62633145c07p-55
	threeQuarterPi    = 0x1.2d97c7f3321d2p+1
	threeQuarterPiLow = 0x1.a79394c9e8a0ap-54
)

// quarters returns k·π/4 as a sum, for k from 0 to 4.
func quarters(k int) (high, low float64) {
	switch k {
	case 0:
		return 0, 0
	case 1:
		return quarterPi, quarterPiLow
	case 2:
		return 2 * quarterPi, 2 * quarterPiLow
	case 3:
		return threeQuarterPi, threeQuarterPiLow
	}
	return 4 * quarterPi, 4 * quarterPiLow
}

func atan(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a <= tanEighth:
		if a < 0x1p-27 {
			return x
		}
		return x + atanTail(x, 0)
	case a <= tanThreeEighths && a >= 1:
		return math.Copysign(atanBeside(1, 1, 1, a), x)
	case a < 1:
		return math.Copysign(atanBeside(1, -1, a, 1), x)
	case a < 0x1p66:
		return math.Copysign(atanAround(2, -1, 1, 0, a, 0), x)
	case a != a:
		return x
	}
	return math.Copysign(halfPi1, x)
}

// atanBeside returns k·π/4 + sign·(atan(d/n) - π/4) for 0 < n <= d.
func atanBeside(k int, sign, n, d float64) float64 {
	num, den := d-n, d+n
	return atanAround(k, sign, num, (d-num)-n, den, n-(den-d))
}

// atanAround returns k·π/4 + sign·atan(num/den), where num and den have rests.
func atanAround(k int, sign, num, numRest, den, denRest float64) float64 {
	inverse := 1 / den
	t := float64(num * inverse)
	rest := (fma(-t, den, num) + fma(-t, denRest, numRest)) * inverse
	t, rest = float64(sign*t), float64(sign*rest)
	base, baseLow := quarters(k)
	sum := base + t
	return sum + (((base - sum) + t) + (baseLow + atanTail(t, rest)))
}

// atanTail returns atan(t+rest) - t for |t| <= tan(π/8).
func atanTail(t, rest float64) float64 {
	z := float64(t * t)
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	p0 := fma(fma(atanT3, z, atanT2), z2, fma(atanT1, z, atanT0))
	p1 := fma(fma(atanT7, z, atanT6), z2, fma(atanT5, z, atanT4))
	p2 := fma(fma(atanT11, z, atanT10), z2, fma(atanT9, z, atanT8))
	p := fma(fma(p2, z4, p1), z4, p0)
	return fma(float64(t*z), p, fma(-z, rest, rest))
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
	p := fma(fma(fma(fma(fma(atanS5, z, atanS4), z, atanS3), z, atanS2), z, atanS1), z, atanS0)
	return math.Copysign(base+fma(float64(t*z), p, t), x)
}

func atan2(y, x float64) float64 {
	a, b := math.Abs(y), math.Abs(x)
	switch {
	case a != a || b != b:
		return math.NaN()
	case a == 0 || b == 0 || a > math.MaxFloat64 || b > math.MaxFloat64:
		return math.Copysign(atan2Edge(a, b, isNegative(x)), y)
	}
	k, sign, n, d := 0, 1.0, a, b
	if a > b {
		k, sign, n, d = 2, -1, b, a
	}
	if isNegative(x) {
		k, sign = 4-k, -sign
	}
	if n < float64(d*0x1p-60) {
		angle, _ := quarters(k) // what is added to it is too small to see
		if k == 0 {
			angle = n / d
		}
		return math.Copysign(angle, y)
	}
	if d > 0x1p1000 {
		n, d = float64(n*0x1p-200), float64(d*0x1p-200)
	} else if d < 0x1p-900 {
		n, d = float64(n*0x1p200), float64(d*0x1p200)
	}
	if n <= float64(tanEighth*d) {
		return math.Copysign(atanAround(k, sign, n, 0, d, 0), y)
	}
	return math.Copysign(atanBeside(k+int(sign), -sign, n, d), y)
}

// atan2Edge returns the angle where one of the sides is 0 or infinite.
func atan2Edge(a, b float64, left bool) float64 {
	k := 2 // b is 0 or a infinite
	switch infinite := b > math.MaxFloat64; {
	case infinite && a > math.MaxFloat64:
		k = 1
	case infinite || a == 0:
		k = 0
	}
	if left {
		k = 4 - k
	}
	high, _ := quarters(k)
	return high
}
