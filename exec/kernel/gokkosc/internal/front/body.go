package front

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/packages"
)

// A body is that of a functor.
type body struct {
	pkg  *packages.Package
	sig  *types.Signature
	at   token.Pos
	list []ast.Stmt

	types map[*types.TypeParam]types.Type
}

// maxCalls is how deep calls can be nested.
const maxCalls = 50

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

// enter returns the frame of a function with its parameters set.
func (f *frame) enter(pkg *packages.Package, d *ast.FuncDecl, def *types.Func, values []tree, args map[*types.TypeParam]types.Type) *frame {
	g := &frame{lowering: f.lowering, pkg: pkg, types: args, mark: len(f.log)}
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
	f.forgetNew(g.mark)
	f.calls = f.calls[:len(f.calls)-1]
}
