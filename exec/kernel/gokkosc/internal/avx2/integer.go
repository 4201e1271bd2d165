package avx2

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/amd64"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// multiply multiplies 64-bit integers by products of their halves.
func multiply(e emitter, v *ir.Value, a []*reg) *reg { return e.product(a[0], a[1]) }

func (e emitter) product(a, b *reg) *reg {
	t := ir.I64
	high := func(r *reg) *reg { return e.VecImm(t, "VPSRLQ", "$32", r) }
	cross := e.Vec(t, "VPADDQ", e.Vec(t, "VPMULUDQ", high(a), b), e.Vec(t, "VPMULUDQ", high(b), a))
	return e.Vec(t, "VPADDQ", e.VecImm(t, "VPSLLQ", "$32", cross), e.Vec(t, "VPMULUDQ", a, b))
}

// divide divides integers by a constant. 32-bit integers are divided as 64-bit ones.
func divide(e emitter, v *ir.Value, a []*reg) *reg {
	if v.Args[1].Op != ir.Const || v.Args[1].Bits == 0 {
		return e.divideByLanes(v, a)
	}
	if v.Type == ir.I32 {
		e.Fits(ir.I64)
		return e.narrow(amd64.Quotient(e.Emitter, e.widen(a[0], v.Unsigned), v.Args[1], v.Unsigned))
	}
	return amd64.Quotient(e.Emitter, a[0], v.Args[1], v.Unsigned)
}

// divideByLanes divides 32-bit integers as floats of 64 bits. The quotients have the same integer part: an
// exact quotient that is no integer is at least 1/y away from the nearest integer.
func (e emitter) divideByLanes(v *ir.Value, a []*reg) *reg {
	if v.Type != ir.I32 {
		e.Refuse(v, "a division of 64-bit integers by numbers that differ by item has no vector instructions")
	}
	e.Fits(ir.I64)
	float := func(r *reg) *reg {
		if v.Unsigned {
			return e.double(e.widen(r, true), false)
		}
		d := e.Temporary(ir.F64)
		e.Do("VCVTDQ2PD", x(r), y(d))
		return d
	}
	q := e.Vec(ir.F64, "VDIVPD", float(a[1]), float(a[0]))
	if !v.Unsigned {
		n := e.Temporary(ir.I32)
		e.Do("VCVTTPD2DQY", y(q), x(n))
		return n
	}
	q = e.VecImm(ir.F64, "VROUNDPD", "$11", q)
	return e.narrow(e.Vec(ir.F64, "VADDPD", e.Bits(ir.F64, 0x4330000000000000), q)) // 2^52, below which its bits are q
}

func remainder(e emitter, v *ir.Value, a []*reg) *reg {
	q := divide(e, v, a)
	d := a[1]
	if v.Type == ir.I32 {
		return e.Vec(v.Type, "VPSUBD", e.Vec(v.Type, "VPMULLD", d, q), a[0])
	}
	return e.Vec(v.Type, "VPSUBQ", e.product(q, d), a[0])
}

// narrow returns the lower halves of 64-bit lanes, in vectors of four.
func (e emitter) narrow(r *reg) *reg {
	top, low := e.Temporary(ir.I64), e.Temporary(ir.I64)
	e.Do("VEXTRACTF128", imm("$1"), y(r), x(top))
	e.Do("VSHUFPS", imm("$0x88"), x(top), x(r), x(low))
	return low
}

// widen returns 32-bit lanes as 64-bit ones, in vectors of four.
func (e emitter) widen(r *reg, unsigned bool) *reg {
	op := map[bool]string{true: "VPMOVZXDQ", false: "VPMOVSXDQ"}[unsigned]
	w := e.Temporary(ir.I64)
	e.Do(op, x(r), y(w))
	return w
}

