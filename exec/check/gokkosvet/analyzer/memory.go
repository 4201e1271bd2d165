package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"strings"
)

// inMemory reports whether a place is not in a register for the compiler: an element, what something
// refers to, a variable of a package, or one that a pointer is made of.
func (f *flow) inMemory(p place) bool {
	return strings.ContainsAny(p.path, "*[") || p.root.Parent() == f.pass.Pkg.Scope() || f.addressed[p.root]
}

// disjoint reports whether the compiler knows that two places in memory do not overlap: other variables,
// other fields, and other elements of constant indices.
func disjoint(a, b place) bool {
	if a.root != b.root {
		return !strings.Contains(a.path+b.path, "*")
	}
	k := 0
	for k < len(a.path) && k < len(b.path) && a.path[k] == b.path[k] {
		k++
	}
	from := max(strings.LastIndexAny(a.path[:k], ".["), 0) // of the first component that differs
	begins := func(path string) bool { return k < len(path) && strings.IndexByte(".[*", path[k]) >= 0 }
	if begins(a.path) || begins(b.path) {
		from = k
	}
	x, y := a.path[from:], b.path[from:]
	if x == "" || y == "" {
		return false
	}
	return x[0] == '.' && y[0] == '.' || constantIndex.MatchString(x) && constantIndex.MatchString(y)
}

var constantIndex = regexp.MustCompile(`^\[\d+\]`)

// forget drops what is known of memory.
func (f *flow) forget() {
	maps.DeleteFunc(f.now.leaves, func(at place, _ leaf) bool { return f.inMemory(at) })
	f.now.memory = f.stored()
}

func (f *flow) stored() int {
	f.stores++
	return f.stores
}

// mention returns how a variable is written in the index of a path.
func mention(o types.Object) string {
	if o == nil {
		return "{}"
	}
	return "{" + o.Name() + constant.MakeInt64(int64(o.Pos())).String() + "}"
}

// inAddresses notes the variables that a pointer is made of, and those that a literal around which they
// stand sets.
func (c *checker) inAddresses() map[types.Object]bool {
	if c.addressed != nil {
		return c.addressed
	}
	c.addressed = map[types.Object]bool{}
	note := func(e ast.Expr, within ast.Node) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return
		}
		o := c.pass.TypesInfo.Uses[id]
		if o != nil && (within == nil || o.Pos() < within.Pos() || o.Pos() >= within.End()) {
			c.addressed[o] = true
		}
	}
	kinds := []ast.Node{
		(*ast.UnaryExpr)(nil), (*ast.SelectorExpr)(nil), (*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil),
	}
	for at := range c.root.Preorder(kinds...) {
		var set []ast.Expr
		switch n := at.Node().(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X, nil)
			}
		case *ast.SelectorExpr:
			if f, _ := c.pass.TypesInfo.Uses[n.Sel].(*types.Func); changes(f) {
				note(n.X, nil)
			}
		case *ast.AssignStmt:
			set = n.Lhs
		case *ast.IncDecStmt:
			set = []ast.Expr{n.X}
		}
		for lit := range at.Enclosing((*ast.FuncLit)(nil)) {
			for _, e := range set {
				note(e, lit.Node())
			}
			break
		}
	}
	return c.addressed
}
