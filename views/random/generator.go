package random

import (
	"fmt"

	"github.com/gokkos/gokkos/views/random/draw"
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
	g.words[0], g.words[1], g.words[2], g.words[3] = draw.Philox(g.next/4, g.stream, 0, 0, g.key[0], g.key[1])
}

// Uint32 returns a random uint32. It takes one Uint64, and the upper half of it.
func (g *Generator) Uint32() uint32 { return uint32(g.Uint64() >> 32) }

// Float64 returns a random k/2⁵³ with 0 <= k < 2⁵³. It takes one Uint64.
func (g *Generator) Float64() float64 { return draw.Unit(g.Uint64()) }

// Float32 returns a random k/2²⁴ with 0 <= k < 2²⁴. It takes one Uint64.
func (g *Generator) Float32() float32 { return float32(float32(g.Uint64()>>40) * 0x1p-24) }

// IntN returns a random int at least 0 and below n, each as likely as the others. It takes
// one Uint64, and with probability n/2⁶⁴ or less, one more, and so on. It panics if n is not
// at least 1, as an index does if there is none.
func (g *Generator) IntN(n int) int {
	if n <= 0 {
		panic(fmt.Sprintf("random: IntN(%d), expected at least 1", n))
	}
	x, ok := draw.Below(g.Uint64(), uint64(n))
	for !ok {
		x, ok = draw.Below(g.Uint64(), uint64(n))
	}
	return int(x)
}

// Normal returns a random number of the normal distribution of mean 0 and standard deviation
// 1, between -8.3 and 8.3. It takes one Uint64.
//
// Source: the inverse of the distribution function, see [FillNormal].
func (g *Generator) Normal() float64 { return draw.Normal(g.Uint64()) }

// Exp returns a random number of the exponential distribution of mean 1, between 0 and 36.8.
// It takes one Uint64.
func (g *Generator) Exp() float64 {
	return -draw.Log(float64((float64(g.Uint64()>>12) + 0.5) * 0x1p-52))
}
