package front

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// maxCalls is how deep calls can be nested.
const maxCalls = 50

// inline lowers the body of a function in place of its call.
func (f *frame) inline(x *ast.CallExpr, o *types.Func, args *types.TypeList, recv tree, recvArgs *types.TypeList, alone bool) tree {
	return f.inlineWith(x, o, args, recv, recvArgs, alone, nil)
}

// inlineWith is inline for a method; receiver gets what its receiver is behind it, unless it is nil.
func (f *frame) inlineWith(x *ast.CallExpr, o *types.Func, args *types.TypeList, recv tree, recvArgs *types.TypeList, alone bool, receiver func(t tree)) tree {
	if t, ok := f.intrinsic(fullName(o), x); ok {
		return t
	}
	if t, ok := f.atomic(o, x); ok {
		return t
	}
	before := f.stores
	if t, ok := f.ofTeams(o, x, args); ok {
		if f.stores != before && !alone {
			f.refuse(x.Pos(), "call it in a statement of its own", "%s stores something, and is called inside of an expression", fullName(o))
		}
		return t
	}
	if t, ok := f.ofBuiltin(o, x, args); ok {
		return t
	}
	if o.Pkg() != nil && o.Pkg().Path() == scatterPath { // whatever -inline names: an Access allocates
		f.refuse(x.Pos(), "leave this functor a closure, and let a kernel before it store what takes long to compute", "the kernel contributes to a scatter, whose memory grows with what comes")
	}
	if o.Pkg() != nil && o.Pkg().Path() == execPath {
		f.refuse(x.Pos(), "launch it behind this launch", "the functor calls %s: it may launch", o.FullName())
	}
	pkg, d, err := f.world.declOf(f.lowering.pkg, o)
	if r, ok := err.(*Refusal); ok {
		panic(r)
	}
	if err != nil {
		help := "write it in this module, or give its package to -inline"
		if o.Pkg() != nil && o.Pkg().Path() == "math/bits" {
			help, err = "divide numbers of 64 bits by the operators / and %", errors.New("it may panic")
		}
		f.refuse(x.Pos(), help, "the kernel calls %s: %v", fullName(o), err)
	}
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
	if def.Pkg().Path() == randomPath { // where in its words a generator is
		defer f.folding()()
	}
	if pkg != f.lowering.pkg && !f.outside.IsValid() {
		f.outside = at
		defer func() { f.outside = token.NoPos }()
	}
	g := f.enter(pkg, d, def, values, f.typeArgs(def, args, recvArgs))
	out := g.body(d)
	if receiver != nil {
		receiver(f.vars[def.Signature().Recv()])
	}
	f.leave(g)
	f.changedBy(g.known, at)
	f.orderOfCall(touched, at)
	if f.stores != stores && !alone {
		f.refuse(at, "call it in a statement of its own", "%s stores something, and is called inside of an expression", fullName(o))
	}
	return out
}

// rare lowers the call of a function for which loops have no place: the item stops there, and runs as
// the closure.
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

// arguments lowers the arguments of a call of something with that name.
func (f *frame) arguments(x *ast.CallExpr, sig *types.Signature, name string) []tree {
	if sig.Variadic() {
		f.refuse(x.Pos(), "give it a fixed number of parameters", "the kernel calls %s, which is variadic", name)
	}
	read := maps.Clone(f.read)
	defer func() { f.read = read }() // they are values before the call, or calls behind it, change anything
	if len(x.Args) == 1 && sig.Params().Len() > 1 {
		return f.list(x.Args, sig.Params().Len())
	}
	var values []tree
	for _, a := range x.Args {
		values = append(values, f.expr(a))
	}
	return values
}

// typeArgs returns what the type parameters of a function stand for.
func (f *frame) typeArgs(def *types.Func, args, recvArgs *types.TypeList) map[*types.TypeParam]types.Type {
	m := map[*types.TypeParam]types.Type{}
	sig := def.Signature()
	for k := range sig.TypeParams().Len() {
		m[sig.TypeParams().At(k)] = f.subst(args.At(k))
	}
	for k := range sig.RecvTypeParams().Len() {
		m[sig.RecvTypeParams().At(k)] = f.subst(recvArgs.At(k))
	}
	return m
}

// enter returns the frame of a function with its parameters set.
func (f *frame) enter(pkg *packages.Package, d *ast.FuncDecl, def *types.Func, values []tree, args map[*types.TypeParam]types.Type) *frame {
	g := &frame{lowering: f.lowering, pkg: pkg, types: args}
	g.known = clone(f.vars)
	f.calls = append(f.calls, def)
	f.madeOf(pkg, d)
	f.k.Inlined = append(f.k.Inlined, fullName(def))
	sig := def.Signature()
	if r := sig.Recv(); r != nil {
		g.set(r, values[0])
		values = values[1:]
	}
	for n, t := range values {
		g.set(sig.Params().At(n), t)
	}
	g.returnsTo(sig)
	return g
}

// returnsTo makes variables of what a function returns.
func (f *frame) returnsTo(sig *types.Signature) {
	f.ret = f.newFlag("returned")
	for v := range sig.Results().Variables() {
		f.results = append(f.results, v.Type())
		result := &flag{"result"}
		f.set(result, f.zeroOrNil(v.Type()))
		f.values = append(f.values, result)
		if v.Name() != "" {
			f.named = append(f.named, v)
			f.set(v, f.zeroOrNil(v.Type()))
		}
	}
}

// zeroOrNil returns what a result is before there is one. Of a slice there is nothing, nor of a struct with slices.
func (f *frame) zeroOrNil(t types.Type) tree {
	if canBeNil(f.subst(t)) {
		return null{}
	}
	return f.zero(t, f.at)
}

// canBeNil reports whether values of a type, or parts of them, can be nil.
func canBeNil(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Signature, *types.Pointer:
		return true
	case *types.Array:
		return canBeNil(u.Elem())
	case *types.Struct:
		for v := range u.Fields() {
			if canBeNil(v.Type()) {
				return true
			}
		}
	}
	return false
}

// body lowers the body of a function, and returns its result.
func (f *frame) body(d *ast.FuncDecl) tree {
	f.stmts(d.Body.List)
	return f.result()
}

// result returns what a function has returned.
func (f *frame) result() tree {
	out := &parts{}
	for _, v := range f.values {
		out.list = append(out.list, f.vars[v])
	}
	if len(out.list) == 1 {
		return out.list[0]
	}
	return out
}

// leave forgets the variables of a function.
func (f *frame) leave(g *frame) {
	for key := range f.vars {
		if _, ok := g.known[key]; !ok {
			delete(f.vars, key)
		}
	}
	f.calls = f.calls[:len(f.calls)-1]
}
