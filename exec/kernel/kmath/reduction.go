package kmath

import (
	"math"
	"math/bits"
)

// farByHalfPi is byHalfPi for |x| > 2²⁰: the product of x and 2/π in integers, of which only 192 bits
// matter, those from the bit of weight 2 on (Payne and Hanek, 1983). It gives NaN for infinities and NaN.
//
//gokkos:closure
func farByHalfPi(x float64) (k uint64, r, rest float64) {
	b := math.Float64bits(x)
	exponent := int(b >> 52 & 0x7ff)
	if exponent == 0x7ff {
		return 0, math.NaN(), 0
	}
	exponent -= 1023 + 52
	mantissa := b&(1<<52-1) | 1<<52
	// The bits of 2/π before at make multiples of 4 and do not count.
	at := uint(exponent - 2 + 64)
	w := (*[4]uint64)(twoOverPi[at/64:])
	w0, w1, w2 := bitsFrom(w[0], w[1], at), bitsFrom(w[1], w[2], at), bitsFrom(w[2], w[3], at)
	high0, p0 := bits.Mul64(w2, mantissa)
	high1, low1 := bits.Mul64(w1, mantissa)
	p1, carry := bits.Add64(high0, low1, 0)
	p2 := high1 + w0*mantissa + carry

	k = p2 >> 62
	high, low := p2<<2|p1>>62, p1<<2|p0>>62
	back := high >> 63 // 1 where the next k is nearer, and high and low are negative
	k += back
	low, carry = bits.Add64(low^-back, back, 0)
	high = (high ^ -back) + carry
	n := uint(bits.LeadingZeros64(high)) // from 1 to 62
	high, low = bitsFrom(high, low, n), low<<(n&63)
	unit := power2(-53 - int64(n))
	f := float64(float64(int64(high>>11)) * unit)
	lowest := float64(float64(int64(low>>32))*0x1p-32) + float64(float64(int64(low&(1<<32-1)))*0x1p-64)
	fRest := float64((float64(int64(high&(1<<11-1))) + lowest) * float64(unit*0x1p-11))
	r = float64(f * halfPi1)
	rest = math.FMA(f, halfPi1, -r) + math.FMA(f, halfPi2, float64(fRest*halfPi1))
	r, rest = r+rest, (r-(r+rest))+rest
	sign := b >> 63
	return (k ^ -sign) + sign, negated(r, back^sign), negated(rest, back^sign)
}

// bitsFrom returns the 64 bits of high and low from bit n modulo 64 on.
func bitsFrom(high, low uint64, n uint) uint64 {
	return high<<(n&63) | low>>1>>(^n&63)
}
