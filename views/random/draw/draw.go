package draw

import (
	"math"
	"math/bits"
)

type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

// Unit returns the number in [0, 1) of a word.
func Unit(w uint64) float64 { return float64(float64(w>>11) * 0x1p-53) }

// Below returns the number in [0, n) of a word, and false if another word has to make it, so
// that each number has as many words as the others.
//
// Source: D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019.
func Below(w, n uint64) (x uint64, ok bool) {
	x, low := bits.Mul64(w, n)
	return x, low >= n || low >= -n%n
}

// Normal returns the number of a word with the normal distribution of mean 0 and standard deviation 1.
func Normal(w uint64) float64 {
	// The middle of one of 2⁵³ intervals between -1/2 and 1/2, so neither end of it.
	return quantile(float64((float64(int64(w)>>11) + 0.5) * 0x1p-53))
}

// Log returns log(x) for normal x > 0 with an error below 4e-16·|log(x)|. That of package math has other bits on some CPUs.
func Log(x float64) float64 {
	// x is fraction·2^exponent, with 1/2 <= fraction < 1.
	const half = 1022 // the exponent of such a fraction, as its bits have it
	all := math.Float64bits(x)
	exponent := int(all>>52) - half
	fraction := math.Float64frombits(all&(1<<52-1) | half<<52)
	if fraction < math.Sqrt2/2 {
		fraction = float64(2 * fraction)
		exponent--
	}
	// log(f) = 2·artanh(s) = 2(s + s³/3 + s⁵/5 + ...), and |s| < 0.172.
	s := (fraction - 1) / (fraction + 1)
	z := float64(s * s)
	series := 0.0
	for _, c := range artanh {
		series = float64((series + c) * z)
	}
	return float64(float64(exponent)*math.Ln2) + float64(2*(s+float64(s*series)))
}

// artanh has the coefficients of s²¹ to s³ of its series.
var artanh = [...]float64{1. / 21, 1. / 19, 1. / 17, 1. / 15, 1. / 13, 1. / 11, 1. / 9, 1. / 7, 1. / 5, 1. / 3}

// Element number k of an array is made of word k of stream 0 of a pool by one of the functions that follow.

// Uniform returns from + width·u, where u is the number in [0, 1) of the word, rounded to T, and at most last.
func Uniform[T number](w uint64, from, width float64, last T) T {
	return min(T(from+float64(width*Unit(w))), last)
}

// Gauss returns mean + stddev·z, where z is the number of the word with the normal distribution, rounded to T.
func Gauss[T number](w uint64, mean, stddev float64) T {
	return T(mean + float64(stddev*Normal(w)))
}

// Others returns the number in [0, n) of the first words of a stream that make one: that of element k, where word k makes
// none, is of stream k+1.
func Others(stream, n, k0, k1 uint64) uint64 {
	y, ok := uint64(0), false
	for place := uint64(0); !ok; place++ {
		y, ok = Below(word(place, stream, k0, k1), n)
	}
	return y
}

// word returns the word at a place of a stream.
func word(place, stream, k0, k1 uint64) uint64 {
	w0, w1, w2, w3 := Philox(place/4, stream, 0, 0, k0, k1)
	switch place % 4 {
	case 0:
		return w0
	case 1:
		return w1
	case 2:
		return w2
	}
	return w3
}
