package front

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Functions of package builtin that look at types when they run are lowered here, where the types are known.

// ofBuiltin lowers a function of package builtin that has no form for kernels.
func (f *frame) ofBuiltin(o *types.Func, x *ast.CallExpr, args *types.TypeList) (tree, bool) {
	if o.Pkg() == nil || o.Pkg().Path() != builtinPath || o.Signature().Recv() != nil || args.Len() != 1 {
		return nil, false
	}
	t := f.subst(args.At(0))
	switch o.Name() {
	case "most":
		return number{v: f.limit(t, false)}, true
	case "least":
		return number{v: f.limit(t, true)}, true
	case "compare":
		return f.compared(x, t), true
	}
	return nil, false
}

// compared lowers compare(&a, &b): -1 if a comes before b, 1 if behind it, else 0. Structs and arrays are
// compared part by part.
func (f *frame) compared(x *ast.CallExpr, t types.Type) tree {
	if !inOrder(t) {
		f.refuse(x.Pos(), "assign to the fields of the accumulator", "locations of type %s have an order of their own", f.typeString(t))
	}
	if !isIndex(t) {
		f.noteUnhidden(x.Pos(), t, "Compare", maxCalls)
	}
	var sides [2]tree
	for n, a := range x.Args {
		p, ok := ast.Unparen(a).(*ast.UnaryExpr)
		if !ok || p.Op != token.AND {
			f.refuse(a.Pos(), "", "a kernel cannot have pointers, but to its accumulators")
		}
		sides[n] = f.expr(p.X)
	}
	f.at = x.Pos()
	out := f.integer(0)
	as, bs, of := leaves(sides[0]), leaves(sides[1]), numbersOf(t)
	if len(as) != len(of) || len(bs) != len(of) {
		f.refuse(x.Pos(), "assign to the fields of the accumulator", "a kernel cannot compare locations of type %s", f.typeString(t))
	}
	for n := len(of) - 1; n >= 0; n-- {
		before, behind := f.before(as[n], bs[n], of[n]), f.before(bs[n], as[n], of[n])
		out = f.emit(ir.Select, ir.I64, before, f.integer(-1), f.emit(ir.Select, ir.I64, behind, f.integer(1), out))
	}
	return number{v: out}
}

// before reports whether a comes before b, as cmp.Compare has it: NaN before all numbers, false before true.
func (f *frame) before(a, b *ir.Value, t types.Type) *ir.Value {
	if a.Type == ir.Bool {
		return f.emit(ir.And, ir.Bool, f.emit(ir.Not, ir.Bool, a), b)
	}
	less := f.emit(ir.Lt, ir.Bool, a, b)
	_, less.Unsigned, _ = numberType(t)
	if !a.Type.IsFloat() {
		return less
	}
	number := f.emit(ir.Eq, ir.Bool, b, b)
	return f.emit(ir.Or, ir.Bool, less, f.emit(ir.And, ir.Bool, f.emit(ir.Ne, ir.Bool, a, a), number))
}

// equal lowers == and != of structs and arrays.
func (f *frame) equal(a, b tree, not bool) (number, bool) {
	_, isParts := f.of(a).(*parts)
	as, bs := leaves(a), leaves(b)
	if !isParts || len(as) != len(bs) {
		return number{}, false
	}
	for _, side := range []tree{a, b} {
		if unknown, ok := badPart(side); ok {
			f.refuse(f.at, "compare the fields that are numbers", "a kernel cannot compare %s", unknown.reason)
		}
	}
	all := f.truth(true)
	for n := range as {
		if as[n].Type != bs[n].Type {
			return number{}, false
		}
		all = f.emit(ir.And, ir.Bool, all, f.emit(ir.Eq, ir.Bool, as[n], bs[n]))
	}
	if not {
		all = f.emit(ir.Not, ir.Bool, all)
	}
	return number{v: all}, true
}
