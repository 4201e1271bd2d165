package random

import "github.com/gokkos/gokkos/views/random/draw"

// A Pool is streams of random numbers, one for each int. It is an immutable value: At gives
// the same numbers each time. The zero value is New(0).
type Pool struct{ key key }

// A key chooses one of the permutations of the counters.
type key [2]uint64

// New returns the pool of a seed. Pools of different seeds have nothing to do with each other.
func New(seed uint64) Pool { return Pool{key{seed, 0}} }

// At returns the generator of stream i, at its begin. Streams have nothing to do with each
// other; i may be negative. It allocates nothing and costs nothing before the first number.
func (p Pool) At(i int) Generator { return Generator{key: p.key, stream: uint64(i)} }

// Key returns the numbers that tell the streams of p from those of other pools: the key of the generator.
// Compiled kernels have them.
func (p Pool) Key() [2]uint64 { return p.key }

// splits is the part of the counter that tells keys of pools from numbers, which have 0 there.
const splits = 1

// Split returns pool number k of those that p can be split into: other numbers, which have
// nothing to do with those of p, of its other splits and of theirs in turn. It is what a
// second launch draws from:
//
//	for step := range steps {
//		now := pool.Split(step)
//		err := exec.ParallelFor(p, func(i int) { g := now.At(i); ... })
//	}
func (p Pool) Split(k int) Pool {
	k0, k1, _, _ := draw.Philox(0, uint64(k), 0, splits, p.key[0], p.key[1])
	return Pool{key{k0, k1}}
}
