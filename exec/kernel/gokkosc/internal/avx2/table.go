package avx2

import (
	"fmt"
	"math"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/amd64"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/vector"
)

// Operations and their instructions, by the type of the first argument: one instruction, or a function that
// writes several.

type key struct {
	op ir.Op
	t  ir.Type
}

// instructions has the operations that are one instruction with the same arguments.
var instructions = map[key]string{
	{ir.Add, ir.F64}: "VADDPD", {ir.Add, ir.F32}: "VADDPS", {ir.Add, ir.I64}: "VPADDQ", {ir.Add, ir.I32}: "VPADDD",
	{ir.Sub, ir.F64}: "VSUBPD", {ir.Sub, ir.F32}: "VSUBPS", {ir.Sub, ir.I64}: "VPSUBQ", {ir.Sub, ir.I32}: "VPSUBD",
	{ir.Mul, ir.F64}: "VMULPD", {ir.Mul, ir.F32}: "VMULPS", {ir.Mul, ir.I32}: "VPMULLD",
	{ir.Div, ir.F64}: "VDIVPD", {ir.Div, ir.F32}: "VDIVPS",
	{ir.Sqrt, ir.F64}: "VSQRTPD", {ir.Sqrt, ir.F32}: "VSQRTPS",
	{ir.And, ir.I64}: "VPAND", {ir.And, ir.I32}: "VPAND", {ir.And, ir.Bool}: "VPAND",
	{ir.Or, ir.I64}: "VPOR", {ir.Or, ir.I32}: "VPOR", {ir.Or, ir.Bool}: "VPOR",
	{ir.Xor, ir.I64}: "VPXOR", {ir.Xor, ir.I32}: "VPXOR", {ir.Xor, ir.Bool}: "VPXOR",
	{ir.Ne, ir.Bool}: "VPXOR",
}

// functions has the functions that write the other operations; a are the arguments.
var functions = map[ir.Op]func(e emitter, v *ir.Value, a []*reg) *reg{
	ir.Neg:     negate,
	ir.Mul:     multiply,
	ir.Div:     divide,
	ir.MulHigh: func(e emitter, v *ir.Value, a []*reg) *reg { return amd64.MulHigh(e.Emitter, a[0], a[1]) },
	ir.Rem:     remainder,
	ir.Min:     extreme,
	ir.Max:     extreme,
	ir.AndNot:  func(e emitter, v *ir.Value, a []*reg) *reg { return e.Vec(v.Type, "VPANDN", a[0], a[1]) },
	ir.Not: func(e emitter, v *ir.Value, a []*reg) *reg {
		return e.Vec(v.Type, "VPXOR", e.Bits(v.Type, math.MaxUint64), a[0])
	},
	ir.Shl:       shift,
	ir.Shr:       shift,
	ir.Eq:        compare,
	ir.Ne:        compare,
	ir.Lt:        compare,
	ir.Le:        compare,
	ir.Abs:       func(e emitter, v *ir.Value, a []*reg) *reg { return e.Vec(v.Type, "VPANDN", a[0], e.sign(v.Type)) },
	ir.Floor:     round("$9"),
	ir.Ceil:      round("$10"),
	ir.Trunc:     round("$11"),
	ir.RoundEven: round("$8"),
	ir.Copysign: func(e emitter, v *ir.Value, a []*reg) *reg {
		s := e.sign(v.Type)
		return e.Vec(v.Type, "VPOR", e.Vec(v.Type, "VPANDN", a[0], s), e.Vec(v.Type, "VPAND", a[1], s))
	},
	ir.FMA: func(e emitter, v *ir.Value, a []*reg) *reg {
		r := e.Copied(v.Type, a[2])
		e.Update("VFMADD231PD", y(a[1]), y(a[0]), y(r))
		return r
	},
	ir.Conv: convert,
	ir.Bits: func(e emitter, v *ir.Value, a []*reg) *reg { return a[0] },
	ir.Select: func(e emitter, v *ir.Value, a []*reg) *reg {
		if r := e.lesser(v, a); r != nil {
			return r
		}
		return e.choose(v.Type, a[0], a[1], a[2])
	},
}

