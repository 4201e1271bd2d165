package kernels

// These kernels have items that are rows, in which a round accesses elements that lie apart.

// spaced adds to an element, and sets the one d elements behind it, in rows of m.
//
//gokkos:kernel
func spaced(m, d int, x, y []float64) func(i int) {
	return func(i int) {
		for j := range m {
			at := i*(m+d) + j
			y[at] += x[at]
			y[at+d] = float64(y[at] * .5)
		}
	}
}

// spacedBy9 sets every second element of a row to one of 9 rounds later.
//
//gokkos:kernel
func spacedBy9(m int, y []int32) func(i int) {
	return func(i int) {
		for j := range m {
			y[i*(2*m+18)+2*j] = 3*y[i*(2*m+18)+2*j+18] + int32(j)
		}
	}
}

// fromBelow multiplies rows, whose rounds begin at a negative number.
//
//gokkos:kernel
func fromBelow(m int, x, y []float64) func(i int) {
	return func(i int) {
		for j := -3; j < m; j++ {
			y[i*(m+3)+j+3] = float64(x[i*(m+3)+j+3] * 2)
		}
	}
}
