package analyzer

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

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
func (c *chooser) claims(call *ast.CallExpr) bool {
	found, looked := c.claiming[call]
	if !looked {
		found = c.claimsAt(call, 0, map[ast.Node]int{})
		c.claiming[call] = found
	}
	return found
}

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
	recv := f.Signature().Recv()
	switch {
	case slices.Contains(claimants, path):
		if strings.HasPrefix(f.Name(), "Load") && path == "sync/atomic" {
			return false
		}
		return !slices.Contains(readers, f.Name())
	case strings.HasPrefix(path, module) || c.standard(path):
		return false
	}
	given := slices.Collect(f.Signature().Params().Variables())
	if recv != nil {
		given = append(given, recv)
	}
	return slices.ContainsFunc(given, func(v *types.Var) bool { return changeable(v.Type(), 0) })
}

// standard reports whether a package is one of Go.
func (c *chooser) standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	own, _, _ := strings.Cut(c.pass.Pkg.Path(), "/")
	return first != own && !strings.Contains(first, ".")
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
