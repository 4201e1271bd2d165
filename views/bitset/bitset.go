// Package bitset has sets of small numbers that kernels fill: Kokkos::Bitset.
//
//	visited, err := bitset.New(nodes)
//	err = exec.ParallelFor(policy.Range(0, edges), func(e int) { visited.Set(to[e]) })
//	for node := range visited.All() { ... }
//
// What a launch leaves in a set does not depend on the order of its items, if they only set bits, or only
// reset them. A set is of one process: after a launch over several, as ranks are, each has the bits of its
// own items.
package bitset

import (
	"fmt"
	"iter"
	"math/bits"

	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

// Bits are bits 0 to Size()-1. Items of a launch may set, reset and test them at the same time. What they are
// told of a bit that others change then depends on who comes first; the other methods are for the time
// between launches.
type Bits struct {
	words []uint64
	size  int
}

const wordBits = 64

// New returns so many bits, all 0. It is an error if the number is negative, or more than there can be memory for.
func New(size int) (*Bits, error) {
	if size < 0 {
		return nil, fmt.Errorf("bitset: %d bits, expected 0 or more", size)
	}
	words := size / wordBits
	if size%wordBits > 0 {
		words++
	}
	v, err := views.New1[uint64]("bits", words)
	if err != nil {
		return nil, fmt.Errorf("bitset: %d bits: %w", size, err)
	}
	return &Bits{v.Row(), size}, nil
}

// Size returns how many bits there are.
func (b *Bits) Size() int { return b.size }

// Set makes bit i 1, and reports whether it was 0: of several items that set it one is told so. It panics if
// there is no such bit, as do Reset and Test.
func (b *Bits) Set(i int) bool {
	word, bit := b.at(i)
	return atomics.FetchOr(word, bit)&bit == 0
}

// Reset makes bit i 0, and reports whether it was 1: of several items that reset it one is told so.
func (b *Bits) Reset(i int) bool {
	word, bit := b.at(i)
	return atomics.FetchAnd(word, ^bit)&bit != 0
}

// Test reports whether bit i is 1.
func (b *Bits) Test(i int) bool {
	word, bit := b.at(i)
	return atomics.Load(word)&bit != 0
}

// at returns where bit i is: bits behind the last one have a place in the last word, too.
func (b *Bits) at(i int) (word *uint64, bit uint64) {
	if uint(i) >= uint(b.size) {
		panic(fmt.Sprintf("bitset: bit %d of %d bits", i, b.size))
	}
	return &b.words[i/wordBits], 1 << (i % wordBits)
}

// Count returns how many bits are 1.
func (b *Bits) Count() (n int) {
	for _, word := range b.words {
		n += bits.OnesCount64(word)
	}
	return n
}

// All yields the numbers of the bits that are 1, the lowest first. The loop may set and reset bits: what it does
// to bits of the word that it is in, of 64, it does not see.
func (b *Bits) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for k, word := range b.words {
			for ; word != 0; word &= word - 1 {
				if !yield(k*wordBits + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// Fill makes all bits 1. It is Kokkos' set without an index.
func (b *Bits) Fill() {
	for k := range b.words {
		b.words[k] = ^uint64(0)
	}
	if rest := b.size % wordBits; rest > 0 {
		b.words[len(b.words)-1] = 1<<rest - 1
	}
}

// Clear makes all bits 0. It is Kokkos' reset without an index.
func (b *Bits) Clear() { clear(b.words) }
