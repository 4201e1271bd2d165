package kernels

import "github.com/gokkos/gokkos/exec/kernel/kmath"

// Functors that return values.

//gokkos:kernel
func clipped(low, high float64) func(x float64) float64 {
	return func(x float64) float64 {
		if x < low {
			return low
		}
		return min(x, high)
	}
}

//gokkos:kernel
func logistic(steep float64) func(x float32) float64 {
	return func(x float32) (y float64) {
		y = 1 / (1 + kmath.Exp(-steep*float64(x)))
		return
	}
}

//gokkos:kernel
func coloured(palette []float32, src int) func(k uint8) float32 {
	return func(k uint8) float32 { return palette[int(k)-src] }
}

//gokkos:kernel
func rising(x []float64) func(i int) bool {
	return func(i int) bool { return x[i] < x[i+1] }
}

//gokkos:kernel
func smoothed(first float64, w, x []float64) func(i int) float64 {
	return func(i int) float64 {
		s := first
		for k := range w {
			s += float64(w[k] * x[i+k])
		}
		return s
	}
}
