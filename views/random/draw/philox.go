package draw

import "math/bits"

// The multipliers and the steps of the key of Philox4x64: section 4.3 of the paper.
const (
	multiplier0 = 0xD2E7470EE14C6C93
	multiplier1 = 0xCA5A826395121157
	weyl0       = 0x9E3779B97F4A7C15 // the golden ratio
	weyl1       = 0xBB67AE8584CAA73B // √3 - 1
	rounds      = 10
)

// Philox returns Philox4x64-10 of a counter: 4 words that are random to every test known.
// Any two of its arguments that differ give words that have nothing to do with each other.
func Philox(c0, c1, c2, c3, k0, k1 uint64) (x0, x1, x2, x3 uint64) {
	for range rounds {
		hi0, lo0 := bits.Mul64(multiplier0, c0)
		hi1, lo1 := bits.Mul64(multiplier1, c2)
		c0, c1, c2, c3 = hi1^c1^k0, lo1, hi0^c3^k1, lo0
		k0 += weyl0
		k1 += weyl1
	}
	return c0, c1, c2, c3
}
