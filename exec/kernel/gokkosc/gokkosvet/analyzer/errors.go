package analyzer

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// ignoredError reports a call whose statement ignores its error, if the function is an exported function of
// gokkos. Errors of methods may be ignored.
func (c *checker) ignoredError(at inspector.Cursor, call *ast.CallExpr) {
	switch s := at.Parent().Node().(type) {
	case *ast.ExprStmt:
	case *ast.GoStmt:
		if s.Call != call {
			return
		}
	case *ast.DeferStmt:
		if s.Call != call {
			return
		}
	default:
		return
	}
	f := c.callee(call)
	if f == nil || f.Pkg() == nil || !f.Exported() || !strings.HasPrefix(f.Pkg().Path(), module) || f.Signature().Recv() != nil {
		return
	}
	results := f.Signature().Results()
	if n := results.Len(); n > 0 && results.At(n-1).Type().String() == "error" {
		c.report(call, "the error of "+f.Name()+" is ignored")
	}
}
