package main

import (
	"math"

	"github.com/gokkos/gokkos/views"
)

// data is the arrays that kernels read and write, in C++ as in Go.
type data struct {
	x, y   []float64 // decimals in [-.5, .5)
	z      []float64 // for results
	b      []bool    // all true
	counts []int32   // from 0 to 7
	ints   []int32   // for results
	cell   []int32   // made by cells
	cells  int       // what cell is made for
	mass   []float64 // made by masses
	atoms  atoms     // made by atomsOf
	sparse sparse    // made by newSparse
}

// newData returns arrays of n elements. Large ones are in huge pages if views are.
func newData(n int) *data {
	d := &data{
		x: array[float64](n), y: array[float64](n), z: array[float64](n), b: array[bool](n),
		counts: array[int32](n), ints: array[int32](n),
	}
	for i := range n {
		d.x[i], d.y[i], d.b[i] = uniform(uint64(2*i)), uniform(uint64(2*i+1)), true
		d.counts[i] = int32(random(uint64(i)) >> 61)
	}
	return d
}

func array[T any](n int) []T {
	x, _ := views.Must(views.New1[T]("data", n)).Slice()
	return x
}

// cellsOf returns a random one of that many cells for each of n items.
func (d *data) cellsOf(n, cells int) []int32 {
	if d.cells != cells || len(d.cell) < n {
		d.cells, d.cell = cells, array[int32](n)
		for i := range d.cell {
			d.cell[i] = int32(random(uint64(i)) % uint64(cells))
		}
	}
	return d.cell[:n]
}

// random returns number k of a sequence of random numbers, by SplitMix64.
func random(k uint64) uint64 {
	k += 0x9e3779b97f4a7c15
	k = (k ^ k>>30) * 0xbf58476d1ce4e5b9
	k = (k ^ k>>27) * 0x94d049bb133111eb
	return k ^ k>>31
}

// uniform returns number k of a sequence of decimals in [-.5, .5).
func uniform(k uint64) float64 { return float64(random(k)>>11)*0x1p-53 - .5 }

// results are an array that kernels write.
type results interface {
	// reset fills it with ones: among zeros, a result of zero that is missing would not show.
	reset()
	// outcome sums it with a weight for each place, so that swapped elements show.
	outcome() outcome
}

type float64s []float64

func (z float64s) reset() { fill(z, 1) }

func (z float64s) outcome() (o outcome) {
	for i, v := range z {
		t := float64(v * uniform(uint64(i)))
		o.value += t
		o.scale += math.Abs(t)
		o.bits = (o.bits ^ math.Float64bits(v)) * 0x9e3779b97f4a7c15
	}
	o.scale *= writtenBound
	return o
}

// int32s are compared exactly: their sum is one of integers.
type int32s []int32

func (z int32s) reset() { fill(z, 1) }

func (z int32s) outcome() (o outcome) {
	for i, v := range z {
		o.bits += uint64(v) * random(uint64(i))
	}
	o.value = float64(o.bits >> 11)
	return o
}

func fill[T any](x []T, v T) {
	for i := range x {
		x[i] = v
	}
}
