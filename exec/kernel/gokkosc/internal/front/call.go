package front

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
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

// method lowers the call of a method, which may be one of an embedded field.
func (f *frame) method(x *ast.CallExpr, fn *ast.SelectorExpr, sel *types.Selection, alone bool) tree {
	o, ok := sel.Obj().(*types.Func)
	if !ok || sel.Kind() != types.MethodVal || types.IsInterface(sel.Recv()) {
		f.refuse(x.Pos(), "call a function or a method by its name", "a kernel cannot call functions that are values")
	}
	if t, ok := f.ofMember(x, fn, o); ok {
		return t
	}
	if ptr, ok := o.Signature().Recv().Type().(*types.Pointer); ok && o.Pkg() != nil && o.Pkg().Path() != viewsPath {
		return f.pointerMethod(x, fn, sel, o, ptr, alone)
	}
	recv, t := f.of(f.expr(fn.X)), f.subst(sel.Recv())
	path := sel.Index()
	for _, k := range path[:len(path)-1] {
		recv = f.part(recv, k)
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		t = f.subst(t.Underlying().(*types.Struct).Field(k).Type())
	}
	recv = f.of(recv)
	if t, ok := f.ofView(x, o, recv, alone); ok {
		return t
	}
	named := t
	if p, ok := named.(*types.Pointer); ok {
		named = p.Elem()
	}
	n, ok := types.Unalias(named).(*types.Named)
	if !ok {
		f.refuse(x.Pos(), "", "a kernel cannot call method %s", o.Name())
	}
	return f.inline(x, o, nil, recv, n.TypeArgs(), alone)
}

// pointerMethod lowers the call of a method on a variable of the functor, or on an accumulator: the variable is what
// the receiver is behind it.
func (f *frame) pointerMethod(x *ast.CallExpr, fn *ast.SelectorExpr, sel *types.Selection, o *types.Func, ptr *types.Pointer, alone bool) tree {
	path := sel.Index()
	p := f.place(fn.X)
	if len(path) > 1 {
		p = f.field(p, path[:len(path)-1])
	}
	var recv tree
	if !p.record {
		recv = p.load()
	}
	t := f.subst(sel.Recv())
	for _, k := range path[:len(path)-1] {
		if q, ok := t.Underlying().(*types.Pointer); ok {
			t = q.Elem()
		}
		t = f.subst(t.Underlying().(*types.Struct).Field(k).Type())
	}
	q, isPointer := t.Underlying().(*types.Pointer)
	if isPointer {
		t = q.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		f.refuse(x.Pos(), "", "a kernel cannot call method %s", o.Name())
	}
	if p.record && isPointer {
		recv = p.load()
	} else if p.record {
		return f.inline(x, o, nil, &reference{p, nil}, n.TypeArgs(), alone)
	}
	switch recv.(type) {
	case accumulator, *pointer, *reference, far:
		if len(path) == 1 || isPointer {
			return f.inline(x, o, nil, recv, n.TypeArgs(), alone)
		}
	}
	var after tree
	out := f.inlineWith(x, o, nil, recv, n.TypeArgs(), alone, func(t tree) { after = t })
	if !sameValues(leaves(recv), leaves(after)) {
		f.root(fn.X, func(key any) { f.changes(key, x.Pos()) })
		p.store(after)
	}
	return out
}

// ofView lowers methods that ask for what views are.
func (f *frame) ofView(x *ast.CallExpr, o *types.Func, recv tree, alone bool) (tree, bool) {
	if o.Pkg() == nil || o.Pkg().Path() != viewsPath {
		return nil, false
	}
	if s, ok := recv.(shape); ok {
		switch o.Name() { // whether elements may be touched is asked before the kernel runs
		case "touch":
			return &parts{}, true
		case "touchAt":
			return f.expr(x.Args[0]), true
		}
		return f.inline(x, o, nil, s, nil, alone), true
	}
	p, ok := recv.(*parts)
	if !ok || len(p.list) < 2 {
		return nil, false
	}
	s, ok := p.list[1].(shape)
	if !ok {
		return nil, false
	}
	switch o.Name() {
	case "Extent":
		return f.dimension(s, ir.Extent, x.Args[0]), true
	case "Stride":
		return f.dimension(s, ir.Stride, x.Args[0]), true
	case "Rank": // 0 of a zero view
		if len(s.among) > 0 {
			f.refuse(x.Pos(), "use a constant", "a kernel asks for the rank of one of several views")
		}
		path := append(slices.Clip(s.path), ir.Step{Kind: ir.Method, Field: "Rank"})
		return number{v: f.scalar(s.param, path, ir.I64, "int")}, true
	case "Len":
		n := f.integer(1)
		for d := range s.rank {
			n = f.emit(ir.Mul, ir.I64, n, f.ofShape(s, ir.Extent, d))
		}
		return number{v: n}, true
	}
	return nil, false
}
