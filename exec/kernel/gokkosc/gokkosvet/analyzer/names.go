package analyzer

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

const module = "github.com/gokkos/gokkos/"

// called returns the name of the called function if it belongs to one of some packages of gokkos, or "".
func (c *checker) called(call *ast.CallExpr, pkgs ...string) string {
	if f := c.callee(call); isOf(f, pkgs...) && f.Signature().Recv() == nil {
		return f.Name()
	}
	return ""
}

// isOf reports whether f is a function or a method of one of some packages of gokkos.
func isOf(f *types.Func, pkgs ...string) bool {
	return f != nil && f.Pkg() != nil && slices.ContainsFunc(pkgs, func(pkg string) bool { return f.Pkg().Path() == module+pkg })
}

func (c *checker) callee(call *ast.CallExpr) *types.Func {
	f, _ := typeutil.Callee(c.pass.TypesInfo, call).(*types.Func)
	return f
}

// builtin returns the name of the builtin function that is called, or "".
func (c *checker) builtin(call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if b, ok := c.pass.TypesInfo.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// isNamed reports whether a type, or the type behind a pointer, has a name and belongs to a package of
// gokkos.
func isNamed(t types.Type, pkg, name string) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == module+pkg && n.Obj().Name() == name
}

func (c *checker) basic(e ast.Expr, info types.BasicInfo) bool {
	t := c.pass.TypesInfo.TypeOf(e)
	if t == nil {
		return false
	}
	return isBasic(t, info)
}

// isBasic reports whether a type is a basic type of a kind, or a type parameter that allows only such types.
func isBasic(t types.Type, info types.BasicInfo) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&info != 0
	case *types.Interface:
		for e := range u.EmbeddedTypes() {
			if isBasic(e, info) {
				return true
			}
		}
	case *types.Union:
		for term := range u.Terms() {
			if !isBasic(term.Type(), info) {
				return false
			}
		}
		return true
	}
	return false
}
