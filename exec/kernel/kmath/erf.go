package kmath

import "math"

// Erf returns the error function of x.
func Erf[T Float](x T) T {
	if is32(x) {
		return T(erf32(float64(x)))
	}
	return T(erf(float64(x)))
}

func erf(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 1:
		z := float64(x * x)
		z2 := float64(z * z)
		z4 := float64(z2 * z2)
		p0 := math.FMA(math.FMA(erfTerms[3], z, erfTerms[2]), z2, math.FMA(erfTerms[1], z, erfTerms[0]))
		p1 := math.FMA(math.FMA(erfTerms[7], z, erfTerms[6]), z2, math.FMA(erfTerms[5], z, erfTerms[4]))
		p2 := math.FMA(math.FMA(erfTerms[11], z, erfTerms[10]), z2, math.FMA(erfTerms[9], z, erfTerms[8]))
		return math.FMA(x, math.FMA(math.FMA(p2, z4, p1), z4, p0), x)
	case a < 6:
		piece := int(2*a) - 2
		z := a - (float64(.5*float64(piece)) + 1.25)
		y := erfcTerms[piece][14]
		for k := range 14 {
			y = math.FMA(y, z, erfcTerms[piece][13-k])
		}
		return math.Copysign(1-y, x)
	case a != a:
		return x
	}
	return math.Copysign(1, x)
}

func erf32(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 1:
		z := float64(x * x)
		y := erfTerms32[6]
		for k := range 6 {
			y = math.FMA(y, z, erfTerms32[5-k])
		}
		return math.FMA(x, y, x)
	case a < 4:
		piece := int(2*a) - 2
		z := a - (float64(.5*float64(piece)) + 1.25)
		y := erfcTerms32[piece][7]
		for k := range 7 {
			y = math.FMA(y, z, erfcTerms32[piece][6-k])
		}
		return math.Copysign(1-y, x)
	case a != a:
		return x
	}
	return math.Copysign(1, x)
}
