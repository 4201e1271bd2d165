package avx512

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
	{ir.Mul, ir.F64}: "VMULPD", {ir.Mul, ir.F32}: "VMULPS", {ir.Mul, ir.I64}: "VPMULLQ", {ir.Mul, ir.I32}: "VPMULLD",
	{ir.Div, ir.F64}: "VDIVPD", {ir.Div, ir.F32}: "VDIVPS",
	{ir.Sqrt, ir.F64}: "VSQRTPD", {ir.Sqrt, ir.F32}: "VSQRTPS",
	{ir.And, ir.I64}: "VPANDQ", {ir.And, ir.I32}: "VPANDD",
	{ir.Or, ir.I64}: "VPORQ", {ir.Or, ir.I32}: "VPORD",
	{ir.Xor, ir.I64}: "VPXORQ", {ir.Xor, ir.I32}: "VPXORD",
}

// masks has the instructions of bools, without the letter of their size.
var masks = map[ir.Op]string{ir.And: "KAND", ir.Or: "KOR", ir.Xor: "KXOR", ir.Ne: "KXOR", ir.Eq: "KXNOR", ir.Not: "KNOT"}

// functions has the functions that write the other operations; a are the arguments.
var functions = map[ir.Op]func(e emitter, v *ir.Value, a []*reg) *reg{
	ir.Neg: func(e emitter, v *ir.Value, a []*reg) *reg {
		if v.Type.IsFloat() {
			return e.Vec(v.Type, sized(v.Type, "VPXOR"), e.sign(v.Type), a[0])
		}
		return e.Vec(v.Type, sized(v.Type, "VPSUB"), a[0], e.Bits(v.Type, 0))
	},
	ir.Div:     divide,
	ir.Rem:     remainder,
	ir.MulHigh: func(e emitter, v *ir.Value, a []*reg) *reg { return amd64.MulHigh(e.Emitter, a[0], a[1]) },
	ir.Min:     extreme,
	ir.Max:     extreme,
	ir.AndNot: func(e emitter, v *ir.Value, a []*reg) *reg {
		if v.Type == ir.Bool {
			return e.Vec(v.Type, e.lanes("KANDN"), a[0], a[1])
		}
		return e.Vec(v.Type, sized(v.Type, "VPANDN"), a[0], a[1])
	},
	ir.Not: func(e emitter, v *ir.Value, a []*reg) *reg {
		return e.Vec(v.Type, sized(v.Type, "VPXOR"), e.Bits(v.Type, math.MaxUint64), a[0])
	},
	ir.Shl: shift,
	ir.Shr: shift,
	ir.Eq:  compare,
	ir.Ne:  compare,
	ir.Lt:  compare,
	ir.Le:  compare,
	ir.Abs: func(e emitter, v *ir.Value, a []*reg) *reg {
		return e.Vec(v.Type, sized(v.Type, "VPANDN"), a[0], e.sign(v.Type))
	},
	ir.Floor:     round("$9"),
	ir.Ceil:      round("$10"),
	ir.Trunc:     round("$11"),
	ir.RoundEven: round("$8"),
	ir.Copysign: func(e emitter, v *ir.Value, a []*reg) *reg { // takes the bit of the sign from the second argument, and the others from the first
		r := e.Copied(v.Type, a[1])
		e.Update("VPTERNLOGQ", imm("$0xe4"), e.V(v.Type, e.sign(v.Type)), e.V(v.Type, a[0]), e.V(v.Type, r))
		return r
	},
	ir.FMA: func(e emitter, v *ir.Value, a []*reg) *reg {
		r := e.Copied(v.Type, a[2])
		e.Update("VFMADD231PD", e.V(v.Type, a[1]), e.V(v.Type, a[0]), e.V(v.Type, r))
		return r
	},
	ir.Conv:   convert,
	ir.Bits:   func(e emitter, v *ir.Value, a []*reg) *reg { return a[0] },
	ir.Select: choose,
}

// Pure implements [vector.Set].
func (Set) Pure(e *vector.Emitter, v *ir.Value, a []*reg) *reg {
	t := v.Type
	if len(v.Args) > 0 {
		t = v.Args[0].Type
	}
	a = slices.Clone(a)
	if op := masks[v.Op]; op != "" && t == ir.Bool {
		return e.Vec(v.Type, emitter{e}.lanes(op), a...)
	}
	if op := instructions[key{v.Op, t}]; op != "" {
		slices.Reverse(a)
		return e.Vec(v.Type, op, a...)
	}
	f := functions[v.Op]
	if f == nil {
		e.Refuse(v, "%s of %s has no vector instructions", v.Op, t)
	}
	return f(emitter{e}, v, a)
}

