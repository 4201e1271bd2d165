package kernels

import "github.com/gokkos/gokkos/builtin"

// These kernels have accumulators that are structs.

// ends is the least and the largest of x.
//
//gokkos:kernel
func ends(x []float64) func(i int, acc *builtin.MinMaxVal[float64]) {
	return func(i int, acc *builtin.MinMaxVal[float64]) { acc.Add(x[i]) }
}

// lowest is the least of x and where it is.
//
//gokkos:kernel
func lowest(x []float64) func(i int, acc *builtin.ValLoc[float64, int]) {
	return func(i int, acc *builtin.ValLoc[float64, int]) {
		if x[i] < acc.Val {
			acc.Val, acc.Loc = x[i], i
		}
	}
}

// between is the least and the largest of x, and where they are.
//
//gokkos:kernel
func between(x []float32) func(i int, acc *builtin.MinMaxLocVal[float32, int32]) {
	return func(i int, acc *builtin.MinMaxLocVal[float32, int32]) {
		if v := x[i]; v < acc.Min {
			acc.Min, acc.MinLoc = v, int32(i)
		}
		if v := x[i]; v > acc.Max {
			acc.Max, acc.MaxLoc = v, int32(i)
		}
	}
}

// average is the mean of x.
//
//gokkos:kernel
func average(x []float64) func(i int, acc *builtin.Average[float64]) {
	return func(i int, acc *builtin.Average[float64]) { acc.Add(x[i]) }
}

// variance is the variance of x.
//
//gokkos:kernel
func variance(x []float64) func(i int, acc *builtin.Moments[float64]) {
	return func(i int, acc *builtin.Moments[float64]) { acc.Add(x[i]) }
}

// A box is the least box around points, their number, and whether one of them is bad.
type box struct {
	low, high [3]float32
	points    uint16
	bad       bool
	weight    float64
}

// add takes a point.
func (b *box) add(p [3]float32, w float64) {
	for d, x := range p {
		if !(x >= b.low[d]) {
			b.low[d] = x
		}
		b.high[d] = max(b.high[d], x)
		b.bad = b.bad || x != x
	}
	b.points++
	b.weight += w
}

// around is the box around points, and the sum of their squares.
//
//gokkos:kernel
func around(x, y, z []float32, w []float64) func(i int, b *box, squares *float32) {
	return func(i int, b *box, squares *float32) {
		b.add([3]float32{x[i], y[i], z[i]}, w[i])
		*squares += float32(x[i]*x[i]) + float32(y[i]*y[i])
	}
}

// A tally counts in an array.
type tally struct {
	counts [4]int32
	last   int8
}

// digits counts what x is modulo 4, and sorts three neighbours in an array of its own.
//
//gokkos:kernel
func digits(x []float32) func(i int, acc *tally) {
	return func(i int, acc *tally) {
		a := [3]float32{x[i], x[i/2], x[i/3]}
		for j := 1; j < 3; j++ {
			for k := 0; k < 2; k++ {
				if a[k] > a[k+1] {
					a[k], a[k+1] = a[k+1], a[k]
				}
			}
		}
		acc.counts[int(a[1])&3] += int32(a[2]) - int32(a[0])
		acc.last = int8(a[int(x[i])%3])
	}
}
