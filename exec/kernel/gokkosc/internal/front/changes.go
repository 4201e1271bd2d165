package front

import (
	"go/ast"
	"go/token"
	"go/types"
)

// changes reports whether a local variable may change after its declaration. A variable may change if it is
// assigned again, in whole or in part, if its address is taken, or if it is a result.
func (l *lowering) changes(v *types.Var) bool {
	d := l.site.Within
	if l.world.changed[d] == nil {
		l.world.changed[d] = changedIn(l.pkg.TypesInfo, d)
	}
	return l.world.changed[d][v]
}

// changedIn returns the variables that may change in a declaration.
func changedIn(info *types.Info, d ast.Node) map[*types.Var]bool {
	changed := map[*types.Var]bool{}
	mark := func(x ast.Expr) {
		if v := variableOf(info, x); v != nil {
			changed[v] = true
		}
	}
	results := func(t *ast.FuncType) {
		if t.Results == nil {
			return
		}
		for _, field := range t.Results.List {
			for _, id := range field.Names {
				if v, ok := info.Defs[id].(*types.Var); ok {
					changed[v] = true
				}
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			results(n.Type)
		case *ast.FuncLit:
			results(n.Type)
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); !ok || info.Defs[id] == nil {
					mark(x)
				}
			}
		case *ast.IncDecStmt:
			mark(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				for _, x := range []ast.Expr{n.Key, n.Value} {
					if x != nil {
						mark(x)
					}
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				mark(n.X)
			}
		case *ast.SliceExpr:
			if t := info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					mark(n.X)
				}
			}
		case *ast.SelectorExpr:
			if s := info.Selections[n]; s != nil && s.Kind() == types.MethodVal && takesAddress(s) {
				mark(n.X)
			}
		}
		return true
	})
	return changed
}

// takesAddress reports whether a method has the address of the variable that its selector begins with.
func takesAddress(s *types.Selection) bool {
	if _, ok := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer); !ok {
		return false
	}
	t := s.Recv()
	for _, k := range s.Index()[:len(s.Index())-1] {
		if _, ok := t.Underlying().(*types.Pointer); ok {
			return false
		}
		t = t.Underlying().(*types.Struct).Field(k).Type()
	}
	_, ok := t.Underlying().(*types.Pointer)
	return !ok
}

// variableOf returns the variable that an expression is a part of: nil if a pointer, a slice or a map lies
// between.
func variableOf(info *types.Info, x ast.Expr) *types.Var {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v, _ := info.ObjectOf(x).(*types.Var)
		return v
	case *ast.SelectorExpr:
		if s := info.Selections[x]; s == nil || s.Indirect() {
			return nil
		}
		return variableOf(info, x.X)
	case *ast.IndexExpr:
		if t := info.TypeOf(x.X); t != nil {
			if _, ok := t.Underlying().(*types.Array); ok {
				return variableOf(info, x.X)
			}
		}
	}
	return nil
}