// convert converts numbers as Go does on amd64.
func convert(e emitter, v *ir.Value, a []*reg) *reg {
	from, to := v.Args[0].Type, v.Type
	direct := map[[2]ir.Type]string{{ir.F64, ir.F32}: "VCVTPD2PSY", {ir.F32, ir.F64}: "VCVTPS2PD", {ir.I32, ir.F64}: "VCVTDQ2PD", {ir.I32, ir.F32}: "VCVTDQ2PS", {ir.F64, ir.I32}: "VCVTTPD2DQY", {ir.F32, ir.I32}: "VCVTTPS2DQ"}
	e.Fits(from)
	e.Fits(to)
	r := e.Temporary(ir.I64)
	switch pair := [2]ir.Type{from, to}; {
	case direct[pair] != "" && !v.Unsigned:
		e.Do(direct[pair], e.V(from, a[0]), e.V(to, r))
		return r
	case pair == [2]ir.Type{ir.I64, ir.I32}:
		return e.narrow(a[0])
	case pair == [2]ir.Type{ir.I32, ir.I64}:
		return e.widen(a[0], v.Unsigned)
	case pair == [2]ir.Type{ir.I64, ir.F64}:
		return e.double(a[0], v.Unsigned)
	case pair == [2]ir.Type{ir.I64, ir.F32}:
		e.Do("VCVTPD2PSY", y(e.double(e.odd(a[0], v.Unsigned), v.Unsigned)), e.V(to, r))
		return r
	case pair == [2]ir.Type{ir.I32, ir.F32} && e.Width == 4: // without a sign
		e.Do("VCVTPD2PSY", y(e.double(e.widen(a[0], true), false)), e.V(to, r))
		return r
	case pair == [2]ir.Type{ir.I32, ir.F64} && e.Width == 4:
		return e.double(e.widen(a[0], true), false)
	case pair == [2]ir.Type{ir.F64, ir.I64} && !v.Unsigned:
		return e.truncate(a[0], "CVTTSD2SQ", 8)
	case pair == [2]ir.Type{ir.F32, ir.I64} && !v.Unsigned:
		return e.truncate(a[0], "CVTTSS2SQ", 4)
	}
	e.Refuse(v, "a conversion from %s to %s has no vector instructions", from, to)
	return nil
}

// double returns 64-bit integers as floats, rounded once. The halves become significands of 2^84 and 2^52,
// which is exact; the one sum of both, without these powers, rounds.
func (e emitter) double(a *reg, unsigned bool) *reg {
	t := ir.I64
	high := e.VecImm(t, "VPSRLQ", "$32", a)
	flip, both := uint64(0x4530000080000000), uint64(0x4530000080100000) // 2^84 + 2^63, and that + 2^52
	if unsigned {
		flip, both = 0x4530000000000000, 0x4530000000100000 // 2^84, and that + 2^52
	}
	high = e.Vec(t, "VPXOR", e.Bits(t, flip), high)
	low := e.VecImm(t, "VPBLENDD", "$0xaa", e.Bits(t, 0x4330000000000000), a)
	return e.Vec(t, "VADDPD", low, e.Vec(t, "VSUBPD", e.Bits(t, both), high))
}

// odd returns 64-bit integers that round to the same floats of 32 bits, and that floats of 64 bits hold
// exactly. It joins the bits below the 53 highest into the lowest kept bit by or.
func (e emitter) odd(a *reg, unsigned bool) *reg {
	t := ir.I64
	low := e.Bits(t, 1<<11-1)
	rest := e.Vec(t, "VPAND", e.Bits(t, 1<<11), e.Vec(t, "VPADDQ", low, e.Vec(t, "VPAND", low, a)))
	joined := e.Vec(t, "VPOR", rest, e.Vec(t, "VPANDN", a, low))
	from, to := a, uint64(1<<53)
	if !unsigned {
		from, to = e.Vec(t, "VPADDQ", e.Bits(t, 1<<53), a), 1<<54
	}
	small := e.greater(t, true, e.Bits(t, to), from)
	return e.Vec(t, "VBLENDVPD", small, a, joined)
}

// truncate converts floats to 64-bit integers lane by lane, through the frame, as AVX2 has no instruction for
// it.
func (e emitter) truncate(a *reg, op string, size int) *reg {
	from := ir.F64
	if size == 4 {
		from = ir.F32
	}
	e.Effect("VMOVDQU", e.V(from, a), frame(0))
	g := e.Integer()
	for l := range 4 {
		e.Do(op, frame(l*size), y(g))
		e.Effect("MOVQ", y(g), frame(32+8*l))
	}
	r := e.Temporary(ir.I64)
	e.Do("VMOVDQU", frame(32), y(r))
	return r
}
