package analyzer

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// ignoredError looks at calls whose results go nowhere. What does not launch may be ignored.
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
