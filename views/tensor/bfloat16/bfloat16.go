// Package bfloat16 has the 16-bit floating-point type of the upper half of a float32: 8 bits
// of exponent and 7 of fraction. It is the counterpart of github.com/x448/float16 and is
// used like it: values are stored as BFloat16 and computed with as float32.
package bfloat16

import (
	"math"
	"strconv"
)

// A BFloat16 holds the bits of a number.
type BFloat16 uint16

// FromFloat32 returns the BFloat16 next to x; of two that are equally near the one whose
// last bit is 0. Numbers from 2^128 - 2^119 on become infinite. A NaN becomes a quiet NaN
// with the same sign and the upper bits of its payload.
func FromFloat32(x float32) BFloat16 {
	b := math.Float32bits(x)
	if x != x {
		return BFloat16(b>>16 | 0x40) // the payload may be all in the lower half
	}
	return BFloat16((b + 0x7fff + b>>16&1) >> 16)
}

// FromBits returns the BFloat16 of the bits: sign, exponent, fraction.
func FromBits(bits uint16) BFloat16 { return BFloat16(bits) }

// Bits returns the bits of x.
func (x BFloat16) Bits() uint16 { return uint16(x) }

// Float32 returns x, exactly.
func (x BFloat16) Float32() float32 { return math.Float32frombits(uint32(x) << 16) }

// IsNaN reports whether x is not a number.
func (x BFloat16) IsNaN() bool { return x&0x7fff > 0x7f80 }

// String returns x in as few digits as tell it from other numbers of type float32.
func (x BFloat16) String() string {
	return strconv.FormatFloat(float64(x.Float32()), 'g', -1, 32)
}