// Pure implements [vector.Set].
func (Set) Pure(e *vector.Emitter, v *ir.Value, a []*reg) *reg {
	t := v.Type
	if len(v.Args) > 0 {
		t = v.Args[0].Type
	}
	if op := instructions[key{v.Op, t}]; op != "" {
		a = slices.Clone(a)
		slices.Reverse(a)
		return e.Vec(v.Type, op, a...)
	}
	f := functions[v.Op]
	if f == nil {
		e.Refuse(v, "%s of %s has no vector instructions", v.Op, t)
	}
	return f(emitter{e}, v, a)
}

// choose returns x where c holds, and y elsewhere.
func (e emitter) choose(t ir.Type, c, x, y *reg) *reg {
	return e.Vec(t, e.blend(t), e.maskFor(t, c), x, y)
}

// lesser returns a select of a comparison of its own arguments as one instruction, and nil of other selects.
// The instruction returns its second argument for NaN and for two zeros, as the select does.
func (e emitter) lesser(v *ir.Value, a []*reg) *reg {
	c := v.Args[0]
	if c.Op != ir.Lt || !v.Type.IsFloat() {
		return nil
	}
	suffix := map[ir.Type]string{ir.F64: "PD", ir.F32: "PS"}[v.Type]
	switch {
	case c.Args[0] == v.Args[1] && c.Args[1] == v.Args[2]:
		return e.Vec(v.Type, "VMIN"+suffix, a[2], a[1])
	case c.Args[0] == v.Args[2] && c.Args[1] == v.Args[1]:
		return e.Vec(v.Type, "VMAX"+suffix, a[2], a[1])
	}
	return nil
}

func negate(e emitter, v *ir.Value, a []*reg) *reg {
	if v.Type.IsFloat() {
		return e.Vec(v.Type, "VPXOR", e.sign(v.Type), a[0])
	}
	return e.Vec(v.Type, e.sized(v.Type, "VPSUB"), a[0], e.Bits(v.Type, 0))
}

// extreme computes min or max. Floats take the instruction with its arguments in both orders, whose results
// differ only for zeros and NaNs. Go's min joins all bits of both by or; its max joins the signs by and, and
// the other bits by or.
func extreme(e emitter, v *ir.Value, a []*reg) *reg {
	least := v.Op == ir.Min
	name := map[bool]string{true: "MIN", false: "MAX"}[least]
	t := v.Type
	switch {
	case t.IsFloat():
		suffix := map[ir.Type]string{ir.F64: "PD", ir.F32: "PS"}[t]
		p, q := e.Vec(t, "V"+name+suffix, a[0], a[1]), e.Vec(t, "V"+name+suffix, a[1], a[0])
		if least {
			return e.Vec(t, "VPOR", p, q)
		}
		return e.Vec(t, "VPOR", e.Vec(t, "VPAND", p, q), e.Vec(t, "VPANDN", e.Vec(t, "VPOR", p, q), e.sign(t)))
	case t == ir.I32:
		sign := map[bool]string{true: "UD", false: "SD"}[v.Unsigned]
		return e.Vec(t, "VP"+name+sign, a[0], a[1])
	}
	greater := e.greater(t, v.Unsigned, a[0], a[1])
	if least {
		return e.Vec(t, e.blend(t), greater, a[1], a[0])
	}
	return e.Vec(t, e.blend(t), greater, a[0], a[1])
}

// greater returns a > b of integers, with lanes of their type.
func (e emitter) greater(t ir.Type, unsigned bool, a, b *reg) *reg {
	if unsigned {
		s := e.sign(t)
		a, b = e.Vec(t, "VPXOR", s, a), e.Vec(t, "VPXOR", s, b)
	}
	return e.Vec(t, e.sized(t, "VPCMPGT"), b, a)
}

var predicates = map[ir.Op]string{ir.Eq: "$0", ir.Ne: "$4", ir.Lt: "$1", ir.Le: "$2"}

