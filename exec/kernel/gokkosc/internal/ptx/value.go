package ptx

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// block writes the values of a block. An item that stops goes to the label at.end.
func (w *writer) block(b *ir.Block, at item) {
	for _, v := range b.Values {
		w.value(v, at)
	}
}

func (w *writer) value(v *ir.Value, at item) {
	switch v.Op {
	case ir.Const, ir.Uniform: // the prologue loads
	case ir.Item:
		w.reg[v] = at.index
	case ir.Coord:
		w.reg[v] = at.coords[v.Index]
	case ir.Stop:
		w.reg[v] = at.stop
	case ir.Check:
		p := w.To(pred, "setp.ge.u64", w.in(v.Args[0]), w.use(v.Args[1]))
		w.stopIf(p, Stop{v.Pos, why(v)}, at)
	case ir.Load:
		w.load(v)
	case ir.Store:
		w.store(v)
	case ir.If:
		w.branch(v, at)
	case ir.Loop:
		w.loop(v, at)
	case ir.Member:
		w.reg[v] = w.team.rank
	case ir.Lane:
		w.reg[v] = w.team.lane
	case ir.Meet:
		w.meet()
	case ir.Wait:
		w.Op("bar.warp.sync %s", w.team.members)
	case ir.Across:
		w.reg[v] = w.across(v)
	case ir.Joined:
		w.reg[v] = w.accumulated(v)
	case ir.Apart:
		w.reg[v] = w.team.apart
	case ir.Atomic:
		w.atomic(v)
	case ir.Result:
		w.reg[v] = w.results[v.Args[0]][v.Index]
	default:
		w.reg[v] = w.pure(v)
	}
}

// outOfRange is why most items stop.
const outOfRange = "index out of range"

// why returns the reason for a check.
func why(check *ir.Value) string {
	x, y := check.Args[0], check.Args[1]
	switch {
	case x.Op == ir.Const && y.Op == ir.Const:
		return "a panic, or a call that only the closure can make"
	case y.Op == ir.Const && y.Bits == 1<<63:
		return "negative shift amount"
	}
	return outOfRange
}

// stopIf ends the item if the register is true: its number goes to the status, if it is the lowest.
func (w *writer) stopIf(p string, at Stop, of item) {
	n, ok := w.number[at]
	if !ok {
		n = len(w.stops)
		w.number[at], w.stops = n, append(w.stops, at)
	}
	w.Op("@%s bra %s", p, w.stopAt(n, of))
}

// stopAt returns the label of the code for an item that stops at check n. The flag tells the host to look at
// the status.
func (w *writer) stopAt(n int, at item) string {
	l := w.NewLabel("stop")
	if n >= 1<<stopBits {
		w.refuse(w.k.Pos, "the kernel has more than %d checks", 1<<stopBits)
	}
	shifted, status, flag := w.Fresh(b64), w.Fresh(b64), w.Fresh(b64)
	w.Later(func() {
		w.Label(l)
		if at.number == "" {
			at.number = shifted
			w.Op("sub.s64 %s, %s, %s", shifted, at.index, w.box.begin)
		}
		w.Op("shl.b64 %s, %s, %d", shifted, at.number, stopBits)
		if n > 0 {
			w.Op("or.b64 %s, %s, %d", shifted, shifted, n)
		}
		w.Op("ld.param.u64 %s, [status]", status)
		w.Op("cvta.to.global.u64 %s, %s", status, status)
		w.Op("atom.global.min.u64 %s, [%s], %s", w.Fresh(b64), status, shifted)
		w.Op("ld.global.u64 %s, [%s+8]", flag, status)
		w.Op("st.global.u64 [%s], %s", flag, status)
		w.Op("bra %s", at.end)
	})
	return l
}

// stopBits is the number of the lower bits of the status that hold the number of the check.
const stopBits = 16

