// Package numeric has functions that kernels of another package call.
package numeric

// Clamp returns x, or the end of lo to hi that is nearer.
func Clamp[T int | int32 | float32 | float64](x, lo, hi T) T {
	if x < lo {
		return lo
	}
	if x > hi {
		return hi
	}
	return x
}

// A Line is y = A·x + B.
type Line struct{ A, B float64 }

// At returns the line's y.
func (l Line) At(x float64) float64 { return float64(l.A*x) + l.B }

// Turned returns the line with the other slope.
func (l Line) Turned() Line {
	l.A = -l.A
	return l
}

// Ordered returns the lesser of two numbers, and the greater one.
func Ordered(x, y float64) (lo, hi float64) {
	lo, hi = x, y
	if lo > hi {
		lo, hi = hi, lo
	}
	return
}
