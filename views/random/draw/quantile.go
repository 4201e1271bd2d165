package draw

import "math"

// quantile returns the x below which the normal distribution has the part q + 1/2, for
// -1/2 < q < 1/2. The relative error is about 1e-16, and quantile(-q) is -quantile(q).
//
// Source: M. J. Wichura, "The percentage points of the normal distribution", Applied
// Statistics 37, 1988, algorithm AS 241, PPND16.
func quantile(q float64) float64 {
	if math.Abs(q) <= 0.425 {
		return float64(q * center(0.180625-float64(q*q))) // not to be fused with what comes next
	}
	r := math.Sqrt(-Log(0.5 - math.Abs(q)))
	if r <= 5 {
		return math.Copysign(tail(r-1.6), q)
	}
	return math.Copysign(farTail(r-5), q)
}

// center, tail and farTail are ratios of two polynomials of degree 7, by Estrin's scheme, whose chain of operations is half
// that of Horner's.

func center(r float64) float64 {
	r2 := float64(r * r)
	above := quads(r2,
		cubic(r, r2, 2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4, 4.5921953931549871457e+4),
		cubic(r, r2, 1.3731693765509461125e+4, 1.9715909503065514427e+3, 1.3314166789178437745e+2, 3.3871328727963666080e+0))
	return above / quads(r2,
		cubic(r, r2, 5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4, 2.1213794301586595867e+4),
		cubic(r, r2, 5.3941960214247511077e+3, 6.8718700749205790830e+2, 4.2313330701600911252e+1, 1))
}

func tail(r float64) float64 {
	r2 := float64(r * r)
	above := quads(r2,
		cubic(r, r2, 7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e+0),
		cubic(r, r2, 3.64784832476320460504e+0, 5.76949722146069140550e+0, 4.63033784615654529590e+0, 1.42343711074968357734e+0))
	return above / quads(r2,
		cubic(r, r2, 1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1),
		cubic(r, r2, 6.89767334985100004550e-1, 1.67638483018380384940e+0, 2.05319162663775882187e+0, 1))
}

func farTail(r float64) float64 {
	r2 := float64(r * r)
	above := quads(r2,
		cubic(r, r2, 2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2),
		cubic(r, r2, 2.96560571828504891230e-1, 1.78482653991729133580e+0, 5.46378491116411436990e+0, 6.65790464350110377720e+0))
	return above / quads(r2,
		cubic(r, r2, 2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4),
		cubic(r, r2, 1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1))
}

// quads returns high·r⁴ + low.
func quads(r2, high, low float64) float64 { return sum(high, float64(r2*r2), low) }

// cubic returns a·r³ + b·r² + c·r + d.
func cubic(r, r2, a, b, c, d float64) float64 { return sum(sum(a, r, b), r2, sum(c, r, d)) }

// sum returns x·r + y, rounded twice.
func sum(x, r, y float64) float64 { return float64(x*r) + y }
