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
	at := exponent - 2 + 64
	word, shift := at/64, at%64
	var w [3]uint64
	for i := range w {
		w[i] = twoOverPi[word+i]<<shift | twoOverPi[word+i+1]>>(64-shift)
	}
	high0, p0 := bits.Mul64(w[2], mantissa)
	high1, low1 := bits.Mul64(w[1], mantissa)
	p1, carry := bits.Add64(high0, low1, 0)
	p2 := high1 + w[0]*mantissa + carry

	k = p2 >> 62
	high, low := p2<<2|p1>>62, p1<<2|p0>>62
	negative := high>>63 != 0
	if negative { // the next k is nearer
		k++
		var borrow uint64
		low, borrow = bits.Sub64(0, low, 0)
		high, _ = bits.Sub64(0, high, borrow)
	}
	n := bits.LeadingZeros64(high)
	high, low = high<<n|low>>(64-n), low<<n
	unit := power2(int64(-64 - n))
	f := float64(float64(high&^0x7ff) * unit)
	fRest := float64((float64(high&0x7ff) + float64(float64(low)*0x1p-64)) * unit)
	r = float64(f * halfPi1)
	rest = fma(f, halfPi1, -r) + fma(f, halfPi2, float64(fRest*halfPi1))
	r, rest = r+rest, (r-(r+rest))+rest
	if negative {
		r, rest = -r, -rest
	}
	if x < 0 {
		return -k, -r, -rest
	}
	return k, r, rest
}
