package front

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/find"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// A functor in place captures variables as its closure does. It captures a variable by value if nothing
// changes the variable, and otherwise by address. So the loop loads a variable at the same point as the
// closure. Variables of packages are captured by address, too.

// capturedVar returns a variable from outside of the functor that is lowered.
func (f *frame) capturedVar(x ast.Expr, v *types.Var) (tree, bool) {
	l := f.lowering
	if l.site == nil || v.IsField() || v.Pkg() == nil {
		return nil, false
	}
	if v.Parent() == v.Pkg().Scope() {
		return l.global(x, v), true
	}
	if t, ok := l.captures[v]; ok {
		return t, true
	}
	if f.pkg != l.pkg || len(l.calls) > 0 {
		return nil, false
	}
	if t, ok := l.helper(v); ok {
		l.captures[v] = t
		return t, true
	}
	l.captures[v] = l.local(x, v.Name(), v.Name(), find.Subst(v.Type(), l.types), l.changes(v))
	return l.captures[v], true
}

// local captures a local variable, or a field of a local variable. If a function declares the variable's
// type, local captures its fields one by one.
func (l *lowering) local(x ast.Expr, name, expr string, t types.Type, changes bool) tree {
	if s, ok := t.Underlying().(*types.Struct); ok && isLocal(t) {
		p := &parts{typ: t}
		for v := range s.Fields() {
			if isBlank(v) {
				p.list = append(p.list, blank)
			} else {
				p.list = append(p.list, l.local(x, name+"_"+v.Name(), expr+"."+v.Name(), find.Subst(v.Type(), l.types), changes))
			}
		}
		return p
	}
	l.nameable(x, t, expr)
	if changes || l.pkg.TypesSizes.Sizeof(t) > maxCopied {
		return l.capture(name, types.NewPointer(t), Capture{Expr: "&" + expr})
	}
	return l.capture(name, t, Capture{Expr: expr})
}

// maxCopied is how many bytes a variable can have to be captured by value, as the compiler of Go has it.
const maxCopied = 128

// global returns a variable of a package.
func (l *lowering) global(x ast.Expr, v *types.Var) tree {
	own := v.Pkg().Path() == l.pkg.PkgPath
	if !own && !v.Exported() {
		l.refuse(x.Pos(), "pass it to the function", "the kernel uses %s, which is a variable of package %s", v.Name(), v.Pkg().Path())
	}
	key := v.Pkg().Path() + "." + v.Name()
	if t, ok := l.captures[key]; ok {
		return t
	}
	l.nameable(x, v.Type(), v.Name())
	expr := v.Name()
	if !own {
		name := l.world.importName(v.Pkg(), l.pkg.Types.Scope())
		l.imports[v.Pkg().Path()] = name
		expr = name + "." + expr
	}
	l.captures[key] = l.capture(v.Name(), types.NewPointer(v.Type()), Capture{Expr: "&" + expr, Global: true})
	return l.captures[key]
}

// capture adds a captured expression as a parameter, and returns its value. For a captured address, the value
// is the variable at that address.
func (l *lowering) capture(name string, t types.Type, c Capture) tree {
	taken := func(p ir.Param) bool { return p.Name == name }
	for slices.ContainsFunc(l.k.Params, taken) || l.pkg.Types.Scope().Lookup(name) != nil && !c.Global ||
		name == "_" || token.IsKeyword(name) || slices.Contains(Methods, name) || name == Maker || l.world.imports[name] != "" {
		name += "_"
	}
	address := c.Expr[0] == '&'
	n := len(l.k.Params)
	l.k.Params = append(l.k.Params, ir.Param{Name: name, Type: l.typeString(t), NotNil: address})
	l.site.Captures = append(l.site.Captures, c)
	if address {
		return l.param(n, []ir.Step{{Kind: ir.Deref}}, t.(*types.Pointer).Elem())
	}
	return l.param(n, nil, t)
}

// nameable refuses types that generated files cannot name.
func (l *lowering) nameable(x ast.Expr, t types.Type, what string) {
	seen := map[types.Type]bool{}
	var visit func(t types.Type)
	visit = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.TypeParam:
			l.refuse(x.Pos(), "", "the type of %s is a parameter of the function, of which the program has no instance", what)
		case *types.Alias:
			l.ofPackage(x, t.Obj(), what)
			visitArgs(t.TypeArgs(), visit)
		case *types.Named:
			l.ofPackage(x, t.Obj(), what)
			visitArgs(t.TypeArgs(), visit)
		case *types.Pointer:
			visit(t.Elem())
		case *types.Slice:
			visit(t.Elem())
		case *types.Array:
			visit(t.Elem())
		case *types.Map:
			visit(t.Key())
			visit(t.Elem())
		case *types.Chan:
			visit(t.Elem())
		case *types.Struct:
			for v := range t.Fields() {
				if !v.Exported() && v.Pkg().Path() != l.pkg.PkgPath {
					l.refuse(x.Pos(), "give the type a name", "the type of %s has a field %s, which only its own package sees", what, v.Name())
				}
				visit(v.Type())
			}
		case *types.Signature:
			for v := range t.Params().Variables() {
				visit(v.Type())
			}
			for v := range t.Results().Variables() {
				visit(v.Type())
			}
		}
	}
	visit(t)
}

func visitArgs(list *types.TypeList, visit func(types.Type)) {
	for t := range list.Types() {
		visit(t)
	}
}

func (l *lowering) ofPackage(x ast.Expr, o *types.TypeName, what string) {
	switch {
	case o.Pkg() == nil:
	case o.Parent() != o.Pkg().Scope():
		l.refuse(x.Pos(), "declare it outside of the function", "the type %s of %s is declared in a function", o.Name(), what)
	case !o.Exported() && o.Pkg().Path() != l.pkg.PkgPath:
		l.refuse(x.Pos(), "", "the type %s of %s is one that only package %s sees", o.Name(), what, o.Pkg().Path())
	case l.site != nil && !sources.IsTest(l.site.Path) && sources.IsTest(l.world.fset.Position(o.Pos()).Filename):
		l.refuse(x.Pos(), "declare it in another file", "the type %s of %s is declared in a test, and the functor is not", o.Name(), what)
	case len(l.types) > 0 && imports(o.Pkg(), l.pkg.PkgPath, map[*types.Package]bool{}):
		l.refuse(x.Pos(), "declare it elsewhere", "the type %s of %s is one of package %s, which imports this one", o.Name(), what, o.Pkg().Path())
	}
}

// imports reports whether a package imports another one, itself or by others.
func imports(p *types.Package, path string, seen map[*types.Package]bool) bool {
	if seen[p] {
		return false
	}
	seen[p] = true
	return slices.ContainsFunc(p.Imports(), func(q *types.Package) bool { return q.Path() == path || imports(q, path, seen) })
}
