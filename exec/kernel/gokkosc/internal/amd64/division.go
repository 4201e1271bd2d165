package amd64

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/vector"
)

// Quotient divides 64-bit integers by a constant d of this or a smaller type. It multiplies |x| by a power of
// two over d. See Granlund and Montgomery, Division by invariant integers using multiplication, 1994.
func Quotient(e *vector.Emitter, a *asm.Reg, by *ir.Value, unsigned bool) *asm.Reg {
	t, d := ir.I64, uint64(by.Int())
	switch {
	case unsigned && by.Type == ir.I32:
		return quotient(e, a, uint64(uint32(d)))
	case unsigned:
		return quotient(e, a, d)
	}
	size := d
	if int64(d) < 0 {
		size = -d
	}
	sign := vector.Operation(ir.Shr, t, t, 2)
	sign.Args[1] = &ir.Value{Op: ir.Const, Type: t, Bits: 63}
	s := e.Set.Pure(e, sign, []*asm.Reg{a, nil})
	q := quotient(e, e.Compute(ir.Sub, t, e.Compute(ir.Xor, t, a, s), s), size)
	if int64(d) < 0 {
		s = e.Compute(ir.Not, t, s)
	}
	return e.Compute(ir.Sub, t, e.Compute(ir.Xor, t, q, s), s)
}

// quotient divides integers without signs.
func quotient(e *vector.Emitter, a *asm.Reg, d uint64) *asm.Reg {
	t := ir.I64
	if d&(d-1) == 0 {
		return e.VecImm(t, "VPSRLQ", fmt.Sprintf("$%d", bits.TrailingZeros64(d)), a)
	}
	// m = ceil(2^(64+l)/d) - 2^64, l = ceil(log2 d): x/d = (x*m/2^64 + (x - x*m/2^64)/2) >> (l-1)
	l := bits.Len64(d - 1)
	m := new(big.Int).Lsh(big.NewInt(1), uint(64+l))
	m.Add(m, new(big.Int).SetUint64(d-1)).Div(m, new(big.Int).SetUint64(d))
	m.Sub(m, new(big.Int).Lsh(big.NewInt(1), 64))
	h := MulHigh(e, a, e.Bits(t, m.Uint64()))
	sum := e.Vec(t, "VPADDQ", h, e.VecImm(t, "VPSRLQ", "$1", e.Vec(t, "VPSUBQ", h, a)))
	return e.VecImm(t, "VPSRLQ", fmt.Sprintf("$%d", l-1), sum)
}

// MulHigh is the upper half of the product of 64-bit integers without signs.
func MulHigh(e *vector.Emitter, a, b *asm.Reg) *asm.Reg {
	t := ir.I64
	high := func(r *asm.Reg) *asm.Reg { return e.VecImm(t, "VPSRLQ", "$32", r) }
	low := e.Bits(t, 1<<32-1)
	ah, bh := high(a), high(b)
	x, y := e.Vec(t, "VPMULUDQ", ah, b), e.Vec(t, "VPMULUDQ", bh, a)
	middle := e.Vec(t, "VPADDQ", high(e.Vec(t, "VPMULUDQ", a, b)), e.Compute(ir.And, t, x, low))
	middle = e.Vec(t, "VPADDQ", middle, e.Compute(ir.And, t, y, low))
	top := e.Vec(t, "VPADDQ", e.Vec(t, "VPMULUDQ", ah, bh), e.Vec(t, "VPADDQ", high(x), high(y)))
	return e.Vec(t, "VPADDQ", top, high(middle))
}
