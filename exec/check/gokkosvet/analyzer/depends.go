package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

// A chooser knows the variables of a functor, or of one that is nested in it, that may differ between its items.
type chooser struct {
	*functor
	body inspector.Cursor // of the functor whose items are meant
	of   map[types.Object]bool
}

// chooser returns the chooser of the items of a functor with these parameters.
func (f *functor) chooser(typ *ast.FuncType, body inspector.Cursor) *chooser {
	if c := f.choosers[body.Node()]; c != nil {
		return c
	}
	c := &chooser{f, body, map[types.Object]bool{}}
	if f.choosers == nil {
		f.choosers = map[ast.Node]*chooser{}
	}
	f.choosers[body.Node()] = c
	c.params(typ, nil)
	for before := -1; before < len(c.of); {
		before = len(c.of)
		for at := range body.Preorder() {
			c.spread(at)
		}
	}
	return c
}

// guarded reports whether an item may be chosen to run what is looked at: by an equality or a flag that depends on
// the item, or by an atomic operation. All but one is no choice, and nor are all items whose elements have a value.
func (c *chooser) guarded(at inspector.Cursor) (guarded bool) {
	c.conditions(c.body, at, func(n ast.Node, holds bool) bool {
		guarded = guarded || c.chooses(n, holds)
		return !guarded
	})
	return guarded
}

func (c *chooser) chooses(n ast.Node, holds bool) (chosen bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				chosen = chosen || c.chooses(n.X, !holds)
				return false
			}
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				chosen = chosen || holds == (n.Op == token.EQL) && c.depends(n) && !c.ofElement(n.X) && !c.ofElement(n.Y)
				return c.basic(n.X, types.IsBoolean)
			}
		case *ast.SelectorExpr:
			if _, isField := c.pass.TypesInfo.Selections[n]; isField {
				chosen = chosen || c.basic(n, types.IsBoolean) && c.depends(n.X) && !c.ofElement(n.X)
				return false
			}
		case *ast.Ident:
			chosen = chosen || c.basic(n, types.IsBoolean) && c.flag(n, holds)
		case *ast.CallExpr:
			chosen = chosen || c.claims(n) || c.equals(n) && c.depends(n) && !c.ofElement(n)
		}
		return !chosen
	})
	return chosen
}

// flag reports whether a variable that is a bool chooses an item.
func (c *chooser) flag(id *ast.Ident, holds bool) bool {
	o := c.pass.TypesInfo.ObjectOf(id)
	if !c.of[o] {
		return false
	}
	switch set := ast.Unparen(c.values[o]).(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.IndexExpr, *ast.SelectorExpr, *ast.CallExpr:
		return c.chooses(set, holds)
	}
	return true
}

// depends reports whether a node has something that may differ between items.
func (c *chooser) depends(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || c.of[c.pass.TypesInfo.ObjectOf(n)]
		case *ast.CallExpr:
			found = found || c.claims(n)
		}
		return !found
	})
	return found
}

// claimants are packages whose operations have another result for each caller, in a place that all share.
var claimants = []string{
	module + "views/atomics", module + "views/bitset", module + "views/hashmap", module + "views/token", "sync", "sync/atomic", "math/rand", "math/rand/v2",
}

// claims reports whether a call may have another result for each caller, whatever it is given: an atomic operation, a
// function of the package that has one, or a function whose text is not known.
func (c *chooser) claims(call *ast.CallExpr) bool { return c.claimsAt(call, 0) }

// claimsAt is claims of a call that functions make, at that depth of 8.
func (c *chooser) claimsAt(call *ast.CallExpr, depth int) (found bool) {
	if c.pass.TypesInfo.Types[call.Fun].IsType() || c.builtin(call) != "" || depth == 8 {
		return false
	}
	if body := c.bodyOf(call); body != nil {
		ast.Inspect(body, func(n ast.Node) bool {
			inner, ok := n.(*ast.CallExpr)
			found = found || ok && c.claimsAt(inner, depth+1)
			return !found
		})
		return found
	}
	f := c.callee(call)
	if f == nil {
		return depth == 0 // a value, which may be any function
	}
	return f.Pkg() != nil && slices.Contains(claimants, f.Pkg().Path())
}