// choose returns x if c holds, and else y. A select of a comparison of its own arguments is one instruction.
// It returns its second argument for NaN and for two zeros, as the select does.
func choose(e emitter, v *ir.Value, a []*reg) *reg {
	t := v.Type
	if t == ir.Bool {
		return e.Vec(t, e.lanes("KOR"), e.Vec(t, e.lanes("KAND"), a[0], a[1]), e.Vec(t, e.lanes("KANDN"), a[2], a[0]))
	}
	if c := v.Args[0]; c.Op == ir.Lt && t.IsFloat() {
		switch {
		case c.Args[0] == v.Args[1] && c.Args[1] == v.Args[2]:
			return e.Vec(t, single(t, "VMIN"), a[2], a[1])
		case c.Args[0] == v.Args[2] && c.Args[1] == v.Args[1]:
			return e.Vec(t, single(t, "VMAX"), a[2], a[1])
		}
	}
	r := e.Temporary(t)
	e.Do(single(t, "VBLENDM"), e.V(t, a[1]), e.V(t, a[2]), whole(a[0]), e.V(t, r))
	return r
}

// extreme computes min or max. Floats take the instruction with its arguments in both orders, whose results
// differ only for zeros and NaNs. Go's min joins all bits of both by or; its max joins the signs by and, and
// the other bits by or.
func extreme(e emitter, v *ir.Value, a []*reg) *reg {
	least, t := v.Op == ir.Min, v.Type
	name := map[bool]string{true: "MIN", false: "MAX"}[least]
	switch {
	case t.IsFloat():
		p, q := e.Vec(t, single(t, "V"+name), a[0], a[1]), e.Vec(t, single(t, "V"+name), a[1], a[0])
		if least {
			return e.Vec(t, sized(t, "VPOR"), p, q)
		}
		e.Update("VPTERNLOGQ", imm("$0xd4"), e.V(t, e.sign(t)), e.V(t, p), e.V(t, q))
		return q
	case v.Unsigned:
		return e.Vec(t, sized(t, "VP"+name+"U"), a[0], a[1])
	}
	return e.Vec(t, sized(t, "VP"+name+"S"), a[0], a[1])
}

var predicates = map[ir.Op]string{ir.Eq: "$0", ir.Ne: "$4", ir.Lt: "$1", ir.Le: "$2"}

func compare(e emitter, v *ir.Value, a []*reg) *reg {
	t, op := v.Args[0].Type, ""
	switch {
	case t.IsFloat():
		op = single(t, "VCMP")
	case v.Unsigned:
		op = sized(t, "VPCMPU")
	default:
		op = sized(t, "VPCMP")
	}
	e.Fits(t)
	mask := e.Temporary(ir.Bool)
	e.Do(op, imm(predicates[v.Op]), e.V(t, a[1]), e.V(t, a[0]), whole(mask))
	return mask
}

func round(mode string) func(e emitter, v *ir.Value, a []*reg) *reg {
	return func(e emitter, v *ir.Value, a []*reg) *reg { return e.VecImm(v.Type, "VRNDSCALEPD", mode, a[0]) }
}

func (e emitter) sign(t ir.Type) *reg { return e.Bits(t, 1<<(8*t.Bytes()-1)) }

// shift shifts by a constant or by lanes of counts. The instructions return 0, or the sign, for counts of the
// width and more, as Go does.
func shift(e emitter, v *ir.Value, a []*reg) *reg {
	t, count, op := v.Type, v.Args[1], "VPSRA"
	switch {
	case v.Op == ir.Shl:
		op = "VPSLL"
	case v.Unsigned:
		op = "VPSRL"
	}
	if count.Op == ir.Const {
		return e.VecImm(t, sized(t, op), fmt.Sprintf("$%d", min(uint64(t.Bytes()*8), count.Bits)), a[0])
	}
	switch by := a[1]; {
	case count.Type == t:
	case t == ir.I32: // a count above 32 bits becomes 32
		a[1] = e.narrow(e.Vec(ir.I64, "VPMINUQ", by, e.Bits(ir.I64, 32)))
	default:
		a[1] = e.widen(by, true)
	}
	return e.Vec(t, sized(t, op+"V"), a[1], a[0])
}
