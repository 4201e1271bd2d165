package kernels

import "github.com/gokkos/gokkos/policy"

// spanMeans sets y to averages of three elements of x.
//
//gokkos:kernel
func spanMeans(x, y []float64) func(s policy.Span) {
	return func(s policy.Span) {
		for i := range s.All() {
			y[i] = (x[i] + x[i+1] + x[i+2]) / 3
		}
	}
}

// spanSum adds the products of x and y, summed in a variable for each span, and the least of x.
//
//gokkos:kernel
func spanSum(x, y []float64) func(s policy.Span, sum, least *float64) {
	return func(s policy.Span, sum, least *float64) {
		t := 0.0
		for i := s.Begin; i < s.End; i++ {
			t += float64(x[i] * y[i])
			*least = min(*least, x[i])
		}
		*sum += t
	}
}

// lengths stores how long the span of each integer is.
//
//gokkos:kernel
func lengths(n []int) func(s policy.Span) {
	return func(s policy.Span) {
		for i := range s.All() {
			n[i] = s.Len()*1000 + i - s.Begin
		}
	}
}
