package front

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

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
	f.changedBy(g.mark, at)
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
