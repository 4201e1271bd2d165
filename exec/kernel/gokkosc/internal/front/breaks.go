package front

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A loop that a break leaves early in its round,
//
//	for ; cond; post {
//		x, y := ...
//		if enough { break }
//		...
//	}
//
// tests enough in its head, and the rest of the round sees x and y. So the break needs no flag, and nothing
// of the round has to be undone.

// exits1 splits the body of a loop behind its last such break. The statements before the break only define
// variables, with expressions that are safe to compute after the loop has ended.
func (f *frame) exits1(body []ast.Stmt, label string) (first, rest []ast.Stmt) {
	last := 0
	for n, s := range body {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE && f.allNew(s) && f.safe(s.Rhs...) {
				continue
			}
		case *ast.IfStmt:
			if s.Init == nil && s.Else == nil && len(s.Body.List) == 1 && f.safe(s.Cond) {
				if b, ok := s.Body.List[0].(*ast.BranchStmt); ok && b.Tok == token.BREAK && (b.Label == nil || b.Label.Name == label) {
					last = n + 1
					continue
				}
			}
		}
		break
	}
	return body[:last], body[last:]
}

// allNew reports whether all variables of a definition are new.
func (f *frame) allNew(s *ast.AssignStmt) bool {
	for _, x := range s.Lhs {
		if id, ok := x.(*ast.Ident); !ok || id.Name != "_" && f.pkg.TypesInfo.Defs[id] == nil {
			return false
		}
	}
	return true
}

// safe reports whether expressions of numbers load nothing, call operations alone, and cannot fail.
func (f *frame) safe(list ...ast.Expr) bool {
	ok := true
	for _, x := range list {
		ast.Inspect(x, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if tv := f.pkg.TypesInfo.Types[ast.Unparen(n.Fun)]; tv.IsType() {
					return true
				}
				s, isSelector := ast.Unparen(n.Fun).(*ast.SelectorExpr)
				if isSelector {
					o, isFunc := f.pkg.TypesInfo.ObjectOf(s.Sel).(*types.Func)
					if isFunc && o.Pkg() != nil && functions[o.Pkg().Path()+"."+o.Name()] != ir.Invalid {
						for _, a := range n.Args {
							ok = ok && f.safe(a)
						}
						return false
					}
				}
				ok = false
			case *ast.BinaryExpr:
				switch n.Op {
				case token.QUO, token.REM, token.SHL, token.SHR:
					ok = ok && f.isFloat(n.X)
				}
			case *ast.SelectorExpr: // of a struct, or a constant
				sel := f.pkg.TypesInfo.Selections[n]
				ok = ok && !f.ofRecord(n) && (sel != nil && sel.Kind() == types.FieldVal || f.pkg.TypesInfo.Types[n].Value != nil)
			case *ast.BasicLit, *ast.Ident, *ast.ParenExpr, *ast.UnaryExpr:
			case ast.Expr:
				ok = false
			}
			return ok
		})
	}
	return ok
}

func (f *frame) isFloat(x ast.Expr) bool {
	t, _, ok := numberType(f.typeOf(x))
	return ok && t.IsFloat()
}

// plainly lowers the definitions among statements.
func (f *frame) plainly(list []ast.Stmt) {
	for _, s := range list {
		if s, ok := s.(*ast.AssignStmt); ok {
			f.stmt(s)
		}
	}
}
