package front

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A function is a value that can be called: a literal, whose variables from outside are those where it stands, or a
// declared function. Where it is called, its body is inlined.
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
