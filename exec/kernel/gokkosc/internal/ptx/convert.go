package ptx

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// convert writes a conversion between numbers. Floats become integers as on amd64, also if the number is out of range:
// PTX takes the nearest integer there.
func (w *writer) convert(v *ir.Value, x string) string {
	from, to := v.Args[0].Type, v.Type
	c := w.classOf(to)
	switch {
	case from.IsFloat() && to.IsFloat():
		if to == ir.F32 {
			return w.To(c, "cvt.rn.f32.f64", x)
		}
		return w.To(c, "cvt.f64.f32", x)
	case to.IsFloat() && short(v.Args[0], v.Unsigned):
		low := w.To(b32, "cvt.u32.u64", x)
		return w.To(c, fmt.Sprintf("cvt.rn.%s.%s", to, kind(ir.I32, v.Unsigned)), low)
	case to.IsFloat():
		return w.To(c, fmt.Sprintf("cvt.rn.%s.%s", to, kind(from, v.Unsigned)), x)
	case from.IsFloat():
		return w.truncated(v, x)
	case to == ir.I64:
		return w.To(c, fmt.Sprintf("cvt.%s.%s", kind(to, v.Unsigned), kind(from, v.Unsigned)), x)
	}
	return w.To(c, "cvt.u32.u64", x)
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

// none is the result for a float that is no integer of 64 bits.
const none = "0x8000000000000000"

// truncated returns a float as an integer. Out of range, a result of 64 bits is 2⁶³, and an int32 is the
// least int32. A uint32 is the lower half of the result for int64.
func (w *writer) truncated(v *ir.Value, x string) string {
	t := v.Args[0].Type
	within := func(low, high float64) string {
		above := w.To(pred, "setp.ge."+t.String(), x, number(t, low))
		below := w.To(pred, "setp.lt."+t.String(), x, number(t, high))
		return w.To(pred, "and.pred", above, below)
	}
	n := w.To(b64, "cvt.rzi.s64."+t.String(), x)
	n = w.To(b64, "selp.b64", n, none, within(-0x1p63, 0x1p63))
	if v.Type == ir.I64 {
		if !v.Unsigned {
			return n
		}
		upper := w.To(b64, "cvt.rzi.u64."+t.String(), x)
		return w.To(b64, "selp.b64", upper, n, within(0x1p63, 0x1p64))
	}
	low := w.To(b32, "cvt.u32.u64", n)
	if v.Unsigned {
		return low
	}
	again := w.To(b64, "cvt.s64.s32", low)
	same := w.To(pred, "setp.eq.s64", again, n)
	return w.To(b32, "selp.b32", low, literal(ir.I32, 1<<31), same)
}

// number returns a constant of a type of floats that has the value.
func number(t ir.Type, x float64) string {
	if t == ir.F32 {
		return literal(t, uint64(math.Float32bits(float32(x))))
	}
	return literal(t, math.Float64bits(x))
}
