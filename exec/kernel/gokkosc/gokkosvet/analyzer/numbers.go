package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
)

// index looks at an index.
func (f *functor) index(x *ast.IndexExpr) {
	if !f.basic(x.Index, types.IsInteger) {
		return
	}
	ast.Inspect(x.Index, func(n ast.Node) bool {
		p, ok := n.(*ast.BinaryExpr)
		if !ok || p.Op != token.MUL || f.pass.TypesInfo.Types[p].Value != nil {
			return true
		}
		b, ok := f.pass.TypesInfo.TypeOf(p).Underlying().(*types.Basic)
		if ok && (b.Kind() == types.Int32 || b.Kind() == types.Uint32) {
			f.report(p, "a product of 32-bit integers as an index overflows: convert the factors to int")
			return false
		}
		return true
	})
}
