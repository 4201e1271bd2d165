package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// A functor is a function that a launch calls for each item.
type functor struct {
	*launch
	typ  *ast.FuncType
	body inspector.Cursor
	// ranks and subRanks are the variables that differ between the members of a team, and
	// between those of a sub-group.
	ranks, subRanks map[types.Object]bool
}

// check looks at all of a functor.
func (f *functor) check() {
	f.ranked()
	for at := range f.body.Preorder() {
		switch n := at.Node().(type) {
		case *ast.AssignStmt:
			f.assigned(at, n)
		case *ast.RangeStmt:
			f.receives(n)
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt, *ast.UnaryExpr:
			f.portable(n)
		case *ast.CallExpr:
			f.calls(n)
			f.meets(at, n)
		case *ast.Ident:
			f.kept(at, n)
		case *ast.IndexExpr:
			f.index(n)
		}
	}
	f.final()
}

// owns reports whether a variable is the functor's, a parameter or declared in it, and not a
// receiver or one around it.
func (f *functor) owns(v types.Object) bool {
	return v.Pos() >= f.typ.Params.Pos() && v.Pos() < f.body.Node().End()
}

// base returns the variable that an expression is of, or nil, and whether an index or a call leads
// from it to what is meant: that may be another place for each item.
func (f *functor) base(e ast.Expr) (v *types.Var, indexed bool) {
	for e != nil {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return nil, indexed
			}
			e = x.X
		case *ast.SelectorExpr:
			if id, ok := x.X.(*ast.Ident); ok {
				if _, isPackage := f.pass.TypesInfo.Uses[id].(*types.PkgName); isPackage {
					e = x.Sel
					continue
				}
			}
			e = x.X
		case *ast.IndexExpr:
			e, indexed = x.X, true
		case *ast.CallExpr:
			e, indexed = f.element(x), true
		case *ast.SliceExpr:
			indexed = indexed || x.Low != nil || x.High != nil
			e = x.X
		case *ast.Ident:
			v, _ := f.pass.TypesInfo.ObjectOf(x).(*types.Var)
			return v, indexed
		default:
			return nil, indexed
		}
	}
	return nil, indexed
}

// places are the methods of views that give places in them.
var places = []string{"Ptr", "Row"}

// element returns the view in which a call gives a place. It returns nil for another call.
func (c *checker) element(call *ast.CallExpr) ast.Expr {
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if f := c.method(call, "views"); !ok || f == nil || !slices.Contains(places, f.Name()) {
		return nil
	}
	return s.X
}

// shared is base of variables around the functor.
func (f *functor) shared(e ast.Expr) (v *types.Var, indexed bool) {
	if v, indexed = f.base(e); v == nil || f.owns(v) {
		return nil, indexed
	}
	return v, indexed
}

// accumulator reports whether a variable is a pointer that the functor is given to join into.
func (f *functor) accumulator(v types.Object) bool {
	if v == nil || !strings.HasPrefix(f.pattern, "ParallelReduce") && f.pattern != "ParallelScan" {
		return false
	}
	for k, field := range f.typ.Params.List {
		for j, name := range field.Names {
			if f.pass.TypesInfo.Defs[name] == v {
				_, pointer := v.Type().Underlying().(*types.Pointer)
				return k+j > 0 && pointer
			}
		}
	}
	return false
}

// mentions reports whether a node uses a variable for which is is true. What is for all members
// alike because they made it together is left out.
func (f *functor) mentions(n ast.Node, is func(v types.Object) bool) (found bool) {
	if n == nil {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f.uniform(n) {
				return false
			}
		case *ast.Ident:
			found = found || is(f.pass.TypesInfo.ObjectOf(n))
		}
		return !found
	})
	return found
}