func compare(e emitter, v *ir.Value, a []*reg) *reg {
	t := v.Args[0].Type
	var r *reg
	switch {
	case t == ir.Bool:
		return e.Vec(t, "VPXOR", e.Bits(t, math.MaxUint64), e.Vec(t, "VPXOR", a[0], a[1]))
	case t == ir.F64:
		r = e.VecImm(t, "VCMPPD", predicates[v.Op], a[1], a[0])
	case t == ir.F32:
		r = e.VecImm(t, "VCMPPS", predicates[v.Op], a[1], a[0])
	case v.Op == ir.Lt:
		r = e.greater(t, v.Unsigned, a[1], a[0])
	case v.Op == ir.Le:
		r = e.Vec(t, "VPXOR", e.ones(t), e.greater(t, v.Unsigned, a[0], a[1]))
	default:
		r = e.Vec(t, e.sized(t, "VPCMPEQ"), a[1], a[0])
		if v.Op == ir.Ne {
			r = e.Vec(t, "VPXOR", e.ones(t), r)
		}
	}
	return e.asBool(t, r)
}

func round(mode string) func(e emitter, v *ir.Value, a []*reg) *reg {
	return func(e emitter, v *ir.Value, a []*reg) *reg { return e.VecImm(v.Type, "VROUNDPD", mode, a[0]) }
}

// sized appends the letter of the lanes of an integer type to an instruction.
func (e emitter) sized(t ir.Type, op string) string {
	if e.Lane(t) == 8 {
		return op + "Q"
	}
	return op + "D"
}

func (e emitter) sign(t ir.Type) *reg {
	if t.Bytes() == 8 {
		return e.Bits(t, 1<<63)
	}
	return e.Bits(t, 1<<31)
}

func (e emitter) ones(t ir.Type) *reg { return e.Bits(t, math.MaxUint64) }

// shift shifts by a constant or by lanes of counts. The instructions return 0, or the sign, for counts of the
// width and more, as Go does.
func shift(e emitter, v *ir.Value, a []*reg) *reg {
	t, count := v.Type, v.Args[1]
	left, arithmetic := v.Op == ir.Shl, v.Op == ir.Shr && !v.Unsigned
	op := map[bool]string{true: "VPSLL", false: "VPSRL"}[left]
	if arithmetic && t == ir.I32 {
		op = "VPSRA"
	}
	if count.Op == ir.Const {
		n := min(uint64(t.Bytes()*8), count.Bits)
		if arithmetic && t == ir.I64 {
			return e.shiftSigned(a[0], min(n, 63))
		}
		return e.VecImm(t, e.sized(t, op), fmt.Sprintf("$%d", n), a[0])
	}
	if count.Type != t {
		c := a[1]
		if t == ir.I32 { // a count above 32 bits becomes 32
			most := e.Bits(ir.I64, 32)
			c = e.Vec(ir.I64, "VBLENDVPD", e.greater(ir.I64, true, c, most), most, c)
			a[1] = e.narrow(c)
		} else {
			a[1] = e.widen(c, true)
		}
	}
	op = map[bool]string{true: "VPSLLV", false: "VPSRLV"}[left]
	switch {
	case arithmetic && t == ir.I32:
		return e.Vec(t, "VPSRAVD", a[1], a[0])
	case arithmetic: // a negative number is complemented, shifted, and complemented again
		s := e.Vec(t, "VPCMPGTQ", a[0], e.Bits(t, 0))
		return e.Vec(t, "VPXOR", s, e.Vec(t, "VPSRLVQ", a[1], e.Vec(t, "VPXOR", s, a[0])))
	}
	return e.Vec(t, e.sized(t, op), a[1], a[0])
}

// shiftSigned shifts signed 64-bit integers right.
func (e emitter) shiftSigned(a *reg, n uint64) *reg {
	t := ir.I64
	s := e.Vec(t, "VPCMPGTQ", a, e.Bits(t, 0))
	if n == 63 {
		return s
	}
	return e.Vec(t, "VPXOR", s, e.VecImm(t, "VPSRLQ", fmt.Sprintf("$%d", n), e.Vec(t, "VPXOR", s, a)))
}
