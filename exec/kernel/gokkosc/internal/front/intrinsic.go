package front

import (
	"go/ast"
	"go/constant"
	"math"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// functions maps functions of package math to operations of the representation.
var functions = map[string]ir.Op{
	"math.Sqrt": ir.Sqrt, "math.Abs": ir.Abs, "math.Floor": ir.Floor, "math.Ceil": ir.Ceil, "math.Trunc": ir.Trunc,
	"math.RoundToEven": ir.RoundEven, "math.Copysign": ir.Copysign, "math.FMA": ir.FMA,
}

// bitwise are functions that return a number of another type with the same bits.
var bitwise = map[string]ir.Type{
	"math.Float64bits": ir.I64, "math.Float64frombits": ir.F64, "math.Float32bits": ir.I32, "math.Float32frombits": ir.F32,
}

// intrinsic lowers a function that needs no body.
func (f *frame) intrinsic(name string, x *ast.CallExpr) (tree, bool) {
	arg := func(n int) *ir.Value { return f.numberOf(f.expr(x.Args[n]), x.Args[n]).v }
	if op, ok := functions[name]; ok {
		var args []*ir.Value
		for n := range x.Args {
			args = append(args, arg(n))
		}
		f.at = x.Pos()
		return number{v: f.emit(op, ir.F64, args...)}, true
	}
	if t, ok := bitwise[name]; ok {
		v := arg(0)
		f.at = x.Pos()
		return number{v: f.emit(ir.Bits, t, v)}, true
	}
	switch name {
	case "math.NaN":
		return number{v: f.constant(ir.F64, math.Float64bits(math.NaN()))}, true
	case "math.Inf":
		if c := f.pkg.TypesInfo.Types[x.Args[0]].Value; c != nil {
			return number{v: f.constant(ir.F64, math.Float64bits(math.Inf(constant.Sign(c))))}, true
		}
		sign := arg(0)
		f.at = x.Pos()
		inf := func(sign int) *ir.Value { return f.constant(ir.F64, math.Float64bits(math.Inf(sign))) }
		return number{v: f.emit(ir.Select, ir.F64, f.emit(ir.Le, ir.Bool, f.integer(0), sign), inf(1), inf(-1))}, true
	case "math.IsInf":
		v, sign := arg(0), arg(1)
		f.at = x.Pos()
		return number{v: f.isInf(v, sign)}, true
	case "math.Signbit":
		v := arg(0)
		f.at = x.Pos()
		return number{v: f.emit(ir.Lt, ir.Bool, f.emit(ir.Bits, ir.I64, v), f.integer(0))}, true
	case "math.IsNaN":
		v := arg(0)
		f.at = x.Pos()
		return number{v: f.emit(ir.Ne, ir.Bool, v, v)}, true
	case "math/bits.Mul64":
		a, b := arg(0), arg(1)
		f.at = x.Pos()
		return &parts{list: []tree{number{v: f.emit(ir.MulHigh, ir.I64, a, b)}, number{v: f.emit(ir.Mul, ir.I64, a, b)}}}, true
	case "math/bits.RotateLeft64", "math/bits.RotateLeft32", "math/bits.RotateLeft":
		return f.rotate(arg(0), arg(1)), true
	}
	if of := ir.FunctionOf(name); of != nil {
		return f.goCall(name, of, x), true
	}
	return nil, false
}

// goCall lowers the call of a function that stays one.
func (f *frame) goCall(name string, of *ir.Function, x *ast.CallExpr) tree {
	var args []*ir.Value
	add := func(t tree, at ast.Expr) {
		a := f.numberOf(t, at)
		if of.Sums {
			f.sum(a, at.Pos())
		}
		args = append(args, a.v)
	}
	if len(x.Args) < len(of.Params()) { // the arguments are the results of another call
		for _, t := range f.list(x.Args, len(of.Params())) {
			add(t, x.Args[0])
		}
	} else {
		for _, a := range x.Args {
			add(f.expr(a), a)
		}
	}
	f.at = x.Pos()
	out := &parts{}
	for n, t := range of.Results() {
		v := f.emit(ir.Call, t, args...)
		v.Func, v.Index = name, n
		r := number{v: v}
		if of.Product {
			r.product = x.Pos()
		}
		out.list = append(out.list, r)
	}
	if len(out.list) == 1 {
		return out.list[0]
	}
	return out
}

// isInf returns whether x is infinite, with that sign unless the sign is 0.
func (f *frame) isInf(x, sign *ir.Value) *ir.Value {
	above := f.emit(ir.Lt, ir.Bool, f.constant(ir.F64, math.Float64bits(math.MaxFloat64)), x)
	below := f.emit(ir.Lt, ir.Bool, x, f.constant(ir.F64, math.Float64bits(-math.MaxFloat64)))
	zero := f.integer(0)
	above = f.emit(ir.And, ir.Bool, f.emit(ir.Le, ir.Bool, zero, sign), above)
	below = f.emit(ir.And, ir.Bool, f.emit(ir.Le, ir.Bool, sign, zero), below)
	return f.emit(ir.Or, ir.Bool, above, below)
}

// rotate returns x rotated to the left by k.
func (f *frame) rotate(x, k *ir.Value) tree {
	width := f.integer(8 * x.Type.Bytes())
	mask := f.integer(8*x.Type.Bytes() - 1)
	left := f.emit(ir.And, ir.I64, k, mask)
	right := f.emit(ir.Sub, ir.I64, width, left)
	low := f.emit(ir.Shr, x.Type, x, right)
	low.Unsigned = true
	return number{v: f.emit(ir.Or, x.Type, f.emit(ir.Shl, x.Type, x, left), low)}
}
