package kernels

import "math"

// These kernels have loops whose number of rounds differs by item.

// mandelbrot sets n[i] to how many rounds of z = z²+c stay within 2 of the origin, up to limit, for the point c that
// is pixel i of a picture with rows of width.
//
//gokkos:kernel
func mandelbrot(x0, y0, step float64, width, limit int, n []int32) func(i int) {
	return func(i int) {
		cr, ci := x0+float64(step*float64(i%width)), y0+float64(step*float64(i/width))
		zr, zi, k := 0.0, 0.0, 0
		for ; k < limit; k++ {
			rr, ii := float64(zr*zr), float64(zi*zi)
			if rr+ii > 4 {
				break
			}
			zi = float64(2*zr*zi) + ci
			zr = rr - ii + cr
		}
		n[i] = int32(k)
	}
}

// collatz counts the steps from x[i] to 1, but no more than most, and the largest number between.
//
//gokkos:kernel
func collatz(x []uint32, most int) func(i int, steps, peak *int) {
	return func(i int, steps, peak *int) {
		for v, n := int(x[i]), 0; v > 1 && n < most; n++ {
			if v&1 == 0 {
				v >>= 1
				*steps += 1
				continue
			}
			v = 3*v + 1
			*peak = max(*peak, v)
			*steps += 2
		}
	}
}

// cutoff is the sum of a potential between point i and all behind it that are near, up to the first beyond r, as in
// a list sorted by distance.
//
//gokkos:kernel
func cutoff(r float64, x, w []float64, list []int) func(i int, e *float64) {
	return func(i int, e *float64) {
		for k := 0; k < len(list); k++ {
			d := x[list[k]] - x[i]
			if d > r {
				break
			}
			if d <= 0 || w[k] < 0 {
				continue
			}
			for j := 0; float64(j) < d; j++ {
				*e += math.Sqrt(d) / (float64(d*d) + w[k] + float64(j))
			}
		}
	}
}

// roots3 sets y[i] to the cube root of x[i] by Newton's method, with as many rounds as it takes, and n[i] to
// their number.
//
//gokkos:kernel
func roots3(tolerance float32, x, y []float32, n []int32) func(i int) {
	return func(i int) {
		v := x[i]
		z, k := max(v, 1), int32(0)
		for {
			next := (float32(2*z) + v/float32(z*z)) / 3
			k++
			if d := next - z; d < tolerance && -d < tolerance || k == 60 {
				z = next
				break
			}
			z = next
		}
		y[i], n[i] = z, k
	}
}

// gcd sets z[i] to the greatest common divisor of x[i] and y[i].
//
//gokkos:kernel
func gcd(x, y, z []int32) func(i int) {
	return func(i int) {
		a, b := x[i], y[i]
		for b != 0 {
			a, b = b, a%b
		}
		z[i] = a
	}
}
