package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// guarded reports whether an item may be chosen to run what is looked at: by an equality or a flag that
// depends on the item, or by an atomic operation. All but one is no choice, and nor are all items whose
// elements have a value.
func (c *chooser) guarded(at inspector.Cursor) (guarded bool) {
	c.conditions(c.body, at, func(n ast.Node, holds bool) bool {
		e, ok := n.(ast.Expr)
		guarded = guarded || ok && c.chooses(e, holds)
		return !guarded
	})
	for lit := range at.Enclosing((*ast.FuncLit)(nil)) {
		call, ok := lit.Parent().Node().(*ast.CallExpr)
		guarded = guarded || ok && lit.Node() != call.Fun && lit.Node().Pos() > c.body.Node().Pos() && c.once(call)
	}
	return guarded
}

// once reports whether a call lets one caller run what it is given.
func (c *chooser) once(call *ast.CallExpr) bool {
	f := c.callee(call)
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync" && f.Name() == "Do"
}

// chooses reports whether a condition that holds, or does not, may be that of one item.
func (c *chooser) chooses(e ast.Expr, holds bool) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.NOT && c.chooses(e.X, !holds)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			x, y := c.chooses(e.X, holds), c.chooses(e.Y, holds)
			return x && y || (e.Op == token.LAND) == holds && (x || y)
		case token.EQL, token.NEQ:
			return c.matches(e, holds == (e.Op == token.EQL))
		}
		return c.claimed(e)
	case *ast.CallExpr:
		return c.chosenBy(e, holds)
	case *ast.Ident:
		return c.flag(e, holds)
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		v, _ := c.base(e)
		return v != nil && c.of[v] && c.basic(e, types.IsBoolean) && !c.ofElement(e)
	}
	return false
}

// matches is chooses of an equality.
func (c *chooser) matches(e *ast.BinaryExpr, holds bool) bool {
	if !c.basic(e.X, types.IsBoolean) {
		return holds && c.depends(e) && (c.claimed(e) || !c.ofElement(e.X) && !c.ofElement(e.Y))
	}
	for _, sides := range [][2]ast.Expr{{e.X, e.Y}, {e.Y, e.X}} {
		if v := c.pass.TypesInfo.Types[sides[0]].Value; v != nil {
			return c.chooses(sides[1], holds == constant.BoolVal(v))
		}
	}
	return c.chooses(e.X, true) || c.chooses(e.X, false) || c.chooses(e.Y, true) || c.chooses(e.Y, false)
}

// flag reports whether a variable that is a bool chooses an item: each place where it is set to what holds
// does.
func (c *chooser) flag(id *ast.Ident, holds bool) bool {
	o := c.pass.TypesInfo.ObjectOf(id)
	if !c.of[o] || !c.basic(id, types.IsBoolean) {
		return false
	}
	if c.lent[o] || c.asked[o] {
		return true
	}
	c.asked[o] = true
	defer delete(c.asked, o)
	return !slices.ContainsFunc(c.sets[o], func(s setAt) bool {
		if s.to == nil {
			return false
		}
		v := c.pass.TypesInfo.Types[s.to].Value
		if v != nil && constant.BoolVal(v) != holds {
			return false
		}
		return (v != nil || !c.chooses(s.to, holds)) && !c.guarded(s.at)
	})
}

// chosenBy is chooses of a call: it claims, its text compares for equality what is no element, or its text
// is not known and it is given something of the item.
func (c *chooser) chosenBy(call *ast.CallExpr, holds bool) bool {
	switch {
	case c.pass.TypesInfo.Types[call.Fun].IsType():
		return c.chooses(call.Args[0], holds)
	case c.claims(call):
		f := c.callee(call)
		return holds || f == nil || !strings.HasPrefix(f.Name(), "CompareAndSwap")
	case !c.depends(call) || c.ofElement(call):
		return false
	}
	if to := c.gives(call); to != nil {
		return c.within(to, func() bool { return c.chooses(to, holds) })
	}
	f := c.function(call.Fun)
	return f == nil || equals(f.body)
}

// equals reports whether a body compares for equality what is no element.
func equals(body ast.Node) (found bool) {
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

// claimed reports whether an expression has the result of an operation that claims, also by the name of a
// variable.
func (c *chooser) claimed(e ast.Expr) (found bool) {
	c.through(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && c.claims(call)
		return !found
	})
	return found
}

// claims reports whether a call may have another result for each caller, whatever it is given: an atomic
// operation, a function of the package that has one, or a function whose text is not known.
func (c *chooser) claims(call *ast.CallExpr) bool { return c.claimsAt(call, 0, map[ast.Node]int{}) }

// claimsAt is claims of a call that functions make, at that depth of 8. A body that does not claim is not looked at again,
// unless it comes at a depth above the one that it was looked at.
func (c *chooser) claimsAt(call *ast.CallExpr, depth int, looked map[ast.Node]int) (found bool) {
	if c.pass.TypesInfo.Types[call.Fun].IsType() || c.builtin(call) != "" || depth == 8 {
		return false
	}
	if f := c.function(call.Fun); f != nil {
		if at, before := looked[f.body]; before && at <= depth {
			return false
		}
		looked[f.body] = depth
		ast.Inspect(f.body, func(n ast.Node) bool {
			inner, ok := n.(*ast.CallExpr)
			found = found || ok && c.claimsAt(inner, depth+1, looked)
			return !found
		})
		return found
	}
	f := c.callee(call)
	if f == nil {
		return true // a value, which may be any function
	}
	return f.Pkg() != nil && c.mayClaim(f)
}

// claimants are packages whose operations have another result for each caller, in a place that all share.
var claimants = []string{
	module + "views/atomics", module + "views/bitset", module + "views/hashmap", module + "views/token",
	"sync", "sync/atomic",
}

// readers are the operations of claimants that only read.
var readers = []string{
	"Load", "Test", "Count", "Size", "Len", "Find", "Contains", "All", "Capacity", "Failed", "Entries",
}

// mayClaim reports whether a function of another package may have another result for each caller: one of
// claimants that does not only read, one of an interface, or one of a user's package that is given what it
// can change.
func (c *chooser) mayClaim(f *types.Func) bool {
	path := f.Pkg().Path()
	first, _, _ := strings.Cut(path, "/")
	own, _, _ := strings.Cut(c.pass.Pkg.Path(), "/")
	recv := f.Signature().Recv()
	switch {
	case slices.Contains(claimants, path):
		if strings.HasPrefix(f.Name(), "Load") && path == "sync/atomic" {
			return false
		}
		return !slices.Contains(readers, f.Name())
	case strings.HasPrefix(path, module) || first != own && !strings.Contains(first, "."):
		return false
	}
	given := slices.Collect(f.Signature().Params().Variables())
	if recv != nil {
		given = append(given, recv)
	}
	return slices.ContainsFunc(given, func(v *types.Var) bool { return changeable(v.Type(), 0) })
}

// changeable reports whether a function can change what callers share through a value, but for elements of
// slices.
func changeable(t types.Type, depth int) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Signature, *types.Chan:
		return true
	case *types.Struct:
		for field := range u.Fields() {
			if depth < 4 && changeable(field.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}
