package front

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// leavers returns the flags of the jumps that leave a loop. The flag of return comes first.
func (f *frame) leavers(n ast.Node, own *exit) (flags []*flag) {
	returns, breaks, labels := false, false, map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			returns = true
		case *ast.BranchStmt:
			if n.Label != nil {
				labels[n.Label.Name] = true
			} else if n.Tok == token.BREAK {
				breaks = true
			}
		}
		return true
	})
	if returns {
		flags = append(flags, f.ret)
	}
	for _, e := range f.exits {
		if e == own && breaks || labels[e.label] {
			flags = append(flags, e.brk)
			if e.cont != nil && e != own {
				flags = append(flags, e.cont)
			}
		}
	}
	return flags
}

// assigned returns the current variables that a statement may set.
func (f *frame) assigned(n ast.Node) []any {
	found := map[any]bool{}
	add := func(key any) {
		t, ok := f.vars[key]
		if _, isMember := t.(member); ok && !isMember { // methods of a member change no variable
			found[key] = true
		}
	}
	f.targets(n, add)
	f.behindNames(n, add, map[*ast.FuncLit]bool{})
	return f.sorted(maps.Keys(found))
}

// behindNames adds the accumulators that variables of a statement point to, and what functions that variables
// are may set.
func (f *frame) behindNames(n ast.Node, add func(key any), seen map[*ast.FuncLit]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := f.pkg.TypesInfo.Uses[id].(*types.Var)
		if !ok {
			return true
		}
		t, ok := f.vars[v]
		if _, isFunc := v.Type().Underlying().(*types.Signature); !ok && isFunc && f.site != nil {
			t, _ = f.helper(v)
		}
		switch t := t.(type) {
		case accumulator:
			add(t)
		case *reference:
			if t.key != nil {
				add(t.key)
			}
		case *function:
			if t.lit != nil && !seen[t.lit] {
				seen[t.lit] = true
				g := &frame{lowering: f.lowering, pkg: t.pkg, types: t.types}
				g.targets(t.lit.Body, add)
				g.behindNames(t.lit.Body, add, seen)
			}
		}
		return true
	})
}

// targets adds the variables that statements assign to, wholly or in part, or give to a method that may.
func (f *frame) targets(n ast.Node, add func(key any)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				f.root(x, add)
			}
		case *ast.IncDecStmt:
			f.root(n.X, add)
		case *ast.CallExpr:
			if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				if sel := f.pkg.TypesInfo.Selections[s]; sel != nil && sel.Kind() == types.MethodVal {
					if o, ok := sel.Obj().(*types.Func); ok {
						if _, ok := o.Signature().Recv().Type().(*types.Pointer); ok {
							f.root(s.X, add)
						}
					}
				}
			}
		case *ast.RangeStmt:
			f.root(n.Key, add)
			f.root(n.Value, add)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				f.root(n.X, add)
			}
		}
		return true
	})
}

// root adds the variable that an expression is, or is a part of.
func (f *frame) root(x ast.Expr, add func(key any)) {
	switch x := x.(type) {
	case *ast.Ident:
		if v, ok := f.pkg.TypesInfo.ObjectOf(x).(*types.Var); ok {
			add(v)
		}
	case *ast.ParenExpr:
		f.root(x.X, add)
	case *ast.StarExpr:
		f.root(x.X, add)
	case *ast.SelectorExpr:
		f.root(x.X, add)
	case *ast.IndexExpr:
		if _, isSlice := f.typeOf(x.X).Underlying().(*types.Slice); !isSlice {
			f.root(x.X, add)
		}
	}
}
