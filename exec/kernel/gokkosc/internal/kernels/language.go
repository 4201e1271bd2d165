package kernels

import (
	"math"
	"math/bits"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/kernels/numeric"
	"github.com/gokkos/gokkos/views"
)

// These kernels have the parts of Go that a kernel can have, and not much sense.

// A celsius is a number with a type of its own.
type celsius float64

// A grid is what kernels capture of a struct.
type grid struct {
	origin  [2]float64
	step    float64
	values  []float64
	offsets [4]int32
	line    numeric.Line
}

// inlined calls functions of another package: generic ones, methods, and with several results.
//
//gokkos:kernel
func inlined(l numeric.Line, x, y []float64, n []int32) func(i int) {
	return func(i int) {
		lo, hi := numeric.Ordered(x[i], l.Turned().At(x[i]))
		y[i] = numeric.Clamp(l.At(x[i]), lo, hi)
		n[i] = numeric.Clamp(n[i], -3, int32(i))
	}
}

// captured takes parts of structs and arrays.
//
//gokkos:kernel
func captured(g grid, weights [5]float64, y []float64) func(i int) {
	return func(i int) {
		h := g
		h.origin[1] += g.step
		h.line = numeric.Line{B: 2}
		s := h.origin[0] - h.origin[1]
		for k, w := range weights {
			s += float64(w * float64(g.offsets[k&3]))
		}
		y[i] = h.line.At(s) + g.line.At(g.values[i]) + weights[i%5]
	}
}

// setUp computes numbers before its literal.
//
//gokkos:kernel
func setUp(n int, step float64, y []float64) func(i int) {
	half, last := step/2, n-1
	if_ := float64(last)
	half += 1
	return func(i int) {
		if i < last {
			y[i] = half
		} else {
			y[i] = if_
		}
	}
}

// labels leaves loops from within others.
//
//gokkos:kernel
func labels(x []float64, m int, y []float64) func(i int) {
	return func(i int) {
		s, rounds := 0.0, 0
	rows:
		for j := range m {
			for k := m; ; k -= 2 {
				rounds++
				switch {
				case k < 0:
					continue rows
				case x[i]+float64(k) > 4:
					break rows
				case k == 3:
					if s > 2 {
						break
					}
					s += 2
				default:
					s += 0.5
				}
				if j+k == 5 {
					continue
				}
				s += x[i]
			}
		}
		last := 0
		for last = 1; last < m; last++ {
			if x[i] < float64(last) {
				break
			}
		}
		y[i] = s + float64(rounds+last)
	}
}

// found returns the first place of a value from a place on, or -1.
func found(x []float64, from int, v float64) (at int) {
	for at = from; at < len(x); at++ {
		if x[at] == v {
			return
		}
	}
	return -1
}

// search calls a function that returns from within a loop, and panics.
//
//gokkos:kernel
func search(x []float64, v float64, at []int) func(i int) {
	return func(i int) {
		k := found(x, i, v)
		if k == i && k > 2 {
			panic("here")
		}
		at[i] = k
	}
}

// moments is Σ x, Σ x², the least x and how many there are.
//
//gokkos:kernel
func moments(x []float32) func(i int, sum, squares *float64, least *float32, n *int64) {
	return func(i int, sum, squares *float64, least *float32, n *int64) {
		v := float64(x[i])
		*sum += v
		*squares += float64(v * v)
		*least = min(*least, x[i])
		*n++
	}
}

// parity is whether an odd number of x is negative, and their bits.
//
//gokkos:kernel
func parity(x []celsius) func(i int, odd *bool, all *uint32) {
	return func(i int, odd *bool, all *uint32) {
		if x[i] < 0 {
			*odd = !*odd
		}
		*all ^= uint32(math.Float64bits(float64(x[i])) >> 40)
	}
}

// planes adds up views of all ranks.
//
//gokkos:kernel
func planes(a views.View1[float64], b views.Strided2[float64], c views.View3[float64], d views.View4[float32], y []celsius) func(i int) {
	return func(i int) {
		s := a.At(i)
		for j := range b.Extent(1) {
			s += b.At(i, j)
		}
		for _, v := range c.Row(i, 1) {
			s += v
		}
		for j := range d.Extent(2) {
			for k := range d.Extent(3) {
				s += float64(d.At(i, 0, j, k))
			}
		}
		y[i] = celsius(s) + celsius(len(a.Row())+a.Len())
	}
}

// windows takes slices of slices.
//
//gokkos:kernel
func windows(x []float64, ends []int, y []float64) func(i int) {
	return func(i int) {
		w := x[:ends[i]]
		if i > 0 {
			w = w[ends[i-1]:]
		}
		s := 0.0
		for _, v := range w[:len(w):cap(w)] {
			s += v
		}
		out := y[i:]
		out[0] = s
	}
}

// scattered stores where the data say, twice, and reads between.
//
//gokkos:kernel
func scattered(to []int, x, y []float64) func(i int) {
	return func(i int) {
		y[to[i]] += x[i]
		if x[i] > 0 {
			y[i] = -y[to[i]]
		}
		y[to[i+1]] = 3
	}
}

// mixed has unsigned numbers, shifts, rotations and conversions.
//
//gokkos:kernel
func mixed(seed uint32, shift int, h []uint32, f []float32) func(i int) {
	return func(i int) {
		a := bits.RotateLeft32(seed^uint32(i), int(h[i]&15))
		b := uint64(a)*0x9e3779b97f4a7c15>>shift | 1
		if b > 1<<63 && a/3 >= seed%7 {
			a = ^a
		}
		h[i] = max(a, uint32(b>>32)) &^ 3
		f[i] = float32(b) / float32(int32(a)|1)
		if f[i] != f[i] || math.IsNaN(float64(f[i])) {
			f[i] = math.Float32frombits(a & 0x7fffff)
		}
	}
}

// extents asks a view for its extents only, and has parameters with names that generated code has.
//
//gokkos:kernel
func extents(begin views.View2[float64], item, end []celsius, kernel int) func(i int) {
	return func(i int) {
		celsius := item[i]
		end[i] = celsius + 1
		if begin.Extent(1) > kernel {
			end[i] = -celsius
		}
	}
}

// swapped exchanges elements, and variables in a loop.
//
//gokkos:kernel
func swapped(n int, x, y, z []float64) func(i int) {
	return func(i int) {
		t := y[i]
		y[i] = x[i]
		x[i] = -t
		a, b := 0.0, 1.0
		for range n {
			a, b = b, a+b
		}
		z[i] += a
	}
}

// restored stores several times before it finds out that an index, which depends on that, is out of range.
//
//gokkos:kernel
func restored(x, y, z []float64) func(i int) {
	return func(i int) {
		y[i] += 1
		if x[i] > 0 {
			y[i] = -y[i]
		}
		y[i] += 2
		k := int(max(min(y[i], 6), -1))
		z[k] = y[i]
	}
}

// counted sets y[i] to x[i], halved for each of n integers from the least one on.
//
//gokkos:kernel
func counted(n uint8, x, y []float64) func(i int) {
	return func(i int) {
		s := x[i]
		for j := math.MinInt; j < math.MinInt+int(n); j++ {
			s /= 2
		}
		y[i] = s
	}
}
