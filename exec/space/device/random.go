package device

import "context"

// A RandomFiller is a space that makes random numbers in its memory, which the host cannot touch, with code of its own. It
// needs no job: it stores nothing but them.
type RandomFiller interface {
	MemoryOwner
	// FillRandom sets X[k] to number k, for all k.
	//
	// Errors: it makes no numbers of such a type, the memory is none of its own, it is closed, or the context is done: some
	// elements may have their numbers then, and the others keep what they were.
	FillRandom(ctx context.Context, r Random) error
}

// A Random is random numbers in memory. Number k is made of word k of stream 0 of the pool that has the key, as
// random.FillUniform and random.FillNormal of package views/random say, by the functions of package views/random/draw.
type Random struct {
	X      any // a slice of type []T of integers or floats
	Memory Memory
	Key    [2]uint64
	Law    any // [UniformFloats], [UniformInts] or [NormalFloats]
}

// UniformFloats are From + Width·u, 0 <= u < 1, rounded to the type, and at most Last.
type UniformFloats struct{ From, Width, Last float64 }

// UniformInts are From + n, 0 <= n < Count, both modulo 2⁶⁴. As many bits of the sum as the type has are the number.
type UniformInts struct{ From, Count uint64 }

// NormalFloats are Mean + Deviation·z, rounded to the type, where z has the normal distribution.
type NormalFloats struct{ Mean, Deviation float64 }
