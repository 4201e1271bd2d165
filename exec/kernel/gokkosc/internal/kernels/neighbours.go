package kernels

import (
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// These kernels loop over the neighbours of a point.

// generation sets the cells of next to what they are after those of now, in the game of life.
//
//gokkos:kernel
func generation(now, next views.View2[uint8]) func(at policy.Index2) {
	return func(at policy.Index2) {
		count := uint8(0)
		for di := -1; di <= 1; di++ {
			for dj := -1; dj <= 1; dj++ {
				if di == 0 && dj == 0 {
					continue
				}
				count += now.At(at.I+di, at.J+dj) & 1
			}
		}
		alive := now.At(at.I, at.J)
		switch count {
		case 2:
		case 3:
			alive = 1
		default:
			alive = 0
		}
		next.Set(at.I, at.J, alive)
	}
}

// window sets y[i] to the sum of the numbers of x around i that there are, weighed, without those that are not positive.
//
//gokkos:kernel
func window(w [5]float64, x, y []float64) func(i int) {
	return func(i int) {
		s := 0.0
		for k := -2; k <= 2; k++ {
			j := i + k
			if j < 0 || j >= len(x) {
				continue
			}
			switch {
			case x[j] > 1000:
				s++
			case !(x[j] > 0):
				continue
			default:
				s += float64(w[k+2] * x[j])
			}
			s /= 2
		}
		y[i] = s
	}
}

// laid stores number i of x at the four places of z from 4i on, each time with one more, and stops where it finds a place
// that z has not.
//
//gokkos:kernel
func laid(x, z []int) func(i int) {
	return func(i int) {
		for k := range 4 {
			z[4*i+k] = x[i] + k
		}
	}
}
