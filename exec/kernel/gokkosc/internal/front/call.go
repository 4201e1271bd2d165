package front

import (
	"go/ast"
	"go/constant"
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

// sizeOf lowers unsafe.Sizeof, which is no constant where the type is a parameter.
func (f *frame) sizeOf(x *ast.CallExpr) tree {
	t := f.typeOf(x.Args[0])
	if _, _, ok := numberType(t); !ok {
		f.refuse(x.Pos(), numberTypes, "a kernel cannot ask for the size of %s", f.typeString(t))
	}
	return f.constantOf(constant.MakeInt64(f.pkg.TypesSizes.Sizeof(t)), types.Typ[types.Uintptr], x)
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

// dimension returns the extent or the stride of a view in a dimension: of a variable one of all of them.
func (f *frame) dimension(s shape, kind ir.StepKind, x ast.Expr) tree {
	i := f.indexOf(x)
	d, ok := known(i)
	if ok && d >= uint64(s.rank) || s.rank == 0 {
		f.refuse(x.Pos(), "use a number below the rank", "a kernel asks for a dimension that a view does not have")
	}
	if ok {
		return number{v: f.ofShape(s, kind, int(d))}
	}
	f.at = x.Pos()
	f.emit(ir.Check, ir.None, i, f.integer(s.rank))
	out := f.ofShape(s, kind, s.rank-1)
	for d := s.rank - 2; d >= 0; d-- {
		is := f.emit(ir.Eq, ir.Bool, i, f.integer(d))
		out = f.emit(ir.Select, ir.I64, is, f.ofShape(s, kind, d), out)
	}
	return number{v: out}
}

func (f *frame) builtin(name string, x *ast.CallExpr, alone bool) tree {
	switch name {
	case "len", "cap":
		switch t := f.expr(x.Args[0]).(type) {
		case *slice, *lazySlice:
			s := f.sliceOf(t, x.Args[0])
			if name == "cap" {
				return number{v: s.cap}
			}
			return number{v: s.len}
		case bad:
			f.refuse(x.Args[0].Pos(), t.help, "a kernel cannot have %s", t.reason)
		}
	case "min", "max":
		op := ir.Min
		if name == "max" {
			op = ir.Max
		}
		out := f.numberOf(f.expr(x.Args[0]), x.Args[0])
		_, unsigned, _ := numberType(f.typeOf(x))
		for _, a := range x.Args[1:] {
			y := f.numberOf(f.expr(a), a)
			f.at = x.Pos()
			out = number{v: f.emit(op, out.v.Type, out.v, y.v)}
			out.v.Unsigned = unsigned
		}
		return out
	case "panic":
		f.at = x.Pos()
		f.emit(ir.Check, ir.None, f.integer(0), f.integer(0)) // the closure panics
		return &parts{}
	case "new":
		key := &flag{"variable"}
		f.set(key, f.zero(f.pkg.TypesInfo.TypeOf(x.Args[0]), x.Pos()))
		return &reference{f.variable(key, x), key}
	case "copy", "clear":
		return f.builtinStore(name, x, alone)
	case "append", "make":
		f.refuse(x.Pos(), "pass memory as a parameter", "a kernel cannot allocate")
	}
	f.refuse(x.Pos(), instead[name], "a kernel cannot call %s", name)
	return nil
}

// instead says what takes the place of functions of Go.
var instead = map[string]string{
	"copy":    "write a loop that assigns the elements",
	"clear":   "write a loop that assigns zeros",
	"print":   "store the value, and print it behind the launch",
	"println": "store the value, and print it behind the launch",
	"delete":  "store the key, and delete it behind the launch",
	"close":   "close it behind the launch",
	"recover": "find the panic in the error of the launch",
	"complex": "compute with both parts, each a number",
	"real":    "compute with both parts, each a number",
	"imag":    "compute with both parts, each a number",
}

func fullName(o *types.Func) string {
	if o.Pkg() == nil {
		return o.Name()
	}
	return o.Pkg().Path() + "." + funcKey(o)
}