// conditions yields what decides whether a body comes to a place in it, and whether it holds there: the
// conditions around it, and those under which it has returned or gone on before.
func (f *functor) conditions(body, at inspector.Cursor, yield func(n ast.Node, holds bool) bool) {
	for inner := at; inner.Index() != body.Index(); inner = inner.Parent() {
		if !f.before(inner, yield) {
			return
		}
		var decides []ast.Node
		holds := true
		switch n := inner.Parent().Node().(type) {
		case *ast.IfStmt:
			if inner.Node() != n.Init && inner.Node() != n.Cond {
				decides, holds = []ast.Node{n.Init, n.Cond}, inner.Node() == n.Body
			}
		case *ast.ForStmt:
			if inner.Node() == n.Body {
				decides = []ast.Node{n.Cond}
			}
		case *ast.RangeStmt:
			if inner.Node() == n.Body {
				decides = []ast.Node{n.X}
			}
		case *ast.CaseClause:
			s, ok := inner.Parent().Parent().Parent().Node().(*ast.SwitchStmt)
			if !ok {
				break
			}
			if !otherCases(s, n, yield) {
				return
			}
			decides = []ast.Node{s.Init}
			if len(n.List) > 0 {
				decides = append(decides, anyOf(s, n.List))
			}
		}
		for _, n := range decides {
			if n != nil && !yield(n, holds) {
				return
			}
		}
	}
}

// otherCases yields the cases of a switch that do not hold in a clause: those before it, or all if it
// is the default.
func otherCases(s *ast.SwitchStmt, in *ast.CaseClause, yield func(n ast.Node, holds bool) bool) bool {
	for _, clause := range s.Body.List {
		other := clause.(*ast.CaseClause)
		if other.Pos() > in.Pos() && in.List != nil {
			break
		}
		if other == in {
			continue
		}
		for _, e := range other.List {
			if !yield(caseOf(s, e), false) {
				return false
			}
		}
	}
	return true
}

// anyOf returns the condition that cases of a switch are together.
func anyOf(s *ast.SwitchStmt, list []ast.Expr) ast.Expr {
	e := caseOf(s, list[0])
	for _, other := range list[1:] {
		e = &ast.BinaryExpr{X: e, OpPos: other.Pos(), Op: token.LOR, Y: caseOf(s, other)}
	}
	return e
}

// caseOf returns the condition that a case of a switch is.
func caseOf(s *ast.SwitchStmt, e ast.Expr) ast.Expr {
	if s.Tag == nil {
		return e
	}
	return &ast.BinaryExpr{X: s.Tag, OpPos: e.Pos(), Op: token.EQL, Y: e}
}

// before yields the conditions of the statements before one in its block that may leave the block.
func (f *functor) before(inner inspector.Cursor, yield func(n ast.Node, holds bool) bool) bool {
	for _, s := range precede(inner) {
		switch s := s.(type) {
		case *ast.IfStmt:
			if leaves(s.Body) || leaves(s.Else) {
				for _, n := range []ast.Node{s.Init, s.Cond} {
					if n != nil && !yield(n, !leaves(s.Body)) {
						return false
					}
				}
			}
		case *ast.SwitchStmt:
			if !notLeft(s, yield) {
				return false
			}
		}
	}
	return true
}

// precede returns the statements before one in its block.
func precede(inner inspector.Cursor) (list []ast.Stmt) {
	switch n := inner.Parent().Node().(type) {
	case *ast.BlockStmt:
		list = n.List
	case *ast.CaseClause:
		list = n.Body
	}
	at := slices.IndexFunc(list, func(s ast.Stmt) bool { return ast.Node(s) == inner.Node() })
	return list[:max(at, 0)]
}

// notLeft yields the cases of a switch that leave the block around it, and do not hold after it. If the
// default leaves, one of the others holds.
func notLeft(s *ast.SwitchStmt, yield func(n ast.Node, holds bool) bool) bool {
	var stay []ast.Expr
	some := false
	for _, clause := range s.Body.List {
		clause := clause.(*ast.CaseClause)
		left := leavesSwitch(clause.Body)
		some = some || left && clause.List == nil
		switch {
		case clause.List == nil:
		case !left:
			stay = append(stay, clause.List...)
		case !yield(anyOf(s, clause.List), false):
			return false
		}
	}
	return !some || len(stay) == 0 || yield(anyOf(s, stay), true)
}

// leavesSwitch reports whether the body of a case ends by going elsewhere than behind its switch.
func leavesSwitch(body []ast.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	switch s := body[len(body)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE || s.Tok == token.GOTO || s.Label != nil
	}
	return false
}

// leaves reports whether a block ends by going elsewhere.
func leaves(s ast.Stmt) bool {
	b, ok := s.(*ast.BlockStmt)
	if !ok || b == nil || len(b.List) == 0 {
		return false
	}
	switch b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}
