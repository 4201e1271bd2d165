package front

import (
	"errors"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

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
	if _, ok := complexPart(to); ok {
		return f.complexConverted(t, from, to, x.Pos())
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
	stores, start := f.stores, f.beginCall()
	out := f.callWith(x, fn, values)
	f.changedBy(start, x.Pos())
	f.storesAlone(x, stores, alone, "a function literal")
	return out
}

// A selected is the type whose method is called, and the path to the method: indices of embedded fields, then
// the method's index.
type selected struct {
	recv types.Type
	path []int
}

// method lowers the call of a method, which may be one of an embedded field.
func (f *frame) method(x *ast.CallExpr, fn *ast.SelectorExpr, sel *types.Selection, alone bool) tree {
	o, ok := sel.Obj().(*types.Func)
	if !ok || sel.Kind() != types.MethodVal {
		f.refuse(x.Pos(), "call a function or a method by its name", "a kernel cannot call functions that are values")
	}
	s := selected{f.subst(sel.Recv()), sel.Index()}
	if _, ok := types.Unalias(sel.Recv()).(*types.TypeParam); ok {
		of, path, _ := types.LookupFieldOrMethod(s.recv, true, o.Pkg(), o.Name())
		o, s.path = of.(*types.Func), path
	}
	if types.IsInterface(s.recv) {
		f.refuse(x.Pos(), "give the variable its own type, or make the function generic", "the kernel calls %s of an interface, which is known only when it runs", o.Name())
	}
	if t, ok := f.ofMember(x, fn, o); ok {
		return t
	}
	if t, ok := f.ofAccess(x, fn, o); ok {
		return t
	}
	if ptr, ok := o.Signature().Recv().Type().(*types.Pointer); ok && o.Pkg() != nil && o.Pkg().Path() != viewsPath {
		return f.pointerMethod(x, fn, s, o, ptr, alone)
	}
	recv, t, path := f.of(f.expr(fn.X)), s.recv, s.path
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

// pointerMethod lowers the call of a method with a pointer to a variable of the functor, or to an
// accumulator. The method is inlined with a copy, which is assigned to the variable behind the call.
func (f *frame) pointerMethod(x *ast.CallExpr, fn *ast.SelectorExpr, sel selected, o *types.Func, ptr *types.Pointer, alone bool) tree {
	path := sel.path
	p := f.place(fn.X)
	if len(path) > 1 {
		p = f.field(p, path[:len(path)-1])
	}
	var recv tree
	if !p.record {
		recv = p.load()
	}
	t := sel.recv
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

// ofView lowers methods of views: extents, strides, ranks and lengths, and access to elements.
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

// inline lowers the body of a function in place of its call.
func (f *frame) inline(x *ast.CallExpr, o *types.Func, args *types.TypeList, recv tree, recvArgs *types.TypeList, alone bool) tree {
	return f.inlineWith(x, o, args, recv, recvArgs, alone, nil)
}

// operation lowers a function that needs no body.
func (f *frame) operation(x *ast.CallExpr, o *types.Func, args *types.TypeList, alone bool) (t tree, ok bool) {
	if t, ok := f.intrinsic(fullName(o), x); ok {
		return t, true
	}
	if t, ok := f.atomic(o, x); ok {
		return t, true
	}
	stores := f.stores
	if t, ok = f.ofTeams(o, x, args); ok {
		f.storesAlone(x, stores, alone, fullName(o))
		return t, true
	}
	return f.ofBuiltin(o, x, args)
}

// storesAlone refuses a call within an expression if the call has stored something. The argument stores is
// the number of stores before the call.
func (f *frame) storesAlone(x *ast.CallExpr, stores int, alone bool, what string) {
	if f.stores != stores && !alone {
		f.refuse(x.Pos(), "call it in a statement of its own", "%s stores something, and is called inside of an expression", what)
	}
}

// callee returns the declaration of a function that is called, and its package.
func (f *frame) callee(x *ast.CallExpr, o *types.Func) (*packages.Package, *ast.FuncDecl) {
	path := ""
	if o.Pkg() != nil {
		path = o.Pkg().Path()
	}
	switch path {
	case scatterPath: // also with -inline, because an Access allocates
		f.refuse(x.Pos(), "contribute by Combine1 to Combine4, CombineRow2 and CombineRow3", "the kernel calls %s", fullName(o))
	case execPath:
		f.refuse(x.Pos(), "launch it behind this launch", "the functor calls %s: it may launch", o.FullName())
	}
	pkg, d, err := f.world.declOf(f.lowering.pkg, o)
	if r, ok := err.(*Refusal); ok {
		panic(r)
	}
	if err != nil {
		help := "write it in this module, or give its package to -inline"
		switch path {
		case "math/bits":
			help, err = "divide numbers of 64 bits by the operators / and %", errors.New("it may panic")
		case "sync/atomic":
			help = "use a reduction, or a function such as atomic.AddInt64 for an element of a slice"
		case "fmt", "log", "os", "errors":
			help = "call it in a function that few items call, with //gokkos:closure in its comment"
		}
		f.refuse(x.Pos(), help, "the kernel calls %s: %v", fullName(o), err)
	}
	return pkg, d
}

// inlineWith is inline for a method; receiver gets what its receiver is behind it, unless it is nil.
func (f *frame) inlineWith(x *ast.CallExpr, o *types.Func, args *types.TypeList, recv tree, recvArgs *types.TypeList, alone bool, receiver func(t tree)) tree {
	if t, ok := f.operation(x, o, args, alone); ok {
		return t
	}
	pkg, d := f.callee(x, o)
	def := pkg.TypesInfo.Defs[d.Name].(*types.Func)
	if hasDirective(d, rareDirective) {
		return f.rare(x, def)
	}
	if slices.Contains(f.calls, def) || len(f.calls) >= maxCalls {
		f.refuse(x.Pos(), "write it as a loop", "the kernel calls %s, which calls itself", fullName(o))
	}
	values := f.arguments(x, def.Signature(), fullName(def))
	if recv != nil {
		values = append([]tree{recv}, values...)
	}
	stores, touched, at := f.stores, f.touched, x.Pos()
	if def.Pkg().Path() == randomPath { // the position of a generator in its words is a constant
		defer f.folding()()
	}
	outside := f.outside
	if pkg != f.lowering.pkg && !outside.IsValid() {
		f.outside = at
	}
	start := f.beginCall()
	g := f.enter(pkg, d, def, values, f.typeArgs(def, args, recvArgs))
	out := g.body(d)
	if receiver != nil {
		receiver(f.vars[def.Signature().Recv()])
	}
	f.leave(g)
	f.outside = outside // a refusal from here on is of the call
	f.changedBy(start, at)
	f.orderOfCall(touched, at)
	f.storesAlone(x, stores, alone, fullName(o))
	return out
}

// rare lowers the call of a function marked as rare: the item stops there, and runs as the closure.
func (f *frame) rare(x *ast.CallExpr, def *types.Func) tree {
	f.at = x.Pos()
	f.emit(ir.Check, ir.None, f.integer(0), f.integer(0))
	out := &parts{}
	for v := range def.Signature().Results().Variables() {
		out.list = append(out.list, f.zeroOrNil(v.Type()))
	}
	if len(out.list) == 1 {
		return out.list[0]
	}
	return out
}
