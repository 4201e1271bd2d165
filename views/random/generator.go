package random

import (
	"fmt"
	"math"
	"math/bits"
)

// A Generator is a place in a stream of random numbers, made by [Pool.At]. Its methods step
// over what they return. A copy is at the same place, and goes on alone.
//
// It is a [math/rand/v2.Source]: rand.New(&g) has the other distributions, and Shuffle.
type Generator struct {
	key    key
	stream uint64
	next   uint64    // the place
	words  [4]uint64 // those of the places around next, if it is not at the first of them
}

// Uint64 returns a random uint64.
func (g *Generator) Uint64() uint64 {
	k := g.next & 3
	if k == 0 {
		g.fetch()
	}
	g.next++
	return g.words[k]
}

// fetch computes the words of place next and the three after it.
func (g *Generator) fetch() {
	g.words[0], g.words[1], g.words[2], g.words[3] = philox(g.next/4, g.stream, 0, 0, g.key[0], g.key[1])
}

// Uint32 returns a random uint32. It takes one Uint64, and the upper half of it.
func (g *Generator) Uint32() uint32 { return uint32(g.Uint64() >> 32) }

// Float64 returns a random k/2⁵³ with 0 <= k < 2⁵³. It takes one Uint64.
func (g *Generator) Float64() float64 { return unit(g.Uint64()) }

// Float32 returns a random k/2²⁴ with 0 <= k < 2²⁴. It takes one Uint64.
func (g *Generator) Float32() float32 { return float32(float32(g.Uint64()>>40) * 0x1p-24) }

// IntN returns a random int at least 0 and below n, each as likely as the others. It takes
// one Uint64, and with probability n/2⁶⁴ or less, one more, and so on. It panics if n is not
// at least 1, as an index does if there is none.
func (g *Generator) IntN(n int) int {
	if n <= 0 {
		panic(fmt.Sprintf("random: IntN(%d), expected at least 1", n))
	}
	x, ok := below(g.Uint64(), uint64(n))
	for !ok {
		x, ok = below(g.Uint64(), uint64(n))
	}
	return int(x)
}

// Normal returns a random number of the normal distribution of mean 0 and standard deviation
// 1, between -8.3 and 8.3. It takes one Uint64.
//
// Source: the inverse of the distribution function, see [FillNormal].
func (g *Generator) Normal() float64 { return normal(g.Uint64()) }

// Exp returns a random number of the exponential distribution of mean 1, between 0 and 36.8.
// It takes one Uint64.
func (g *Generator) Exp() float64 {
	return -logarithm((float64(g.Uint64()>>12) + 0.5) * 0x1p-52)
}

// unit returns the number in [0, 1) of a word.
func unit(w uint64) float64 { return float64(float64(w>>11) * 0x1p-53) }

// below returns the number in [0, n) of a word, and false if another word has to make it, so
// that each number has as many words as the others.
//
// Source: D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019.
func below(w, n uint64) (x uint64, ok bool) {
	x, low := bits.Mul64(w, n)
	return x, low >= n || low >= -n%n
}

// normal returns the number of a word with the normal distribution.
func normal(w uint64) float64 {
	// The middle of one of 2⁵³ intervals between -1/2 and 1/2, so neither end of it.
	return quantile((float64(int64(w)>>11) + 0.5) * 0x1p-53)
}

// logarithm returns log(x) for normal x > 0 with an error below 4e-16·|log(x)|. That of
// package math has other bits on some CPUs.
func logarithm(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	// log(f) = 2·artanh(s) = 2(s + s³/3 + s⁵/5 + ...), and |s| < 0.172.
	s := (fraction - 1) / (fraction + 1)
	z := s * s
	series := 0.0
	for _, c := range artanh {
		series = float64((series + c) * z)
	}
	return float64(float64(exponent)*math.Ln2) + float64(2*(s+float64(s*series)))
}

// artanh has the coefficients of s²¹ to s³ of its series.
var artanh = [...]float64{1. / 21, 1. / 19, 1. / 17, 1. / 15, 1. / 13, 1. / 11, 1. / 9, 1. / 7, 1. / 5, 1. / 3}
