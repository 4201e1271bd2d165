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
		c := &erfTerms
		z := float64(x * x)
		z2 := float64(z * z)
		z4 := float64(z2 * z2)
		p0 := fma(fma(c[3], z, c[2]), z2, fma(c[1], z, c[0]))
		p1 := fma(fma(c[7], z, c[6]), z2, fma(c[5], z, c[4]))
		p2 := fma(fma(c[11], z, c[10]), z2, fma(c[9], z, c[8]))
		return fma(x, fma(fma(p2, z4, p1), z4, p0), x)
	case a < 6:
		piece := int(2*a) - 2
		return math.Copysign(1-horner(erfcTerms[piece][:], a-(float64(.5*float64(piece))+1.25)), x)
	case a != a:
		return x
	}
	return math.Copysign(1, x)
}

func erf32(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 1:
		return fma(x, horner(erfTerms32[:], float64(x*x)), x)
	case a < 4:
		piece := int(2*a) - 2
		return math.Copysign(1-horner(erfcTerms32[piece][:], a-(float64(.5*float64(piece))+1.25)), x)
	case a != a:
		return x
	}
	return math.Copysign(1, x)
}

// horner returns the polynomial with the terms c, the lowest first.
func horner(c []float64, x float64) float64 {
	y := c[len(c)-1]
	for k := len(c) - 2; k >= 0; k-- {
		y = fma(y, x, c[k])
	}
	return y
}
