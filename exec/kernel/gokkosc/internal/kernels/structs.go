package kernels

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec/kernel/kmath"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

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

// least is the least of x and its first place, largest the largest and its last one.
//
//gokkos:kernel
func least(x []float64) func(i int, acc *builtin.ValLoc[float64, int]) {
	return func(i int, acc *builtin.ValLoc[float64, int]) { acc.Min(x[i], i) }
}

//gokkos:kernel
func largest(x []float32, place []uint32) func(i int, acc *builtin.ValLoc[float32, uint32]) {
	return func(i int, acc *builtin.ValLoc[float32, uint32]) { acc.MaxLast(x[i], place[i]) }
}

// lastLeast is the least of integers and its last place, firstLargest the largest and the least of its keys.
//
//gokkos:kernel
func lastLeast(x []int8) func(i int, acc *builtin.ValLoc[int8, int]) {
	return func(i int, acc *builtin.ValLoc[int8, int]) { acc.MinLast(x[i], i) }
}

//gokkos:kernel
func firstLargest(x []uint64, key []float64) func(i int, acc *builtin.ValLoc[uint64, float64]) {
	return func(i int, acc *builtin.ValLoc[uint64, float64]) { acc.Max(x[i], key[i]) }
}

// outer is the least and the largest of x, and their first places, outermost with the last place of the largest.
//
//gokkos:kernel
func outer(x []float64) func(i int, acc *builtin.MinMaxLocVal[float64, int]) {
	return func(i int, acc *builtin.MinMaxLocVal[float64, int]) { acc.Add(x[i], i) }
}

//gokkos:kernel
func outermost(x []float32) func(i int, acc *builtin.MinMaxLocVal[float32, [2]int32]) {
	return func(i int, acc *builtin.MinMaxLocVal[float32, [2]int32]) {
		acc.AddFirstLast(x[i], [2]int32{int32(i / 8), int32(i & 7)})
	}
}

// lowestPoint is the least of u, and its first point.
//
//gokkos:kernel
func lowestPoint(u views.View2[float64]) func(at policy.Index2, acc *builtin.ValLoc[float64, policy.Index2]) {
	return func(at policy.Index2, acc *builtin.ValLoc[float64, policy.Index2]) { acc.Min(u.At(at.I, at.J), at) }
}

// A mixture has numbers of several sizes.
type mixture struct {
	least  float64
	n      int64
	single float32
	seen   bool
	few    [2]int8
}

// pressed needs more values at a time than a loop in vectors has registers for: in instructions that read three of the
// frame and write another one.
//
//gokkos:kernel
func pressed(from float64, narrow uint16, wide uint64, on []bool, x, y []float64) func(i int, acc *mixture) {
	return func(i int, acc *mixture) {
		if on[0] {
			for range 3 {
				if t := kmath.Erf(x[i]); t < acc.least {
					acc.least = t
				}
			}
		} else if int(narrow) >= int(wide) {
			return
		}
		y[i] = (1 - from) * acc.least
	}
}

// A star has numbers of several sizes.
type star struct {
	at     [2]float64
	mass   float32
	colour uint8
	gone   bool
	number int
}

// drifted moves stars, of which some are gone.
//
//gokkos:kernel
func drifted(dt float64, from []star, to views.View1[star]) func(i int) {
	return func(i int) {
		s := from[i]
		if !s.gone {
			s.at[0] += float64(dt * s.at[1])
			s.colour++
		}
		s.number -= int(to.At(i).colour)
		to.Set(i, s)
	}
}

// heaviest is the tally of the stars of a row, and the heaviest one.
//
//gokkos:kernel
func heaviest(p views.View2[star], y []float64) func(i int, all *mixture, most *star) {
	return func(i int, all *mixture, most *star) {
		for j := range p.Extent(1) {
			s := p.At(i, j)
			all.least = min(all.least, s.at[j&1])
			all.n += int64(s.number)
			all.few[1] ^= int8(s.colour)
			if s.mass > most.mass {
				*most = s
			}
		}
		all.seen = all.seen || y[i] > all.least
	}
}

// marked sets y[i] to 1 if there is a star i, of which it loads nothing.
//
//gokkos:kernel
func marked(p views.View1[star], y []float64) func(i int) {
	return func(i int) {
		_ = p.At(i)
		y[i] = 1
	}
}
