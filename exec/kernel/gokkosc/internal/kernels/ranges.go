package kernels

import (
	"math"

	"github.com/gokkos/gokkos/views"
)

// Kernels whose indices are in range because of other checks than their own, or in rounds that are not run.

// third takes elements that are in range if the lengths of slices are long enough.
//
//gokkos:kernel
func third(n []int, x, y []float64) func(i int) {
	return func(i int) {
		s := x[i : i+n[i]]
		y[i] = s[2]
	}
}

// first loads what is the same in all rounds, and there only if there is a round.
//
//gokkos:kernel
func first(n int, x, y []float64) func(i int) {
	return func(i int) {
		sum := 0.0
		for j := 1; j < n; j++ {
			s := x[:j]
			sum += s[0]
		}
		y[i] = sum
	}
}

// crossed has slices that move with the round, and indices in these that move against it.
//
//gokkos:kernel
func crossed(n int, x, y []float64) func(i int) {
	return func(i int) {
		s := 0.0
		for j := 0; j < n; j++ {
			t := x[2*j : 2*j+3]
			s += t[n-j]
		}
		y[i] = s
	}
}

// strides adds rows of x to elements that lie apart by a number that is known when it runs: all of a row
// are added to one if that is 0.
//
//gokkos:kernel
func strides(n, step int, x, y []float64) func(i int) {
	return func(i int) {
		for j := range n {
			y[9*i+j*step] += x[9*i+j] + x[9*i+j+1] + x[9*i+j+2] + x[9*i+j+3]
		}
	}
}

// far has indices of which the first and the third behind it are in range, and none between.
//
//gokkos:kernel
func far(x, y []float64) func(i int) {
	return func(i int) {
		if x[i] > 0 {
			y[1+i*(math.MaxUint/3)] = x[i]
		}
	}
}

// apart has elements that lie further apart than instructions can say.
//
//gokkos:kernel
func apart(x, y []float64) func(i int) {
	return func(i int) { y[i*1000_000_000] -= x[i] }
}

// parts divides by numbers that count up with the item, beyond 0 where c is inside.
//
//gokkos:kernel
func parts(c int, x, y []int) func(i int) {
	return func(i int) { y[i] = x[i] / (i - c) }
}

// nonzero panics where x is positive and the item is c: of the quotient nothing is left but the question.
//
//gokkos:kernel
func nonzero(c int, x, y []float64) func(i int) {
	return func(i int) {
		if x[i] > 0 {
			_ = 1 / (i - c)
		}
		y[i] = 2 * x[i]
	}
}

// quotients divides by numbers that count up with the round, from a negative one on.
//
//gokkos:kernel
func quotients(from, to int, x, y []int) func(i int) {
	return func(i int) {
		s := 0
		for j := from; j < to; j++ {
			s += x[i] / j
		}
		y[i] = s
	}
}

// symmetric counts from a negative constant on.
//
//gokkos:kernel
func symmetric(n int, x, y []float64) func(i int) {
	return func(i int) {
		s := x[i]
		for j := -4; j < n; j++ {
			s = float64(s*0.5) + float64(j)
		}
		y[i] = s
	}
}

// behind divides by numbers that count up with the round from -5 on, and loads with the round.
//
//gokkos:kernel
func behind(n, x, y []int) func(i int) {
	return func(i int) {
		s := 0
		for j := range n[i] {
			s += x[j] % (j - 5)
		}
		y[i] = s
	}
}

// ahead needs the number of the next round for more than what it loads.
//
//gokkos:kernel
func ahead(from, to int, x, y []float64) func(i int) {
	return func(i int) {
		s := y[i]
		for j := from; j < to; j++ {
			s += float64(x[j+1] * float64((j+1)&3))
		}
		y[i] = s
	}
}

// drained chooses a limit in the condition of its loop.
//
//gokkos:kernel
func drained(x, y []int) func(i int) {
	return func(i int) {
		n, room := 0, y[i]&15
		for n < limit(x[i], room) {
			n, room = n+1, room-1
		}
		y[i] = n
	}
}

func limit(x, room int) int {
	if x < 0 {
		return 3
	}
	return room
}

// damped halves a row of v and adds that of u: rounds load what they store.
//
//gokkos:kernel
func damped(u, v views.View2[float64]) func(i int) {
	return func(i int) {
		for j := range v.Extent(1) {
			v.Set(i, j, float64(0.5*v.At(i, j))+u.At(i, j))
		}
	}
}

// beyond takes slices that reach beyond the length of one, up to its capacity.
//
//gokkos:kernel
func beyond(n int, x, y []float64) func(i int) {
	return func(i int) {
		s, sum := x[i:i+n], 0.0
		for k, v := range s {
			sum += v
			if k > 1 {
				sum -= s[2]
			}
		}
		y[i] = sum + s[n-1]
	}
}
