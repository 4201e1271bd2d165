package main

import "github.com/gokkos/gokkos/views"

// data is the arrays that kernels read and write, in C++ as in Go.
type data struct {
	x, y []float64 // decimals in [-.5, .5)
	z    []float64 // for results
	b    []bool    // all true
}

// newData returns arrays of n elements. Large ones are in huge pages if views are.
func newData(n int) *data {
	d := &data{array[float64](n), array[float64](n), array[float64](n), array[bool](n)}
	for i := range n {
		d.x[i], d.y[i], d.b[i] = uniform(uint64(2*i)), uniform(uint64(2*i+1)), true
	}
	return d
}

func array[T any](n int) []T {
	x, _ := views.Must(views.New1[T]("data", n)).Slice()
	return x
}

// uniform returns number k of a sequence of random numbers, by SplitMix64.
func uniform(k uint64) float64 {
	k += 0x9e3779b97f4a7c15
	k = (k ^ k>>30) * 0xbf58476d1ce4e5b9
	k = (k ^ k>>27) * 0x94d049bb133111eb
	k ^= k >> 31
	return float64(k>>11)*0x1p-53 - .5
}

// reset fills z with ones: among zeros, a result of zero that is missing would not show.
func reset(z []float64) {
	for i := range z {
		z[i] = 1
	}
}

// checksum sums z with a weight for each place, so that swapped elements show.
func checksum(z []float64) (sum float64) {
	for i, v := range z {
		sum += v * uniform(uint64(i))
	}
	return sum
}