// pure writes a value without effects and returns its register.
func (w *writer) pure(v *ir.Value) string {
	x := ""
	if len(v.Args) > 0 {
		x = w.in(v.Args[0])
	}
	switch c := w.classOf(v.Type); v.Op {
	case ir.Conv:
		return w.convert(v, x)
	case ir.Bits:
		return w.To(c, "mov."+raw(v.Type), x)
	case ir.Select:
		return w.choose(v, x)
	case ir.Shl, ir.Shr:
		return w.shift(v, x)
	case ir.FMA:
		return w.To(c, "fma.rn.f64", x, w.use(v.Args[1]), w.use(v.Args[2]))
	case ir.Copysign: // of PTX takes the sign first
		return w.To(c, "copysign.f64", w.in(v.Args[1]), x)
	case ir.Neg, ir.Not, ir.Sqrt, ir.Abs, ir.Floor, ir.Ceil, ir.Trunc, ir.RoundEven:
		return w.unary(v, x)
	}
	if len(v.Args) != 2 {
		w.refuse(v.Pos, "%s has no PTX", v.Op)
		return ""
	}
	y := w.use(v.Args[1])
	if v.Args[1].Type == ir.Bool {
		y = w.in(v.Args[1])
	}
	switch v.Op {
	case ir.Eq, ir.Ne, ir.Lt, ir.Le:
		return w.compare(v, x, y)
	case ir.Div, ir.Rem:
		if v.Type.IsInt() {
			return w.quotient(v, x, y)
		}
		if inverse, ok := inverse(v.Args[1]); ok {
			return w.binary(ir.Mul, v.Type, false, x, literal(v.Type, inverse))
		}
		if v.Type == ir.F64 && v.Args[0].Op != ir.Const {
			return w.divide(x, y)
		}
	}
	if (v.Op == ir.Min || v.Op == ir.Max) && v.Type == ir.I32 && !v.Unsigned && opposite(v.Args[0], v.Args[1]) {
		return w.magnitude(v.Op, x)
	}
	r := w.binary(v.Op, v.Type, v.Unsigned, x, y)
	if r == "" {
		w.refuse(v.Pos, "%s of %s has no PTX", v.Op, v.Type)
	}
	return r
}

var unaryOps = map[ir.Op]string{
	ir.Floor: "cvt.rmi.f64", ir.Ceil: "cvt.rpi.f64", ir.Trunc: "cvt.rzi.f64", ir.RoundEven: "cvt.rni.f64",
	ir.Sqrt: "sqrt.rn", ir.Abs: "abs", ir.Neg: "neg", ir.Not: "not",
}

func (w *writer) unary(v *ir.Value, x string) string {
	t := kind(v.Type, false)
	if v.Op == ir.Not {
		t = raw(v.Type)
	}
	return w.To(w.classOf(v.Type), unaryOps[v.Op]+"."+t, x)
}

// binary writes an operation of two operands of one type, and returns its register; "" if there is none.
func (w *writer) binary(op ir.Op, t ir.Type, unsigned bool, x, y string) string {
	c := w.classOf(t)
	name := op.String()
	switch op {
	case ir.Add, ir.Sub, ir.Mul, ir.Div:
		switch {
		case t.IsFloat():
			return w.To(c, name+".rn."+t.String(), x, y)
		case t.IsInt() && op == ir.Mul:
			return w.To(c, "mul.lo."+kind(t, false), x, y)
		case t.IsInt() && op != ir.Div:
			return w.To(c, name+"."+kind(t, false), x, y)
		}
	case ir.Min, ir.Max:
		if t.IsFloat() {
			return w.extreme(name, t, x, y)
		}
		return w.To(c, name+"."+kind(t, unsigned), x, y)
	case ir.MulHigh:
		return w.To(c, "mul.hi.u64", x, y)
	case ir.And, ir.Or, ir.Xor:
		return w.To(c, name+"."+raw(t), x, y)
	case ir.AndNot:
		not := w.To(c, "not."+raw(t), y)
		return w.To(c, "and."+raw(t), x, not)
	}
	return ""
}

// opposite reports whether one of two integers is the negation of the other.
func opposite(x, y *ir.Value) bool {
	of := func(x, y *ir.Value) bool {
		return x.Op == ir.Neg && x.Args[0] == y || x.Op == ir.Sub && x.Args[0].Op == ir.Const && x.Args[0].Bits == 0 && x.Args[1] == y
	}
	return of(x, y) || of(y, x)
}

