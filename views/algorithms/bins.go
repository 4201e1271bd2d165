package algorithms

import (
	"fmt"
	"math"
	"sort"

	"github.com/gokkos/gokkos/builtin"
)

// Bins are intervals that follow one another: bin k has the values x with edge k <= x <
// edge k+1, and the last bin has its upper edge too. This is the rule of numpy. Values
// outside, and NaN, are in no bin. [UniformBins] and [EdgeBins] make them.
type Bins[T builtin.Real] struct {
	n     int
	edges []T // of EdgeBins
	err   error

	lo, scale float64 // of UniformBins: where they begin, and bins per unit
	marks     []float64
}

// UniformBins returns n bins of equal width from lo to hi. Edge k is lo + k*((hi-lo)/n) in
// float64, and hi is the last one; values are compared with the edges as float64.
//
// It is an error, returned by what the bins are given to, if n is below 1, if lo is not less
// than hi, and if hi-lo is infinite.
func UniformBins[T builtin.Real](lo, hi T, n int) Bins[T] {
	first, last := float64(lo), float64(hi)
	width := last - first
	if n < 1 || !(width > 0) || math.IsInf(width, 0) {
		return Bins[T]{err: fmt.Errorf("%d uniform bins from %v to %v, expected at least one, and a finite interval", n, lo, hi)}
	}
	b := Bins[T]{n: n, lo: first, scale: float64(n) / width, marks: make([]float64, n+1)}
	for k := range n {
		b.marks[k] = min(first+float64(float64(k)*(width/float64(n))), last)
	}
	b.marks[n] = last
	return b
}

// EdgeBins returns the bins between neighbouring edges.
//
// It is an error, returned by what the bins are given to, if there are fewer than two edges,
// or if one is not greater than the one before it.
func EdgeBins[T builtin.Real](edges ...T) Bins[T] {
	for k := range edges {
		if k > 0 && !(edges[k] > edges[k-1]) {
			return Bins[T]{err: fmt.Errorf("edge %d of bins is %v after %v, expected a greater one", k, edges[k], edges[k-1])}
		}
	}
	if len(edges) < 2 {
		return Bins[T]{err: fmt.Errorf("%d edges of bins, expected at least 2", len(edges))}
	}
	return Bins[T]{n: len(edges) - 1, edges: append([]T(nil), edges...)}
}

// Len returns the number of bins.
func (b Bins[T]) Len() int { return b.n }

// Index returns the number of the bin that x is in, or -1.
func (b Bins[T]) Index(x T) int {
	if b.marks != nil {
		return b.uniform(float64(x))
	}
	if b.n == 0 || !(x >= b.edges[0] && x <= b.edges[b.n]) {
		return -1
	}
	return min(sort.Search(b.n, func(k int) bool { return b.edges[k+1] > x }), b.n-1)
}

func (b *Bins[T]) uniform(x float64) int {
	if !(x >= b.marks[0] && x <= b.marks[b.n]) {
		return -1
	}
	k := min(int((x-b.lo)*b.scale), b.n-1) // right, or a neighbour because it is rounded
	for x < b.marks[k] {
		k--
	}
	for k+1 < b.n && x >= b.marks[k+1] {
		k++
	}
	return k
}
