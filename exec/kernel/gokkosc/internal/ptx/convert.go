package ptx

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// convert writes a conversion between numbers. Those of floats to integers are amd64's, also where the
// number is out of range: PTX takes the nearest integer there.
func (w *writer) convert(v *ir.Value, x string) string {
	from, to := v.Args[0].Type, v.Type
	c := w.classOf(to)
	switch {
	case from.IsFloat() && to.IsFloat():
		if to == ir.F32 {
			return w.to(c, "cvt.rn.f32.f64", "%s", x)
		}
		return w.to(c, "cvt.f64.f32", "%s", x)
	case to.IsFloat() && short(v.Args[0], v.Unsigned):
		low := w.to(b32, "cvt.u32.u64", "%s", x)
		return w.to(c, fmt.Sprintf("cvt.rn.%s.%s", to, kind(ir.I32, v.Unsigned)), "%s", low)
	case to.IsFloat():
		return w.to(c, fmt.Sprintf("cvt.rn.%s.%s", to, kind(from, v.Unsigned)), "%s", x)
	case from.IsFloat():
		return w.truncated(v, x)
	case to == ir.I64:
		return w.to(c, fmt.Sprintf("cvt.%s.%s", kind(to, v.Unsigned), kind(from, v.Unsigned)), "%s", x)
	}
	return w.to(c, "cvt.u32.u64", "%s", x)
}

// short reports whether an integer of 64 bits is one of 32, as it is where the others were shifted out or masked.
func short(v *ir.Value, unsigned bool) bool {
	if v.Type != ir.I64 || len(v.Args) != 2 || v.Args[1].Op != ir.Const {
		return false
	}
	n := v.Args[1].Bits
	switch v.Op {
	case ir.Shr:
		return n < 64 && (n >= 32 && v.Unsigned == unsigned || n > 32 && v.Unsigned)
	case ir.And:
		return n <= math.MaxInt32 || unsigned && n <= math.MaxUint32
	}
	return false
}

// none is what a float becomes that is no integer of 64 bits.
const none = "0x8000000000000000"

// truncated returns a float as an integer. Out of range it is 2⁶³ if it has 64 bits, the lower half of what
// is an int64 if it is a uint32, and the least int32 if it is one.
func (w *writer) truncated(v *ir.Value, x string) string {
	t := v.Args[0].Type
	within := func(low, high float64) string {
		above := w.to(pred, "setp.ge."+t.String(), "%s, %s", x, number(t, low))
		below := w.to(pred, "setp.lt."+t.String(), "%s, %s", x, number(t, high))
		return w.to(pred, "and.pred", "%s, %s", above, below)
	}
	n := w.to(b64, "cvt.rzi.s64."+t.String(), "%s", x)
	n = w.to(b64, "selp.b64", "%s, %s, %s", n, none, within(-0x1p63, 0x1p63))
	if v.Type == ir.I64 {
		if !v.Unsigned {
			return n
		}
		upper := w.to(b64, "cvt.rzi.u64."+t.String(), "%s", x)
		return w.to(b64, "selp.b64", "%s, %s, %s", upper, n, within(0x1p63, 0x1p64))
	}
	low := w.to(b32, "cvt.u32.u64", "%s", n)
	if v.Unsigned {
		return low
	}
	again := w.to(b64, "cvt.s64.s32", "%s", low)
	same := w.to(pred, "setp.eq.s64", "%s, %s", again, n)
	return w.to(b32, "selp.b32", "%s, %s, %s", low, literal(ir.I32, 1<<31), same)
}

// number returns a constant of a type of floats that has the value.
func number(t ir.Type, x float64) string {
	if t == ir.F32 {
		return literal(t, uint64(math.Float32bits(float32(x))))
	}
	return literal(t, math.Float64bits(x))
}
