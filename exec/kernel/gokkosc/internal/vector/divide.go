package vector

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// divided divides 64-bit integers by a number d that is the same for all items. It multiplies |x| by a power
// of two over d, which Go computes beforehand. See Granlund and Montgomery, Division by invariant integers
// using multiplication, 1994.
func (e *Emitter) divided(v *ir.Value) *asm.Reg {
	t, x, d := ir.I64, e.vector(v.Args[0]), v.Args[1]
	e.helpers["reciprocal"] = true
	part := func(n int) *asm.Reg {
		value := fmt.Sprintf("kernelReciprocal%s(int(%s), %t, %d)", e.shape.Suffix, valueMark(d), v.Unsigned, n)
		a := e.argument(fmt.Sprintf("d%d%s%d", d.ID, map[bool]string{true: "u"}[v.Unsigned], n), "int", 8, value)
		return e.Once("vector "+a.Name, asm.Vectors, func(r *asm.Reg) *asm.Instr { return e.Set.Uniform(e, t, asm.Arg(a), r) })
	}
	right := func(x, by *asm.Reg) *asm.Reg {
		s := Operation(ir.Shr, t, t, 2)
		s.Unsigned = true
		return e.Set.Pure(e, s, []*asm.Reg{x, by})
	}
	negative := func(x *asm.Reg, sign *asm.Reg) *asm.Reg { // of x where sign has all bits
		return e.Compute(ir.Sub, t, e.Compute(ir.Xor, t, x, sign), sign)
	}
	n, sign := x, (*asm.Reg)(nil)
	if !v.Unsigned {
		by := Operation(ir.Shr, t, t, 2)
		by.Args[1] = &ir.Value{Op: ir.Const, Type: t, Bits: 63}
		sign = e.Set.Pure(e, by, []*asm.Reg{x, e.Bits(t, 63)})
		n = negative(x, sign)
		sign = e.Compute(ir.Xor, t, sign, part(3))
	}
	high := e.Compute(ir.MulHigh, t, n, part(0))
	q := right(e.Compute(ir.Add, t, high, right(e.Compute(ir.Sub, t, n, high), part(1))), part(2))
	if sign != nil {
		q = negative(q, sign)
	}
	if v.Op == ir.Div {
		return q
	}
	return e.Compute(ir.Sub, t, x, e.Compute(ir.Mul, t, q, e.vector(d)))
}

// byUniform reports whether a value divides 64-bit integers by a number that is the same for all items.
func (e *Emitter) byUniform(v *ir.Value) bool {
	return (v.Op == ir.Div || v.Op == ir.Rem) && v.Type == ir.I64 && v.Args[1].Op != ir.Const && e.setup[v.Args[1]]
}

// reciprocalText is the function of a generated file that prepares divisions by d.
const reciprocalText = `
// kernelReciprocal%[1]s returns what x/d is made of, of |d| if integers have signs: the factor ⌊2⁶⁴(2ˡ-d)/d⌋+1 with
// l = ⌈log₂ d⌉, two shifts, and the sign of d.
func kernelReciprocal%[1]s(d int, unsigned bool, part int) int {
	n, sign := uint64(d), d>>63
	if !unsigned {
		n = uint64((d ^ sign) - sign)
	}
	if n == 0 {
		return 0 // no item divides by that
	}
	l := kernelBits.Len64(n - 1)
	switch part {
	case 0:
		factor, _ := kernelBits.Div64(1<<l-n, 0, n)
		return int(factor + 1)
	case 1:
		return min(l, 1)
	case 2:
		return max(l-1, 0)
	}
	return sign
}
`
