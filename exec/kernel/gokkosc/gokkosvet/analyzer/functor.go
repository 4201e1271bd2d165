package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

// A functor is a function that a launch calls for each item.
type functor struct {
	*checker
	pattern string // the function that launches it
	host    bool   // items run on the host, whatever device there is
	typ     *ast.FuncType
	body    inspector.Cursor
	// ranks has the variables that differ between members of a team, and subRanks those variables that differ
	// between members of a sub-group.
	ranks, subRanks map[types.Object]bool
}

// A look is one at a functor.
type look struct {
	at      ast.Node
	pattern string
	host    bool
}

// functor looks at a functor once.
func (c *checker) functor(fn ast.Node, pattern string, host bool) {
	l := look{fn, pattern, host}
	f := &functor{checker: c, pattern: pattern, host: host}
	var body *ast.BlockStmt
	switch fn := fn.(type) {
	case *ast.FuncLit:
		f.typ, body = fn.Type, fn.Body
	case *ast.FuncDecl:
		f.typ, body = fn.Type, fn.Body
	}
	if at, ok := c.root.FindNode(body); body != nil && ok && !c.looked[l] {
		c.looked[l], f.body = true, at
		f.check()
	}
}

// check looks at all of a functor.
func (f *functor) check() {
	f.ranked()
	for at := range f.body.Preorder() {
		switch n := at.Node().(type) {
		case *ast.RangeStmt:
			f.receives(n)
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt, *ast.UnaryExpr:
			f.portable(n)
		case *ast.CallExpr:
			f.calls(n)
			f.meets(at, n)
		case *ast.IndexExpr:
			f.index(n)
		}
	}
}

// mentions reports whether a node uses a variable for which the function is returns true. It skips calls that
// give all members the same value.
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

// conditions yields the nodes that decide whether the functor reaches a place. They are the conditions around
// the place, and the conditions of earlier statements that may return or jump.
func (f *functor) conditions(at inspector.Cursor) iter.Seq[ast.Node] {
	return func(yield func(n ast.Node) bool) {
		for inner := at; inner.Index() != f.body.Index(); inner = inner.Parent() {
			var decides []ast.Node
			for _, s := range precede(inner) {
				decides = append(decides, leaving(s)...)
			}
			switch n := inner.Parent().Node().(type) {
			case *ast.IfStmt:
				if inner.Node() != n.Init && inner.Node() != n.Cond {
					decides = append(decides, n.Init, n.Cond)
				}
			case *ast.ForStmt:
				if inner.Node() == n.Body {
					decides = append(decides, n.Cond)
				}
			case *ast.RangeStmt:
				if inner.Node() == n.Body {
					decides = append(decides, n.X)
				}
			case *ast.CaseClause:
				if s, ok := inner.Parent().Parent().Parent().Node().(*ast.SwitchStmt); ok {
					decides = append(decides, cases(s, n)...)
				}
			}
			for _, n := range decides {
				if n != nil && !yield(n) {
					return
				}
			}
		}
	}
}

// cases returns the nodes that decide whether a switch reaches a clause: its init, its tag and the cases up
// to the clause. For the default clause or nil it returns all cases.
func cases(s *ast.SwitchStmt, in *ast.CaseClause) []ast.Node {
	decides := []ast.Node{s.Init, s.Tag}
	for _, clause := range s.Body.List {
		c := clause.(*ast.CaseClause)
		if in != nil && in.List != nil && c.Pos() > in.Pos() {
			break
		}
		for _, e := range c.List {
			decides = append(decides, e)
		}
	}
	return decides
}

// leaving returns the conditions of a statement that may leave its block.
func leaving(s ast.Stmt) []ast.Node {
	switch s := s.(type) {
	case *ast.IfStmt:
		if leaves(s.Body) || leaves(s.Else) {
			return []ast.Node{s.Init, s.Cond}
		}
	case *ast.SwitchStmt:
		if slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool { return leavesSwitch(c.(*ast.CaseClause).Body) }) {
			return cases(s, nil)
		}
	}
	return nil
}

// precede returns the statements before a statement in its block.
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

// leavesSwitch reports whether the body of a case ends with a return, or with a jump that leaves its switch.
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

// leaves reports whether a block ends with a return or a jump.
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
