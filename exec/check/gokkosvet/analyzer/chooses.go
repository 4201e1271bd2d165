package analyzer

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// guarded reports whether at most one item comes to a place in a body. A plain store may be that of the item
// whose element has a value.
func (c *chooser) guarded(at inspector.Cursor, store bool) bool {
	fixed := c.comes(at)
	return fixed&c.all == c.all || store && fixed&datum != 0
}

// comes is fixed with a new count of steps.
func (c *chooser) comes(at inspector.Cursor) pins {
	c.steps = 0
	return c.fixed(at)
}

// fixed returns the coordinates that are fixed at a place in a body.
func (c *chooser) fixed(at inspector.Cursor) pins {
	p := c.same
	body := c.around(at)
	if c.locked(body, at) {
		return item
	}
	c.conditions(body, at, func(n ast.Node, holds bool) bool {
		if e, ok := n.(ast.Expr); ok && !c.isRange(e) {
			p |= c.fixes(e, constant.MakeBool(holds))
		}
		return true
	})
	for lit := range at.Enclosing((*ast.FuncLit)(nil)) {
		call, ok := lit.Parent().Node().(*ast.CallExpr)
		if ok && lit.Node() != call.Fun && lit.Node().Pos() > body.Node().Pos() {
			p |= c.lets(call)
		}
	}
	return p
}

// isRange reports whether an expression is the range of a loop, and no condition.
func (c *chooser) isRange(e ast.Expr) bool {
	t := c.pass.TypesInfo.TypeOf(e) // nil of conditions that cases are
	return t != nil && !isBasic(t, types.IsBoolean)
}

// lets returns the coordinates that are fixed in a literal by the call that it is an argument of.
func (c *chooser) lets(call *ast.CallExpr) pins {
	f := c.callee(call)
	locks, _ := c.locks(call)
	switch {
	case locks, f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync" && f.Name() == "Do":
		return item
	case !strings.HasPrefix(c.called(call, "team"), "Single"):
		return 0
	case isNamed(c.pass.TypesInfo.TypeOf(call.Args[0]), "team", "SubGroup"):
		return coordinate(1) & remainders
	}
	return coordinate(1)
}

// locked reports whether a lock that items share is held.
func (c *chooser) locked(body, at inspector.Cursor) (held bool) {
	for inner := at; inner.Index() != body.Index() && !held; inner = inner.Parent() {
		for _, s := range precede(inner) {
			if x, ok := s.(*ast.ExprStmt); ok {
				locks, unlocks := c.locks(x.X)
				held = locks && !unlocks || held && locks == unlocks
			}
		}
	}
	return held
}

// locks reports whether a call locks what items share, and whether it unlocks something: by itself, or in a
// function of the package.
func (c *chooser) locks(e ast.Expr) (locks, unlocks bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false, false
	}
	if f := c.callee(call); f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync" {
		v, varies := c.target(call.Fun)
		return f.Name() == "Lock" && v != nil && !c.owns(v) && !varies, f.Name() == "Unlock"
	}
	f := c.function(call.Fun)
	if f == nil {
		return false, false
	}
	if known, looked := c.locking[f.body]; looked {
		return known[0], known[1]
	}
	c.locking[f.body] = [2]bool{} // while it is looked at: one may call itself
	ast.Inspect(f.body, func(n ast.Node) bool {
		if inner, ok := n.(*ast.CallExpr); ok {
			l, u := c.locks(inner)
			locks, unlocks = locks || l, unlocks || u
		}
		return true
	})
	c.locking[f.body] = [2]bool{locks, unlocks}
	return locks, unlocks
}

// enter looks at a function as a call enters it, until the result is called.
func (c *chooser) enter(f *function, call *ast.CallExpr) (leave func()) {
	args := map[types.Object]ast.Expr{}
	for v, arg := range c.bound(f, call) {
		args[v] = arg
	}
	c.in[f.body] = true
	back := c.within(&scope{args, c.env})
	return func() {
		delete(c.in, f.body)
		back()
	}
}

// around returns the body around a place: that of the functor, of a function that it calls, or of one that is
// entered.
func (c *chooser) around(at inspector.Cursor) inspector.Cursor {
	for block := range at.Enclosing((*ast.BlockStmt)(nil)) {
		if c.in[block.Node()] || c.bodies[block.Node()].body != nil {
			return block
		}
	}
	return c.body
}
