package kernels

import "github.com/gokkos/gokkos/views/crs"

// permuted only loads from anywhere.
//
//gokkos:kernel
func permuted(at []int, x, y []float64) func(i int) {
	return func(i int) { y[i] = x[at[i]] }
}

// weighted computes something of what it loads from anywhere.
//
//gokkos:kernel
func weighted(a float64, at []int, x, y []float64) func(i int) {
	return func(i int) { y[i] += float64(a * x[at[i]]) }
}

// picked adds up rows of elements from anywhere, whose places are apart, too.
//
//gokkos:kernel
func picked(m int, at []int, x, y []float64) func(i int) {
	return func(i int) {
		s := 0.0
		for k := range m {
			s += x[at[i*m+k]]
		}
		y[i] = s
	}
}

// columns adds up columns of weighted elements from anywhere.
//
//gokkos:kernel
func columns(m, n int, at []int, v, x, y []float64) func(i int) {
	return func(i int) {
		s := 0.0
		for k := range m {
			s += float64(v[k*n+i] * x[at[k*n+i]])
		}
		y[i] = s
	}
}

// put only stores anywhere.
//
//gokkos:kernel
func put(at []int, x, y []float64) func(i int) {
	return func(i int) { y[at[i]] = x[i] }
}

// rowSums gives each row of a graph the sum of what its entries have.
//
//gokkos:kernel
func rowSums(g crs.Graph, x, y []float64) func(i int) {
	return func(i int) {
		sum := 0.0
		for _, j := range g.Row(i) {
			sum += x[j]
		}
		y[i] = sum
	}
}
