package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
)

const noIdentity = "the identity of this reducer is not zero: give it with reducers.Init, or use a reducer of package builtin"

// newReducer looks at a reducer that is made of a function.
func (c *checker) newReducer(call *ast.CallExpr) {
	if c.called(call, "reducers") != "New" || len(call.Args) < 2 || call.Ellipsis != token.NoPos {
		return
	}
	for _, option := range call.Args[2:] {
		made, ok := c.value(option).(*ast.CallExpr)
		if !ok || c.called(made, "reducers") != "Final" {
			return // it may be Init
		}
	}
	var typ *ast.FuncType
	var body *ast.BlockStmt
	join := c.value(call.Args[1])
	if lit, ok := join.(*ast.FuncLit); ok {
		typ, body = lit.Type, lit.Body
	} else if decl := c.declared(join); decl != nil {
		typ, body = decl.Type, decl.Body
	}
	switch {
	case body == nil:
	case c.needsIdentity(typ, body):
		c.report(call, noIdentity)
	case c.compares(typ, body):
		c.report(call, noComparedIdentity)
	}
}

// joinMethod looks at the Join of a reducer whose Init is that of reducers.Base, which sets zero.
func (c *checker) joinMethod(decl *ast.FuncDecl) {
	f, ok := c.pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok || decl.Name.Name != "Join" || decl.Recv == nil || decl.Body == nil {
		return
	}
	init, _, _ := types.LookupFieldOrMethod(f.Signature().Recv().Type(), true, c.pass.Pkg, "Init")
	if m, ok := init.(*types.Func); !ok || m.Pkg() == nil || m.Pkg().Path() != module+"reducers" || !isNamed(m.Signature().Recv().Type(), "reducers", "Base") {
		return
	}
	if c.needsIdentity(decl.Type, decl.Body) {
		c.report(decl.Name, "the identity of this reducer is not zero, and the Init of reducers.Base sets zero: give it an Init")
	}
}

// needsIdentity reports whether a join is a product, a minimum, a maximum, or an and of its two
// values, which zero changes. Zero may be the identity of a maximum that is told by a comparison:
// that of numbers which are not negative.
func (c *checker) needsIdentity(typ *ast.FuncType, body *ast.BlockStmt) (found bool) {
	var values []types.Object // dst and src
	for _, field := range typ.Params.List {
		for _, name := range field.Names {
			values = append(values, c.pass.TypesInfo.Defs[name])
		}
	}
	if len(values) != 2 {
		return false
	}
	if c.asksForEmpty(body, values) {
		return false
	}
	of := func(e ast.Expr, v types.Object) bool { return c.partOf(e, v) != "" }
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && len(n.Rhs) == 1 && of(n.Lhs[0], values[0]) {
				found = found || c.changesZero(n, c.partOf(n.Lhs[0], values[0]), values)
			}
		case *ast.IfStmt: // if *src < *dst { *dst = *src }
			cond, ok := ast.Unparen(n.Cond).(*ast.BinaryExpr)
			if ok && (cond.Op == token.LSS || cond.Op == token.GTR) && c.lowers(cond, values) {
				found = true
			}
		}
		return !found
	})
	return found
}

// asksForEmpty reports whether a join has a condition of one of its values alone, such as !dst.any: it
// may be how it knows a zero.
func (c *checker) asksForEmpty(body *ast.BlockStmt, values []types.Object) (asks bool) {
	uses := func(n ast.Node, v types.Object) (used bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			used = used || ok && c.pass.TypesInfo.Uses[id] == v
			return !used
		})
		return used
	}
	var look func(e ast.Expr)
	look = func(e ast.Expr) {
		if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
			look(b.X)
			look(b.Y)
			return
		}
		asks = asks || uses(e, values[0]) != uses(e, values[1])
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			look(n.Cond)
		case *ast.CaseClause:
			for _, e := range n.List {
				look(e)
			}
		}
		return !asks
	})
	return asks
}

// changesZero reports whether an assignment joins with an operation whose identity is not zero.
func (c *checker) changesZero(n *ast.AssignStmt, part string, values []types.Object) bool {
	right := ast.Unparen(n.Rhs[0])
	if n.Tok == token.MUL_ASSIGN || n.Tok == token.AND_ASSIGN {
		return c.partOf(right, values[1]) == part
	}
	both := func(x, y ast.Expr) bool {
		a, b := c.partOf(x, values[0]), c.partOf(y, values[1])
		d, e := c.partOf(y, values[0]), c.partOf(x, values[1])
		return a == part && b == part || d == part && e == part
	}
	switch x := right.(type) {
	case *ast.BinaryExpr:
		return (x.Op == token.MUL || x.Op == token.AND || x.Op == token.LAND) && both(x.X, x.Y)
	case *ast.CallExpr:
		name := c.builtin(x)
		return (name == "min" || name == "max" && !c.basic(x, types.IsUnsigned|types.IsString)) && len(x.Args) == 2 && both(x.Args[0], x.Args[1])
	}
	return false
}

// lowers reports whether a comparison is that of the same numbers in the two values, for less.
func (c *checker) lowers(cond *ast.BinaryExpr, values []types.Object) bool {
	less, more := cond.X, cond.Y
	if cond.Op == token.GTR {
		less, more = more, less
	}
	part := c.partOf(less, values[1])
	return part != "" && part == c.partOf(more, values[0]) && c.basic(less, types.IsOrdered)
}

// partOf returns which part of a value that v points to an expression is, such as "*" or ".n",
// or "" if it is none.
func (c *checker) partOf(e ast.Expr, v types.Object) string {
	switch x := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		if id, ok := ast.Unparen(x.X).(*ast.Ident); ok && c.pass.TypesInfo.Uses[id] == v {
			return "*"
		}
	case *ast.SelectorExpr:
		if id, ok := ast.Unparen(x.X).(*ast.Ident); ok && c.pass.TypesInfo.Uses[id] == v {
			return "." + x.Sel.Name
		}
		if outer := c.partOf(x.X, v); outer != "" {
			return outer + "." + x.Sel.Name
		}
	}
	return ""
}
