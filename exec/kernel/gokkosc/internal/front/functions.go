package front

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A function is a value that can be called: a literal or a declared function. A literal refers to the
// variables around it. Each call inlines the body.
type function struct {
	pkg   *packages.Package
	types map[*types.TypeParam]types.Type
	lit   *ast.FuncLit // nil of a declared function
	decl  *types.Func
	args  *types.TypeList
}

func (fn *function) differs(_ *ir.Kernel, other tree) (says, help string) {
	if g, ok := other.(*function); ok && fn.lit == g.lit && fn.decl == g.decl {
		return "", ""
	}
	return "is one of several functions", "call each where it is known"
}

// literal returns a function literal as a value.
func (f *frame) literal(x *ast.FuncLit) tree { return &function{pkg: f.pkg, types: f.types, lit: x} }

// callWith inlines the body of a literal with what its parameters are, and returns its result.
func (f *frame) callWith(x ast.Expr, fn *function, values []tree) tree {
	if slices.Contains(f.literals, fn.lit) || len(f.literals) >= maxCalls {
		f.refuse(x.Pos(), "write it as a loop", "the kernel calls a function literal that calls itself")
	}
	sig := fn.pkg.TypesInfo.TypeOf(fn.lit).(*types.Signature)
	g := &frame{lowering: f.lowering, pkg: fn.pkg, types: fn.types, mark: len(f.log)}
	for n, t := range values {
		g.set(sig.Params().At(n), t)
	}
	g.returnsTo(sig)
	f.literals = append(f.literals, fn.lit)
	g.stmts(fn.lit.Body.List)
	f.literals = f.literals[:len(f.literals)-1]
	out := g.result()
	f.forgetNew(g.mark)
	return out
}

// funcValue returns a declared function as a value.
func (f *frame) funcValue(id *ast.Ident, o *types.Func) tree {
	return &function{pkg: f.pkg, types: f.types, decl: o, args: f.pkg.TypesInfo.Instances[id].TypeArgs}
}

// helper returns the function that a captured variable is, if nothing assigns to it but its declaration.
func (l *lowering) helper(v *types.Var) (tree, bool) {
	if _, ok := v.Type().Underlying().(*types.Signature); !ok || l.changes(v) {
		return nil, false
	}
	var found tree
	f := &frame{lowering: l, pkg: l.pkg, types: l.types}
	ast.Inspect(l.site.Within, func(n ast.Node) bool {
		var value ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			for k, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); ok && l.pkg.TypesInfo.Defs[id] == v && len(n.Rhs) == len(n.Lhs) {
					value = n.Rhs[k]
				}
			}
		case *ast.ValueSpec:
			for k, id := range n.Names {
				if l.pkg.TypesInfo.Defs[id] == v && len(n.Values) == len(n.Names) {
					value = n.Values[k]
				}
			}
		}
		if value == nil {
			return true
		}
		switch x := ast.Unparen(value).(type) {
		case *ast.FuncLit:
			found = f.literal(x)
		case *ast.Ident:
			if o, ok := l.pkg.TypesInfo.Uses[x].(*types.Func); ok {
				found = f.funcValue(x, o)
			}
		case *ast.SelectorExpr:
			if o, ok := l.pkg.TypesInfo.Uses[x.Sel].(*types.Func); ok && l.pkg.TypesInfo.Selections[x] == nil {
				found = f.funcValue(x.Sel, o)
			}
		}
		return true
	})
	return found, found != nil
}

// A body is the body of a functor, with its signature.
type body struct {
	pkg  *packages.Package
	sig  *types.Signature
	at   token.Pos
	list []ast.Stmt

	types map[*types.TypeParam]types.Type
}

// maxCalls limits the depth of nested calls.
const maxCalls = 50

// arguments lowers the arguments of a call of something with that name.
func (f *frame) arguments(x *ast.CallExpr, sig *types.Signature, name string) []tree {
	if sig.Variadic() {
		f.refuse(x.Pos(), "give it a fixed number of parameters", "the kernel calls %s, which is variadic", name)
	}
	read, loaded := maps.Clone(f.read), f.ofOwn.loaded
	defer func() { f.read, f.ofOwn.loaded = read, loaded }() // arguments are values by the time the call, or a later call, changes a variable
	if len(x.Args) == 1 && sig.Params().Len() > 1 {
		return f.list(x.Args, sig.Params().Len())
	}
	var values []tree
	for _, a := range x.Args {
		values = append(values, f.expr(a))
	}
	return values
}

// typeArgs returns the type arguments of a function, by type parameter.
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

// returnsTo makes variables for the results of a function.
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

// result returns the values of a function's results.
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