// magnitude is the maximum, or the minimum, of an integer of 32 bits and its negation. Not max.s32: where the result
// goes into another one, ptxas drops the negation.
func (w *writer) magnitude(op ir.Op, x string) string {
	sign := w.To(b32, "shr.s32", x, 31)
	flipped := w.To(b32, "xor.b32", x, sign)
	if op == ir.Min {
		flipped, sign = sign, flipped
	}
	return w.To(b32, "sub.s32", flipped, sign)
}

// divide divides numbers of float64. A division by ptxas takes several times as long if its dividend is 0, as the
// logarithm of 1 is. Such a division is behind the end: the quotient is 0 with the signs of both, unless it is
// divided by 0 or a NaN.
func (w *writer) divide(x, y string) string {
	q := w.Fresh(f64)
	zero, slow, behind := w.NewLabel("zero"), w.NewLabel("slow"), w.NewLabel("quotient")
	w.Op("@%s bra %s", w.To(pred, "setp.eq.f64", x, number(ir.F64, 0)), zero)
	w.Op("div.rn.f64 %s, %s, %s", q, x, y)
	w.Label(behind)
	w.Later(func() {
		w.Label(zero)
		some := w.To(pred, "setp.gt.f64", w.To(f64, "abs.f64", y), number(ir.F64, 0))
		w.Op("@!%s bra %s", some, slow)
		_, xs := w.Halves(x)
		_, ys := w.Halves(y)
		sign := w.To(b32, "and.b32", w.To(b32, "xor.b32", xs, ys), math.MinInt32)
		w.Op("mov.b64 %s, {%s, %s}", q, w.To(b32, "mov.b32", 0), sign)
		w.Op("bra %s", behind)
		w.Label(slow)
		w.Op("div.rn.f64 %s, %s, %s", q, x, y)
		w.Op("bra %s", behind)
	})
	return q
}

// inverse returns the bits of 1/v, for a power of two v. The product by 1/v has the bits of the quotient, as
// 1/v is exact and both round once. ptxas divides otherwise. inverse reports false if 1/v is no normal
// number.
func inverse(v *ir.Value) (bits uint64, ok bool) {
	fraction, most := 52, uint64(1<<11-1)
	if v.Type == ir.F32 {
		fraction, most = 23, 1<<8-1
	}
	exponent := v.Bits >> fraction & most
	if v.Op != ir.Const || v.Bits&(1<<fraction-1) != 0 || exponent == 0 || exponent >= most-1 {
		return 0, false
	}
	return v.Bits&^(most<<fraction) | (most-1-exponent)<<fraction, true
}

// extreme is Go's min or max of floats. PTX drops a NaN. Its minimum of float64 is several instructions, and
// a comparison is fewer. If the operands are equal, or one is a NaN, both are joined bit by bit.
func (w *writer) extreme(name string, t ir.Type, x, y string) string {
	if t == ir.F32 {
		least := w.To(f32, name+".f32", x, y)
		bits := func(x string) string { return w.To(b32, "mov.b32", w.To(f32, "mov.f32", x)) }
		joined := w.joined(name, bits(x), bits(y))
		nan := w.To(f32, "mov.b32", joined)
		return w.To(f32, "selp.f32", nan, least, w.To(pred, "setp.nan.f32", x, y))
	}
	less := "lt"
	if name == "max" {
		less = "gt"
	}
	first := w.To(pred, "setp."+less+".f64", x, y)
	both := w.To(pred, "setp.equ.f64", x, y)
	xLow, xHigh := w.Halves(x)
	yLow, yHigh := w.Halves(y)
	low, high := w.Halves(w.To(f64, "selp.f64", x, y, first))
	low = w.To(b32, "selp.b32", w.To(b32, "or.b32", xLow, yLow), low, both)
	high = w.To(b32, "selp.b32", w.joined(name, xHigh, yHigh), high, both)
	return w.To(f64, "mov.b64", fmt.Sprintf("{%s, %s}", low, high))
}

