package front

import (
	"go/ast"
	"go/types"
)

func (f *frame) call(x *ast.CallExpr) tree {
	alone := f.alone == ast.Expr(x)
	f.alone = nil
	fun := ast.Unparen(x.Fun)
	if tv := f.pkg.TypesInfo.Types[fun]; tv.IsType() {
		arg := x.Args[0]
		return f.conversion(f.expr(arg), f.typeOf(arg), f.subst(tv.Type), arg)
	}
	switch i := fun.(type) {
	case *ast.IndexExpr:
		fun = i.X
	case *ast.IndexListExpr:
		fun = i.X
	}
	switch fn := fun.(type) {
	case *ast.FuncLit:
		return f.callValue(x, f.literal(fn).(*function), alone)
	case *ast.Ident:
		switch o := f.pkg.TypesInfo.ObjectOf(fn).(type) {
		case *types.Var:
			if v, ok := f.expr(fn).(*function); ok {
				return f.callValue(x, v, alone)
			}
		case *types.Builtin:
			return f.builtin(o.Name(), x, alone)
		case *types.Func:
			return f.inline(x, o, f.pkg.TypesInfo.Instances[fn].TypeArgs, nil, nil, alone)
		}
	case *ast.SelectorExpr:
		if sel := f.pkg.TypesInfo.Selections[fn]; sel != nil {
			return f.method(x, fn, sel, alone)
		}
		if b, ok := f.pkg.TypesInfo.ObjectOf(fn.Sel).(*types.Builtin); ok && b.Name() == "Sizeof" {
			return f.sizeOf(x)
		}
		if o, ok := f.pkg.TypesInfo.ObjectOf(fn.Sel).(*types.Func); ok {
			if t, ok := f.intrinsic(o.Pkg().Path()+"."+o.Name(), x); ok {
				return t
			}
			return f.inline(x, o, f.pkg.TypesInfo.Instances[fn.Sel].TypeArgs, nil, nil, alone)
		}
	}
	f.refuse(x.Pos(), "call a function or a method by its name", "a kernel cannot call functions that are values")
	return nil
}

func (f *frame) conversion(t tree, from, to types.Type, x ast.Expr) tree {
	if n, ok := t.(number); ok {
		return f.convert(n, from, to, x.Pos())
	}
	if types.Identical(from.Underlying(), to.Underlying()) {
		return t
	}
	f.refuse(x.Pos(), numberTypes, "a kernel cannot convert to %s", f.typeString(to))
	return nil
}

// callValue inlines the body of a function that is a value.
func (f *frame) callValue(x *ast.CallExpr, fn *function, alone bool) tree {
	if fn.lit == nil {
		return f.inline(x, fn.decl, fn.args, nil, nil, alone)
	}
	sig := fn.pkg.TypesInfo.TypeOf(fn.lit).(*types.Signature)
	values := f.arguments(x, sig, "a function literal")
	stores, mark := f.stores, len(f.log)
	out := f.callWith(x, fn, values)
	f.changedBy(mark, x.Pos())
	if f.stores != stores && !alone {
		f.refuse(x.Pos(), "call it in a statement of its own", "a function literal stores something, and is called inside of an expression")
	}
	return out
}
