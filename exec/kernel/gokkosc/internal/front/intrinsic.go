package front

import (
	"go/ast"
	"go/constant"
	"math"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// functions are those of package math that are operations.
var functions = map[string]ir.Op{
	"math.Sqrt": ir.Sqrt, "math.Abs": ir.Abs, "math.Floor": ir.Floor, "math.Ceil": ir.Ceil, "math.Trunc": ir.Trunc,
	"math.RoundToEven": ir.RoundEven, "math.Copysign": ir.Copysign, "math.FMA": ir.FMA,
}

// bitwise are functions that give a number with the same bits.
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
		f.refuse(x.Pos(), "give it a constant", "the kernel calls math.Inf with a variable")
	case "math.Signbit":
		v := arg(0)
		f.at = x.Pos()
		return number{v: f.emit(ir.Lt, ir.Bool, f.emit(ir.Bits, ir.I64, v), f.integer(0))}, true
	case "math.IsNaN":
		v := arg(0)
		f.at = x.Pos()
		return number{v: f.emit(ir.Ne, ir.Bool, v, v)}, true
	case "math.Max", "math.Min":
		f.refuse(x.Pos(), "use max or min, the builtins", "the kernel calls %s, which has no vector form", name)
	case "math.Round":
		f.refuse(x.Pos(), "use math.RoundToEven, or math.Floor(x+0.5)", "the kernel calls math.Round, which has no vector form")
	case "math/bits.Mul64":
		a, b := arg(0), arg(1)
		f.at = x.Pos()
		return &parts{list: []tree{number{v: f.emit(ir.MulHigh, ir.I64, a, b)}, number{v: f.emit(ir.Mul, ir.I64, a, b)}}}, true
	case "math/bits.RotateLeft64", "math/bits.RotateLeft32", "math/bits.RotateLeft":
		return f.rotate(arg(0), arg(1)), true
	}
	return nil, false
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