// joined returns Go's min or max of zeros and NaNs, given the 32 bits with their signs. It joins all bits by
// or, but the signs by and for max.
func (w *writer) joined(name, x, y string) string {
	bits := w.To(b32, "or.b32", x, y)
	if name == "min" {
		return bits
	}
	bits = w.To(b32, "and.b32", bits, math.MaxInt32)
	return w.To(b32, "or.b32", bits, w.To(b32, "and.b32", x, y))
}

func (w *writer) compare(v *ir.Value, x, y string) string {
	t, op := v.Args[0].Type, v.Op.String()
	switch {
	case t == ir.Bool && v.Op == ir.Ne:
		return w.To(pred, "xor.pred", x, y)
	case t == ir.Bool && v.Op == ir.Eq:
		return w.To(pred, "not.pred", w.To(pred, "xor.pred", x, y))
	case t.IsFloat() && v.Op == ir.Ne:
		op = "neu" // true of NaNs
	}
	return w.To(pred, "setp."+op+"."+kind(t, v.Unsigned), x, y)
}

func (w *writer) choose(v *ir.Value, p string) string {
	if v.Type == ir.Bool {
		x := w.To(pred, "and.pred", w.in(v.Args[1]), p)
		not := w.To(pred, "not.pred", p)
		y := w.To(pred, "and.pred", w.in(v.Args[2]), not)
		return w.To(pred, "or.pred", x, y)
	}
	if x, y := v.Args[1], v.Args[2]; v.Type.IsInt() && x.Op == ir.Add && x.Args[0] == y && x.Args[1].Op == ir.Const { // as a count
		c := w.classOf(v.Type)
		more := w.To(c, "selp."+raw(v.Type), w.use(x.Args[1]), 0, p)
		return w.To(c, "add."+kind(v.Type, false), w.use(y), more)
	}
	return w.To(w.classOf(v.Type), "selp."+movable(v.Type), w.use(v.Args[1]), w.use(v.Args[2]), p)
}

// shift is Go's: PTX takes counts of 32 bits, and those above the width as the width.
func (w *writer) shift(v *ir.Value, x string) string {
	width := 8 * v.Type.Bytes()
	count := ""
	switch n := v.Args[1]; {
	case n.Op == ir.Const:
		bits := n.Bits
		count = fmt.Sprint(min(bits, uint64(width)))
	case n.Type == ir.I32:
		count = w.in(n)
	default:
		count = w.To(b32, "cvt.u32.u64", w.To(b64, "min.u64", w.in(n), width))
	}
	name := "shl." + raw(v.Type)
	if v.Op == ir.Shr {
		name = "shr." + kind(v.Type, v.Unsigned)
	}
	return w.To(w.classOf(v.Type), name, x, count)
}

// quotient divides integers. PTX leaves open the result of a division by 0, and of the least integer by -1.
func (w *writer) quotient(v *ir.Value, x, y string) string {
	d := v.Args[1]
	if d.Op == ir.Const && d.Bits != 0 && (v.Unsigned || d.Int() != -1) {
		return w.To(w.classOf(v.Type), v.Op.String()+"."+kind(v.Type, v.Unsigned), x, y)
	}
	c, t, bits := w.classOf(v.Type), kind(v.Type, v.Unsigned), raw(v.Type)
	y = w.in(d)
	results := map[string]string{"0": "0", "-1": "0"} // x/0 is 0, x%0 is x
	if v.Op == ir.Rem {
		results["0"] = x
	} else if !v.Unsigned {
		results["-1"] = w.To(c, "neg."+t, x)
	}
	by := []string{"0", "-1"}
	if v.Unsigned {
		by = by[:1]
	}
	var is []string
	divisor := y
	for _, b := range by {
		p := w.To(pred, "setp.eq."+kind(v.Type, false), y, b)
		divisor = w.To(c, "selp."+bits, 1, divisor, p)
		is = append(is, p)
	}
	q := w.To(c, v.Op.String()+"."+t, x, divisor)
	for n, p := range is {
		q = w.To(c, "selp."+bits, results[by[n]], q, p)
	}
	return q
}
