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

// sum looks at a sum or difference of floats.
func (f *functor) sum(e *ast.BinaryExpr) {
	if e.Op == token.ADD || e.Op == token.SUB {
		f.fuses(e.X)
		f.fuses(e.Y)
	}
}

// product looks at an assignment that adds.
func (f *functor) product(n *ast.AssignStmt) {
	if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
		f.fuses(n.Rhs[0])
	}
}

// fuses looks at a term of a sum.
func (f *functor) fuses(term ast.Expr) {
	term = ast.Unparen(term)
	if minus, ok := term.(*ast.UnaryExpr); ok && minus.Op == token.SUB {
		term = ast.Unparen(minus.X)
	}
	p, ok := term.(*ast.BinaryExpr)
	if fused && ok && p.Op == token.MUL && f.basic(p, types.IsFloat) && f.pass.TypesInfo.Types[p].Value == nil {
		f.report(p, "some processors round this product and the sum once: write float64(x*y) + z or math.FMA(x, y, z)")
	}
}
