package random

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/random/draw"
)

// FillUniform makes every element of v a random number at least lo and below hi, in parallel.
// It is Kokkos::fill_random.
//
// Element number k, the last index fastest, is made of the k-th Uint64 of pool.At(0), on any
// layout: a float of lo + (hi-lo)·u, where u is the number that Float64 makes of it, rounded
// to T, or to the last T below hi. An integer is that of IntN(hi-lo), plus lo; where IntN
// takes more than one Uint64, the others are those of pool.At(k+1).
//
// In the memory of a card that makes random numbers itself, see [device.RandomFiller], the launch runs there.
//
// It is an error if lo < hi is false, or if lo, hi or hi-lo is not finite, and then v keeps
// its content; and what is an error of [views.FillFunc].
func FillUniform[T builtin.Integer | builtin.Float](v views.Viewer[T], pool Pool, lo, hi T, on ...policy.Launch) error {
	if !(lo < hi) {
		return fmt.Errorf("random: FillUniform from %v to %v, expected the first to be lower", lo, hi)
	}
	one := T(1)
	if one/2 == 0 {
		return fill(v, pool, device.UniformInts{From: uint64(lo), Count: uint64(hi) - uint64(lo)}, "FillUniform", uniformInts[T], on)
	}
	width := float64(hi) - float64(lo)
	if math.IsInf(width, 0) {
		return fmt.Errorf("random: FillUniform from %v to %v, expected finite numbers with a finite difference", lo, hi)
	}
	return fill(v, pool, device.UniformFloats{From: float64(lo), Width: width, Last: float64(before(hi))}, "FillUniform", uniformFloats[T], on)
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
func FillNormal[T builtin.Float](v views.Viewer[T], pool Pool, mean, stddev T, on ...policy.Launch) error {
	m, d := float64(mean), float64(stddev)
	if math.IsNaN(m-m) || math.IsNaN(d-d) || d < 0 {
		return fmt.Errorf("random: FillNormal of mean %v and standard deviation %v, expected finite numbers, the second at least 0", mean, stddev)
	}
	return fill(v, pool, device.NormalFloats{Mean: m, Deviation: d}, "FillNormal", normals[T], on)
}

// fill makes all elements: by the space, where it does that with code of its own, and else by a function.
func fill[T builtin.Integer | builtin.Float, L any](v views.Viewer[T], pool Pool, law L, name string, f func(x []T, begin int, pool Pool, law L), on []policy.Launch) error {
	if filler, x := fillerOf(v, on); filler != nil {
		what := fmt.Sprintf("random: %s of %v", name, x)
		if err := memory.Alone(x.MemorySpace(), policy.Launch{}.With(on...).Space(), what); err != nil {
			return err
		}
		return fillFar(filler, x, device.Random{Key: pool.key, Law: law}, name, on)
	}
	return views.FillFunc(v, func(s policy.Span, x []T) { f(x, s.Begin, pool, law) }, on...)
}

// The functions that follow set x[k] to element number begin+k.

func uniformInts[T builtin.Integer | builtin.Float](x []T, begin int, pool Pool, law device.UniformInts) {
	var b buffer
	for len(x) > 0 {
		words := b.fetch(pool, begin, len(x))
		for k, w := range words {
			y, ok := draw.Below(w, law.Count)
			if !ok {
				y = draw.Others(uint64(begin+k+1), law.Count, pool.key[0], pool.key[1])
			}
			x[k] = T(law.From + y)
		}
		x, begin = x[len(words):], begin+len(words)
	}
}

func uniformFloats[T builtin.Integer | builtin.Float](x []T, begin int, pool Pool, law device.UniformFloats) {
	last := T(law.Last)
	var b buffer
	for len(x) > 0 {
		words := b.fetch(pool, begin, len(x))
		for k, w := range words {
			x[k] = draw.Uniform(w, law.From, law.Width, last)
		}
		x, begin = x[len(words):], begin+len(words)
	}
}

func normals[T builtin.Integer | builtin.Float](x []T, begin int, pool Pool, law device.NormalFloats) {
	var b buffer
	for len(x) > 0 {
		words := b.fetch(pool, begin, len(x))
		for k, w := range words {
			x[k] = draw.Gauss[T](w, law.Mean, law.Deviation)
		}
		x, begin = x[len(words):], begin+len(words)
	}
}

// A buffer holds words of stream 0: few enough to stay in the L1 cache.
type buffer [512 + 4]uint64

// fetch returns words begin and on, n of them or as many as a buffer takes. They are good
// until the next call.
func (b *buffer) fetch(pool Pool, begin, n int) []uint64 {
	first := begin % 4 // Philox makes four at a time
	end := first + min(n, len(b)-4)
	block := uint64(begin / 4)
	for k := 0; k < end; k += 4 {
		w := b[k:][:4]
		w[0], w[1], w[2], w[3] = draw.Philox(block, 0, 0, 0, pool.key[0], pool.key[1])
		block++
	}
	return b[first:end]
}

// before returns the largest float below x.
func before[T builtin.Integer | builtin.Float](x T) T {
	tiny := math.SmallestNonzeroFloat32 / 2
	if T(tiny) == 0 { // it is a float32
		return T(math.Nextafter32(float32(x), float32(math.Inf(-1))))
	}
	return T(math.Nextafter(float64(x), math.Inf(-1)))
}
