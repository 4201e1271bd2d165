package avx512

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/amd64"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

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
	widen, truncate := "VCVTDQ2PD", "VCVTTPD2DQ"
	if v.Unsigned {
		widen, truncate = "VCVTUDQ2PD", "VCVTTPD2UDQ"
	}
	var of [2]*reg
	for n := range of {
		of[n] = e.Temporary(ir.F64)
		e.Do(widen, y(a[n]), whole(of[n]))
	}
	q := e.Temporary(ir.I32)
	e.Do(truncate, whole(e.Vec(ir.F64, "VDIVPD", of[1], of[0])), y(q))
	return q
}

func remainder(e emitter, v *ir.Value, a []*reg) *reg {
	product := e.Vec(v.Type, sized(v.Type, "VPMULL"), a[1], divide(e, v, a))
	return e.Vec(v.Type, sized(v.Type, "VPSUB"), product, a[0])
}

// narrow returns the lower halves of 64-bit lanes, in vectors of eight.
func (e emitter) narrow(r *reg) *reg {
	low := e.Temporary(ir.I32)
	e.Do("VPMOVQD", whole(r), y(low))
	return low
}

// widen returns 32-bit lanes as 64-bit ones, in vectors of eight.
func (e emitter) widen(r *reg, unsigned bool) *reg {
	e.Fits(ir.I64)
	op := map[bool]string{true: "VPMOVZXDQ", false: "VPMOVSXDQ"}[unsigned]
	w := e.Temporary(ir.I64)
	e.Do(op, y(r), whole(w))
	return w
}

// conversions has the conversions that are one instruction. A float outside of the range of an integer
// becomes the result of the instruction for one number. Go has the same result on amd64.
var (
	conversions = map[[2]ir.Type]string{
		{ir.F64, ir.F32}: "VCVTPD2PS", {ir.F32, ir.F64}: "VCVTPS2PD",
		{ir.I32, ir.F64}: "VCVTDQ2PD", {ir.I32, ir.F32}: "VCVTDQ2PS", {ir.I64, ir.F64}: "VCVTQQ2PD", {ir.I64, ir.F32}: "VCVTQQ2PS",
		{ir.F64, ir.I32}: "VCVTTPD2DQ", {ir.F32, ir.I32}: "VCVTTPS2DQ", {ir.F64, ir.I64}: "VCVTTPD2QQ", {ir.F32, ir.I64}: "VCVTTPS2QQ",
		{ir.I64, ir.I32}: "VPMOVQD", {ir.I32, ir.I64}: "VPMOVSXDQ",
	}
	unsigned = map[[2]ir.Type]string{
		{ir.I32, ir.F64}: "VCVTUDQ2PD", {ir.I32, ir.F32}: "VCVTUDQ2PS", {ir.I64, ir.F64}: "VCVTUQQ2PD", {ir.I64, ir.F32}: "VCVTUQQ2PS",
		{ir.I64, ir.I32}: "VPMOVQD", {ir.I32, ir.I64}: "VPMOVZXDQ",
	}
)

// convert converts numbers as Go does on amd64.
func convert(e emitter, v *ir.Value, a []*reg) *reg {
	from, to, table := v.Args[0].Type, v.Type, conversions
	if v.Unsigned {
		table = unsigned
	}
	op := table[[2]ir.Type{from, to}]
	if op == "" {
		e.Refuse(v, "a conversion from %s to %s has no vector instructions", from, to)
	}
	e.Fits(from)
	e.Fits(to)
	r := e.Temporary(to)
	e.Do(op, e.V(from, a[0]), e.V(to, r))
	return r
}
