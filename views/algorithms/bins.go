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

	lo, hi, width, scale float64 // of UniformBins: the ends, units per bin, and bins per unit
}

// UniformBins returns n bins of equal width from lo to hi. Edge k is lo + k*((hi-lo)/n) in
// float64, and hi is the last one; values are compared with the edges as float64.
//
// It is an error, returned by what the bins are given to, if n is below 1, if lo is not less
// than hi as float64, and if hi-lo is infinite.
func UniformBins[T builtin.Real](lo, hi T, n int) Bins[T] {
	first, last := float64(lo), float64(hi)
	width := last - first
	if n < 1 || !(width > 0) || math.IsInf(width, 0) {
		return Bins[T]{err: fmt.Errorf("%d uniform bins from %v to %v, expected at least one, "+
			"and a difference of float64s that is positive and finite", n, lo, hi)}
	}
	return Bins[T]{n: n, lo: first, hi: last, width: width / float64(n), scale: float64(n) / width}
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
	if b.scale > 0 {
		return b.uniform(float64(x))
	}
	if b.n == 0 || !(x >= b.edges[0] && x <= b.edges[b.n]) {
		return -1
	}
	return min(sort.Search(b.n, func(k int) bool { return b.edges[k+1] > x }), b.n-1)
}

func (b *Bins[T]) uniform(x float64) int {
	if !(x >= b.lo && x <= b.hi) {
		return -1
	}
	k := b.n - 1
	if guess := (x - b.lo) * b.scale; guess < float64(k) { // rounded; scale may be infinite or denormal
		k = int(guess)
	}
	if x < b.edge(k) {
		k--
	} else if k+1 < b.n && x >= b.edge(k+1) {
		k++
	}
	if k >= 0 && x >= b.edge(k) && (k+1 == b.n || x < b.edge(k+1)) {
		return k
	}
	return sort.Search(b.n-1, func(k int) bool { return b.edge(k+1) > x })
}

// edge returns the lower edge of bin k of uniform ones.
func (b *Bins[T]) edge(k int) float64 {
	return min(b.lo+float64(float64(k)*b.width), b.hi)
}
