package random

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Integer is any integer type.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Float is any floating-point type.
type Float interface{ ~float32 | ~float64 }

// FillUniform makes every element of v a random number at least lo and below hi, in parallel.
// It is Kokkos::fill_random.
//
// Element number k, the last index fastest, is made of the k-th Uint64 of pool.At(0), on any
// layout: a float of lo + (hi-lo)·u, where u is the number that Float64 makes of it, rounded
// to T, or to the last T below hi. An integer is that of IntN(hi-lo), plus lo; where IntN
// takes more than one Uint64, the others are those of pool.At(k+1).
//
// It is an error if lo < hi is false, or if lo, hi or hi-lo is not finite, and then v keeps
// its content; and what is an error of [views.FillFunc].
func FillUniform[T Integer | Float](v views.Viewer[T], pool Pool, lo, hi T, on ...policy.Launch) error {
	if !(lo < hi) {
		return fmt.Errorf("random: FillUniform from %v to %v, expected the first to be lower", lo, hi)
	}
	one := T(1)
	if one/2 == 0 {
		return views.FillFunc(v, func(s policy.Span, x []T) { uniformInts(x, s.Begin, pool, lo, hi) }, on...)
	}
	if width := float64(hi) - float64(lo); math.IsInf(width, 0) {
		return fmt.Errorf("random: FillUniform from %v to %v, expected finite numbers with a finite difference", lo, hi)
	}
	return views.FillFunc(v, func(s policy.Span, x []T) { uniformFloats(x, s.Begin, pool, lo, hi) }, on...)
}

// FillNormal makes every element of v a random number of the normal distribution, in
// parallel. It is an error if mean or stddev is not finite, or stddev below 0, and then v
// keeps its content; and what is an error of [views.FillFunc].
//
// Element number k, the last index fastest, is mean + stddev·z rounded to T, on any layout,
// where z is the number that Normal makes of the k-th Uint64 of pool.At(0).
//
// Source: M. J. Wichura, "The percentage points of the normal distribution", Applied
// Statistics 37, 1988, algorithm AS 241, of a number between 0 and 1. It takes one number
// always and its bits are the same on every CPU.
func FillNormal[T Float](v views.Viewer[T], pool Pool, mean, stddev T, on ...policy.Launch) error {
	m, d := float64(mean), float64(stddev)
	if math.IsNaN(m-m) || math.IsNaN(d-d) || d < 0 {
		return fmt.Errorf("random: FillNormal of mean %v and standard deviation %v, expected finite numbers, the second at least 0", mean, stddev)
	}
	return views.FillFunc(v, func(s policy.Span, x []T) { normals(x, s.Begin, pool, m, d) }, on...)
}

// The functions that follow set x[k] to element number begin+k.

func uniformInts[T Integer | Float](x []T, begin int, pool Pool, lo, hi T) {
	n := uint64(hi) - uint64(lo)
	var b buffer
	for len(x) > 0 {
		words := b.fetch(pool, begin, len(x))
		for k, w := range words {
			y, ok := below(w, n)
			if !ok {
				y = others(pool.At(begin+k+1), n)
			}
			x[k] = lo + T(y)
		}
		x, begin = x[len(words):], begin+len(words)
	}
}

// others returns the number in [0, n) of the first words of g that make one.
func others(g Generator, n uint64) uint64 {
	for {
		if y, ok := below(g.Uint64(), n); ok {
			return y
		}
	}
}

func uniformFloats[T Integer | Float](x []T, begin int, pool Pool, lo, hi T) {
	from, width, last := float64(lo), float64(hi)-float64(lo), before(hi)
	var b buffer
	for len(x) > 0 {
		words := b.fetch(pool, begin, len(x))
		for k, w := range words {
			x[k] = min(T(from+float64(width*unit(w))), last)
		}
		x, begin = x[len(words):], begin+len(words)
	}
}

func normals[T Float](x []T, begin int, pool Pool, mean, stddev float64) {
	var b buffer
	for len(x) > 0 {
		words := b.fetch(pool, begin, len(x))
		for k, w := range words {
			x[k] = T(mean + float64(stddev*normal(w)))
		}
		x, begin = x[len(words):], begin+len(words)
	}
}

// A buffer holds words of stream 0: few enough to stay in the L1 cache.
type buffer [512 + 4]uint64

// fetch returns words begin and on, n of them or as many as a buffer takes. They are good
// until the next call.
func (b *buffer) fetch(pool Pool, begin, n int) []uint64 {
	first := begin % 4 // philox makes four at a time
	end := first + min(n, len(b)-4)
	block := uint64(begin / 4)
	for k := 0; k < end; k += 4 {
		w := b[k:][:4]
		w[0], w[1], w[2], w[3] = philox(block, 0, 0, 0, pool.key[0], pool.key[1])
		block++
	}
	return b[first:end]
}

// before returns the largest float below x.
func before[T Integer | Float](x T) T {
	tiny := math.SmallestNonzeroFloat32 / 2
	if T(tiny) == 0 { // it is a float32
		return T(math.Nextafter32(float32(x), float32(math.Inf(-1))))
	}
	return T(math.Nextafter(float64(x), math.Inf(-1)))
}
