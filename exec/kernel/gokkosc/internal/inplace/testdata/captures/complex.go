package main

import "math/cmplx"

type spin struct {
	up   complex64
	n    int32
	down complex128
}

func squared(z complex128) complex128 { return z * z }

// Complex numbers are captured, loaded, stored, multiplied and compared.
func complexNumbers(x []float64) {
	shift, small := complex(0.5, -0.25), complex64(complex(3, 1e-20))
	z, spins := make([]complex128, n), make([]spin, n)
	each(func(i int) { // loops
		z[i] = complex(float64(i)/9, 1/float64(i+1)) * shift
		z[i] -= 1.25 * shift * z[i]
		spins[i].up = complex64(z[i])*small + complex(2, float32(i))
	})
	each(func(i int) { // loops
		var a [3]complex128
		for k := range a {
			a[k] = squared(z[i]) + complex(float64(k), imag(z[(i+1)%n]))
		}
		spins[i].down = a[i%3]
		spins[i].up *= -spins[i].up
		if spins[i].down == a[i%2] || z[i] != z[i] {
			spins[i].down = +shift
		}
	})
	each(func(i int) { // loops
		c, k := z[i], 0
		for ; k < 30 && cmplx.Abs(c) < 2; k++ {
			c = c*c + complex128(spins[i].up)
		}
		x[i] = real(c) + imag(c*spins[i].down) + float64(k)
	})
	each(func(i int) { // loops
		w := z[i]
		w++
		switch w--; w {
		case z[i], 0:
			spins[i].up++
		case 1i:
			spins[i].up = 1i
		}
		switch spins[i] {
		case spin{}:
			x[i]++
		default:
			x[i] -= real(w)
		}
	})
	each(func(i int) { // body: a kernel cannot divide complex numbers
		z[i] /= shift
	})
	changes := z[0]
	each(func(i int) { x[i] += real(z[i] - changes) }) // body: a kernel cannot have complex numbers behind pointers
	changes++
}
