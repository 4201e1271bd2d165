package front

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// either returns x || y if or, else x && y; y is computed only if it decides.
func (f *frame) either(x, y func() *ir.Value, or bool) *ir.Value {
	a := x()
	if a.Op == ir.Const {
		if (a.Bits != 0) == or {
			return a
		}
		return y()
	}
	result := &flag{"either"}
	f.set(result, number{v: a})
	decided, open := func() {}, func() { f.set(result, number{v: y()}) }
	if !or {
		decided, open = open, decided
	}
	f.branch(a, decided, open)
	v := f.value(result)
	return v
}

var operators = map[token.Token]ir.Op{
	token.ADD: ir.Add, token.SUB: ir.Sub, token.MUL: ir.Mul, token.QUO: ir.Div, token.REM: ir.Rem,
	token.AND: ir.And, token.OR: ir.Or, token.XOR: ir.Xor, token.AND_NOT: ir.AndNot,
}

var comparisons = map[token.Token]struct {
	op    ir.Op
	other bool // the arguments are exchanged
}{
	token.EQL: {ir.Eq, false}, token.NEQ: {ir.Ne, false}, token.LSS: {ir.Lt, false},
	token.LEQ: {ir.Le, false}, token.GTR: {ir.Lt, true}, token.GEQ: {ir.Le, true},
}

// binary returns x op y, of operands of type t.
func (f *frame) binary(op token.Token, x, y number, t types.Type, at token.Pos) number {
	f.at = at
	_, unsigned, _ := numberType(t)
	if c, ok := comparisons[op]; ok {
		if c.other {
			x, y = y, x
		}
		v := f.emit(c.op, ir.Bool, x.v, y.v)
		v.Unsigned = unsigned && x.v.Type.IsInt() && (c.op == ir.Lt || c.op == ir.Le)
		return number{v: v}
	}
	o, ok := operators[op]
	if !ok {
		f.refuse(at, "", "a kernel cannot have the operator %s", op)
	}
	if x.v.Type.IsFloat() {
		if op == token.ADD || op == token.SUB {
			f.sum(x, at)
			f.sum(y, at)
		}
		v := f.emit(o, x.v.Type, x.v, y.v)
		if op == token.MUL {
			return number{v, at}
		}
		return number{v: v}
	}
	if o == ir.Div || o == ir.Rem {
		f.notZero(y.v)
	}
	v := f.emit(o, x.v.Type, x.v, y.v)
	v.Unsigned = unsigned && (o == ir.Div || o == ir.Rem)
	switch o {
	case ir.Add, ir.Sub, ir.Mul, ir.Div:
		v = f.wrapped(v, t)
	}
	return number{v: v}
}

// notZero stops the item if a divisor is 0: the divisor less one, taken as unsigned, is the greatest number
// then.
func (f *frame) notZero(y *ir.Value) {
	if y.Op == ir.Const && y.Bits != 0 {
		return
	}
	if y.Type == ir.I32 {
		y = f.emit(ir.Conv, ir.I64, y)
	}
	all := f.integer(-1)
	f.emit(ir.Check, ir.None, f.emit(ir.Add, ir.I64, y, all), all)
}

// wrapped truncates an integer of 32 bits to a narrower type, and extends it again.
func (f *frame) wrapped(v *ir.Value, t types.Type) *ir.Value {
	n := narrowType(f.subst(t))
	switch n {
	case ir.None:
		return v
	case ir.U8, ir.U16:
		return f.emit(ir.And, ir.I32, v, f.constant(ir.I32, 1<<(8*n.Bytes())-1))
	}
	by := f.integer(32 - 8*n.Bytes())
	return f.emit(ir.Shr, ir.I32, f.emit(ir.Shl, ir.I32, v, by), by)
}

// shift returns x << y or x >> y.
func (f *frame) shift(op token.Token, x number, count ast.Expr, t types.Type) number {
	y := f.numberOf(f.expr(count), count)
	f.at = count.Pos()
	known := y.v.Op == ir.Const && y.v.Int() >= 0 // a variable may be known, too, and negative
	if _, unsigned, _ := numberType(f.typeOf(count)); !unsigned && !known && !isUnsigned(f.typeOf(count)) {
		n := y.v
		if n.Type == ir.I32 {
			n = f.emit(ir.Conv, ir.I64, n)
		}
		f.emit(ir.Check, ir.None, n, f.constant(ir.I64, 1<<63)) // a negative count panics
	}
	o := ir.Shl
	if op == token.SHR {
		o = ir.Shr
	}
	v := f.emit(o, x.v.Type, x.v, y.v)
	_, unsigned, _ := numberType(t)
	v.Unsigned = unsigned && o == ir.Shr
	if o == ir.Shl {
		v = f.wrapped(v, t)
	}
	return number{v: v}
}

// convert returns a number as one of another type.
func (f *frame) convert(x number, from, to types.Type, at token.Pos) number {
	a, fromUnsigned, _ := numberType(from)
	b, toUnsigned, ok := numberType(to)
	f.at = at
	switch {
	case !ok || (a == ir.Bool) != (b == ir.Bool):
		f.refuse(at, numberTypes, "a kernel cannot convert to %s", f.typeString(to))
	case a == b: // a conversion of floats rounds, and integers have no sign
		if narrowType(f.subst(from)) == narrowType(f.subst(to)) {
			return number{v: x.v}
		}
		return number{v: f.wrapped(x.v, to)}
	}
	v := f.emit(ir.Conv, b, x.v)
	if a.IsInt() {
		v.Unsigned = fromUnsigned
	} else {
		v.Unsigned = b.IsInt() && toUnsigned
	}
	return number{v: f.wrapped(v, to)}
}

// sum notes a summand, and refuses a product.
func (f *frame) sum(x number, at token.Pos) {
	if x.product != token.NoPos {
		f.noRounding(x.product)
	}
	f.summands[x.v] = at
}

// noProduct refuses a product that a loop carries to where it is a summand.
func (l *lowering) noProduct(carried *ir.Value, at token.Pos) {
	if _, ok := l.summands[carried]; ok {
		l.noRounding(at)
	}
}

func (l *lowering) noProductCarried(carried *ir.Value, x number) {
	if x.product != token.NoPos {
		l.noProduct(carried, x.product)
	}
}

func (l *lowering) noRounding(at token.Pos) {
	if l.world.config.Rounded {
		if !l.fuses.IsValid() {
			l.fuses, l.unfused = l.position(at), "float64(x*y)"
			if slices.Contains(l.complexProducts, at) {
				l.unfused = "both parts of the complex number, each with float64(x*y)"
			}
		}
		return
	}
	l.refuse(at, "write float64(x*y), or float32(x*y), which rounds it", "Go may fuse this product with a sum, with other bits on some CPUs")
}
