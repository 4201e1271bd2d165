package analyzer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// assigned looks at an assignment.
func (f *functor) assigned(at inspector.Cursor, n *ast.AssignStmt) {
	for k, left := range n.Lhs {
		if len(n.Rhs) == len(n.Lhs) {
			f.joined(at, n, left, n.Rhs[k])
		}
	}
}

// joined looks at an assignment to or from an accumulator. What is the same for each item may be what
// all joins come to, such as true for an or.
func (f *functor) joined(at inspector.Cursor, n *ast.AssignStmt, left, right ast.Expr) {
	if !strings.HasPrefix(f.pattern, "ParallelReduce") && f.pattern != "ParallelScan" {
		return
	}
	v, indexed := f.base(left)
	if v != nil && f.accumulator(v) {
		from := f.from(v)
		old := !f.mentions(right, f.ownVariable) || f.mentions(right, from)
		for c := range f.conditions(at) {
			old = old || f.mentions(c, from)
		}
		if _, ok := ast.Unparen(left).(*ast.StarExpr); ok && n.Tok == token.ASSIGN && !old && !indexed {
			f.report(left, fmt.Sprintf("a functor assigns to the accumulator %s, whose content is the reduction of other items: join into it", v.Name()))
		}
		return
	}
	if to, _ := f.shared(left); to == nil || f.pattern == "ParallelScan" { // whose prefixes are data
		return
	}
	ast.Inspect(right, func(n ast.Node) bool {
		star, ok := n.(*ast.StarExpr)
		if !ok {
			return true
		}
		if id, ok := ast.Unparen(star.X).(*ast.Ident); ok && f.accumulator(f.pass.TypesInfo.Uses[id]) {
			f.report(star, fmt.Sprintf("a functor uses the accumulator %s as data: its content is the reduction of some items, and which is not defined", id.Name))
		}
		return true
	})
}

func (f *functor) ownVariable(o types.Object) bool {
	_, is := o.(*types.Var)
	return is && f.owns(o)
}

// from reports of a variable whether it is v or has been given something of v.
func (f *functor) from(v types.Object) func(o types.Object) bool {
	of := map[types.Object]bool{v: true}
	is := func(o types.Object) bool { return of[o] }
	for grown := true; grown; {
		grown = false
		for at := range f.body.Preorder((*ast.AssignStmt)(nil)) {
			n := at.Node().(*ast.AssignStmt)
			for k, left := range n.Lhs {
				id, ok := left.(*ast.Ident)
				if !ok || of[f.pass.TypesInfo.ObjectOf(id)] {
					continue
				}
				if right := n.Rhs[min(k, len(n.Rhs)-1)]; f.mentions(right, is) {
					of[f.pass.TypesInfo.ObjectOf(id)], grown = true, true
				}
			}
		}
	}
	return is
}

// kept looks at a use of an accumulator as a pointer.
func (f *functor) kept(at inspector.Cursor, id *ast.Ident) {
	if !f.accumulator(f.pass.TypesInfo.Uses[id]) {
		return
	}
	for value := at; ; value = value.Parent() {
		switch n := value.Parent().Node().(type) {
		case *ast.ParenExpr, *ast.CompositeLit, *ast.KeyValueExpr:
		case *ast.UnaryExpr:
			if n.Op != token.AND {
				return
			}
		case *ast.CallExpr:
			if f.builtin(n) != "append" {
				return
			}
		case *ast.SendStmt:
			if n.Value == value.Node() {
				f.report(n, fmt.Sprintf("a functor sends the accumulator %s away: it is the item's for this call only", id.Name))
			}
			return
		case *ast.AssignStmt:
			for k, right := range n.Rhs {
				if ast.Node(right) != value.Node() || k >= len(n.Lhs) {
					continue
				}
				if v, _ := f.shared(n.Lhs[k]); v != nil {
					f.report(n.Lhs[k], fmt.Sprintf("a functor keeps the accumulator %s in %s: it is the item's for this call only", id.Name, v.Name()))
				}
			}
			return
		default:
			return
		}
	}
}

// final looks at whether a scan asks for the pass.
func (f *functor) final() {
	if f.pattern != "ParallelScan" || !f.writes() {
		return
	}
	params := f.typ.Params.List
	last := params[len(params)-1]
	if n := len(last.Names); n > 0 {
		asked := f.pass.TypesInfo.Defs[last.Names[n-1]]
		if asked != nil && f.mentions(f.body.Node(), func(o types.Object) bool { return o == asked }) {
			return
		}
	}
	f.report(f.typ, "the functor of a scan does not ask whether the pass is final: it may write only then")
}

// writes reports whether the functor writes to memory around it.
func (f *functor) writes() bool {
	for at := range f.body.Preorder((*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil)) {
		switch n := at.Node().(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if v, _ := f.shared(left); v != nil && v.Name() != "_" {
					return true
				}
			}
		case *ast.IncDecStmt:
			if v, _ := f.shared(n.X); v != nil {
				return true
			}
		}
	}
	return false
}