// equals reports whether a function of the package compares for equality what is no element.
func (c *chooser) equals(call *ast.CallExpr) (found bool) {
	body := c.bodyOf(call)
	if body == nil {
		return false
	}
	ast.Inspect(body, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		found = found || ok && b.Op == token.EQL && !indexes(b)
		return !found
	})
	return found
}

// indexes reports whether an expression has an element.
func indexes(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		_, ok := n.(*ast.IndexExpr)
		found = found || ok
		return !found
	})
	return found
}

// bodyOf returns the body of a function of the package that is called, nil if it is not known.
func (c *chooser) bodyOf(call *ast.CallExpr) *ast.BlockStmt {
	if lit, ok := c.value(call.Fun).(*ast.FuncLit); ok {
		return lit.Body
	}
	if decl := c.declared(call.Fun); decl != nil {
		return decl.Body
	}
	return nil
}

// spread marks what a node gives something of an item.
func (c *chooser) spread(at inspector.Cursor) {
	switch n := at.Node().(type) {
	case *ast.AssignStmt:
		for k, left := range n.Lhs {
			c.set(at, left, n.Rhs[min(k, len(n.Rhs)-1)])
		}
	case *ast.ValueSpec:
		for k, name := range n.Names {
			if len(n.Values) > 0 {
				c.set(at, name, n.Values[min(k, len(n.Values)-1)])
			}
		}
	case *ast.IncDecStmt:
		c.set(at, n.X, n.X)
	case *ast.RangeStmt:
		c.set(at, n.Key, n.X)
		c.set(at, n.Value, n.X)
	case *ast.CallExpr:
		c.given(n)
	}
}

// set marks a variable that is set to something of an item, or for some items only.
func (c *chooser) set(at inspector.Cursor, left, right ast.Expr) {
	if left == nil {
		return
	}
	v, _ := c.base(left)
	if v == nil || c.of[v] || !c.owns(v) {
		return
	}
	some := c.depends(right)
	c.conditions(c.body, at, func(n ast.Node, _ bool) bool {
		some = some || c.depends(n)
		return !some
	})
	if some {
		c.of[v] = true
	}
}

// given marks what a call is given to write to, beside something of an item, and the parameters of literals: those
// that others call, and those that are called with something of an item.
func (c *chooser) given(call *ast.CallExpr) {
	if lit, ok := c.value(call.Fun).(*ast.FuncLit); ok {
		c.params(lit.Type, call.Args)
	}
	some := false
	for _, arg := range call.Args {
		if lit, ok := c.value(arg).(*ast.FuncLit); ok {
			c.params(lit.Type, nil)
		}
		some = some || c.depends(arg)
	}
	if !some {
		return
	}
	to := slices.Clone(call.Args)
	if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		to = append(to, s.X)
	}
	for k, e := range to {
		if u, ok := ast.Unparen(e).(*ast.UnaryExpr); k < len(call.Args) && (!ok || u.Op != token.AND) {
			continue
		}
		if v, _ := c.base(e); v != nil && c.owns(v) {
			c.of[v] = true
		}
	}
}

// params marks the parameters of a function: all if the arguments are not known, else those that are something of an
// item.
func (c *chooser) params(typ *ast.FuncType, args []ast.Expr) {
	k := 0
	for _, field := range typ.Params.List {
		for _, name := range field.Names {
			if args == nil || k < len(args) && c.depends(args[k]) {
				if o := c.pass.TypesInfo.Defs[name]; o != nil {
					c.of[o] = true
				}
			}
			k++
		}
	}
}
