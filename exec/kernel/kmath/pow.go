package kmath

import "math"

// Pow returns x to the power of y.
func Pow[T Float](x, y T) T {
	if is32(x) {
		return T(pow32(float64(x), float64(y)))
	}
	return T(pow(float64(x), float64(y)))
}

func pow(x, y float64) float64 {
	a, sign, edge, is := powEdge(x, y)
	if is {
		return edge
	}
	high, low := log2Pair(a)
	p := float64(y * high)
	switch {
	case p > 1025:
		return sign * math.Inf(1)
	case p < -1080:
		return sign * 0
	}
	return sign * exp2(p, math.FMA(y, high, -p)+float64(y*low))
}

func pow32(x, y float64) float64 {
	a, sign, edge, is := powEdge(x, y)
	if is {
		return edge
	}
	high, low := log2Pair(a)
	return sign * exp2(float64(y*high), float64(y*low))
}

// powEdge returns the power where it needs no logarithm. Elsewhere it is that of the positive number
// a, with a sign.
func powEdge(x, y float64) (a, sign, power float64, is bool) {
	switch {
	case y == 0 || x == 1:
		return 0, 0, 1, true
	case x != x || y != y:
		return 0, 0, math.NaN(), true
	}
	a, sign = math.Abs(x), 1
	if isNegative(x) {
		switch {
		case isOdd(y):
			sign = -1
		case y != math.Trunc(y) && x != 0 && a <= math.MaxFloat64:
			return 0, 0, math.NaN(), true
		}
	}
	switch {
	case math.Abs(y) > math.MaxFloat64:
		switch {
		case a == 1:
			return 0, 0, 1, true
		case a > 1 == (y > 0):
			return 0, 0, math.Inf(1), true
		}
		return 0, 0, 0, true
	case a == 0 || a > math.MaxFloat64:
		if a == 0 == (y > 0) {
			return 0, 0, sign * 0, true
		}
		return 0, 0, sign * math.Inf(1), true
	}
	return a, sign, 0, false
}

func isOdd(y float64) bool {
	if math.Abs(y) >= 0x1p53 {
		return false
	}
	n := int64(y)
	return float64(n) == y && n&1 != 0
}

// log2Pair returns log2(x) of a positive number as a sum, to about 2⁻⁶⁵ of it.
func log2Pair(x float64) (high, low float64) {
	k, m := byPower2(x)
	f := m - 1
	d := 2 + f
	dRest := f - (d - 2)
	s := f / d
	sRest := (math.FMA(-s, d, f) - float64(s*dRest)) / d

	// ln(m) = 2s(1 + w), where w = s²/3 + s⁴/5 + ...
	z := float64(s * s)
	zRest := math.FMA(s, s, -z) + float64(2*s*sRest)
	first := float64(z * third)
	firstRest := math.FMA(z, third, -first) + math.FMA(z, thirdLow, float64(zRest*third))
	z2 := float64(z * z)
	z2Rest := math.FMA(z, z, -z2) + float64(2*z*zRest)
	c := logTailOf(z)
	tail := float64(z2 * c)
	tailRest := math.FMA(z2, c, -tail) + float64(z2Rest*c)
	w := first + tail
	wRest := (first - w) + tail + (firstRest + tailRest)

	p := float64(s * w)
	pRest := math.FMA(s, w, -p) + math.FMA(s, wRest, float64(sRest*w))
	l := s + p
	lRest := (s - l) + p + (pRest + sRest)

	h := float64(l * (2 * log2e))
	hRest := math.FMA(l, 2*log2e, -h) + math.FMA(l, 2*log2eLow, float64(lRest*(2*log2e)))
	sum := k + h
	rest := (k - sum) + h + hRest
	high = sum + rest
	return high, (sum - high) + rest
}

// logTailOf returns (atanh(s)/s - 1 - z/3)/z² for z = s².
func logTailOf(z float64) float64 {
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	p0 := math.FMA(math.FMA(logP3, z, logP2), z2, math.FMA(logP1, z, logP0))
	p1 := math.FMA(math.FMA(logP7, z, logP6), z2, math.FMA(logP5, z, logP4))
	return math.FMA(math.FMA(math.FMA(logP9, z, logP8), z4, p1), z4, p0)
}
