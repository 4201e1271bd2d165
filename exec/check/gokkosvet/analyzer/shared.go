package analyzer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// assigned looks at an assignment.
func (f *functor) assigned(at inspector.Cursor, n *ast.AssignStmt) {
	for k, left := range n.Lhs {
		if n.Tok != token.DEFINE {
			f.written(at, left)
		}
		if len(n.Rhs) == len(n.Lhs) && f.helper == nil {
			f.joined(at, n, left, n.Rhs[k])
		}
	}
}

// written looks at what is written to.
func (f *functor) written(at inspector.Cursor, e ast.Expr) {
	if e == nil {
		return
	}
	if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok && f.isMap(x.X) {
		f.writesMap(at, x.X, e)
		return
	}
	f.shares(at, e, e)
}

// shares looks at a place that a statement or a call writes.
func (f *functor) shares(at inspector.Cursor, n ast.Node, e ast.Expr) {
	v, varies := f.target(e)
	switch {
	case v == nil || v.Name() == "_":
	case f.owns(v):
		_, indexed := f.base(e)
		f.lanes(at, e, v, indexed || varies)
	case !varies && !f.alone && !f.guarded(at, f.stores(at, v)):
		f.report(n, fmt.Sprintf("a functor writes %s, which items share: use a reducer or package atomics", v.Name()))
	}
}

// target returns the variable that is written to where an expression is assigned to, and whether that
// may be another part of it for each item. A variable of the functor that is set once, to memory
// around it, stands for that memory.
func (f *functor) target(e ast.Expr) (v *types.Var, varies bool) {
	for range 8 { // deeper chains are nobody's
		v, _ = f.base(e)
		varies = varies || f.varies(e)
		id, plain := ast.Unparen(e).(*ast.Ident)
		if v == nil || !f.owns(v) || plain && f.pass.TypesInfo.ObjectOf(id) == v || f.stands(v) == nil || !f.refers(v.Type()) && !f.leads(e) {
			return v, varies
		}
		of, _ := f.base(f.stands(v))
		if of == nil {
			return v, varies
		}
		if e = f.stands(v); !f.owns(of) {
			return of, varies || f.varies(e)
		}
		if id, plain := ast.Unparen(e).(*ast.Ident); plain {
			e = &ast.StarExpr{X: id} // what it refers to
		}
	}
	return v, varies
}

// refers reports whether copies of a value share memory.
func (c *checker) refers(t types.Type) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == module+"views" {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
		return true
	}
	return false
}

// leads reports whether a place is reached through a pointer, a slice or a view in a variable.
func (f *functor) leads(e ast.Expr) bool {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		default:
			return false
		}
		if t := f.pass.TypesInfo.TypeOf(e); t != nil && f.refers(t) {
			return true
		}
	}
}

// varies reports whether an index or a bound in an expression may differ from item to item.
func (f *functor) varies(e ast.Expr) (varies bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			varies = varies || f.perItem(n.Index)
		case *ast.SliceExpr:
			varies = varies || f.perItem(n.Low) || f.perItem(n.High)
		case *ast.CallExpr:
			varies = varies || f.element(n, places...) != nil && slices.ContainsFunc(n.Args, f.perItem)
		}
		return !varies
	})
	return varies
}

// perItem reports whether an index may differ from item to item: it comes from a variable of the functor, or
// from a call.
func (f *functor) perItem(index ast.Expr) (is bool) {
	if index == nil {
		return false
	}
	ast.Inspect(index, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			is = is || !f.pass.TypesInfo.Types[n.Fun].IsType() && f.builtin(n) != "len"
		case *ast.Ident:
			v, _ := f.pass.TypesInfo.ObjectOf(n).(*types.Var)
			if arg := f.argument(v); arg != nil {
				is = is || f.perItem(arg)
			} else {
				is = is || v != nil && f.owns(v)
			}
		}
		return !is
	})
	return is
}

func (f *functor) isMap(e ast.Expr) bool {
	t := f.pass.TypesInfo.TypeOf(e)
	if t == nil {
		return false
	}
	_, is := t.Underlying().(*types.Map)
	return is
}

// writesMap looks at a map that is written to. One of a slice of maps may be the item's own.
func (f *functor) writesMap(at inspector.Cursor, m ast.Expr, what ast.Node) {
	if v, varies := f.target(&ast.StarExpr{X: m}); v != nil && !f.owns(v) && !varies && !f.alone && !f.guarded(at, true) {
		f.report(what, fmt.Sprintf("a functor writes to the map %s, which items share", v.Name()))
	}
}

// lanes looks at a variable of the functor that is written in a nested functor. The vector lanes of
// a member share it.
func (f *functor) lanes(at inspector.Cursor, e ast.Expr, v *types.Var, indexed bool) {
	if f.helper != nil {
		e, at, f = f.site.Node().(*ast.CallExpr), f.site, f.top
	}
	if indexed || f.alone || !f.owns(v) {
		return
	}
	for lit, call := range f.nested(at) {
		n := lit.Node().(*ast.FuncLit)
		if v.Pos() >= n.Pos() && v.Pos() < n.End() {
			return
		}
		if f.spreads(call.Args[0], "VectorRange") {
			if f.chooser(n.Type, lit.ChildAt(edge.FuncLit_Body, -1), call.Args[0]).guarded(at, f.stores(at, v)) {
				return
			}
			f.report(e, fmt.Sprintf("a functor of vector lanes writes %s, which the lanes share: use team.Reduce", v.Name()))
			return
		}
	}
}

// nested yields the functors around what is looked at that calls of package team are given, from the
// inside out, and these calls.
func (f *functor) nested(at inspector.Cursor) iter.Seq2[inspector.Cursor, *ast.CallExpr] {
	return func(yield func(lit inspector.Cursor, call *ast.CallExpr) bool) {
		for lit := range at.Enclosing((*ast.FuncLit)(nil)) {
			if lit.Node().Pos() <= f.body.Node().Pos() {
				return
			}
			call, ok := lit.Parent().Node().(*ast.CallExpr)
			if ok && f.called(call, "team") != "" && !yield(lit, call) {
				return
			}
		}
	}
}

// spreads reports whether an expression is a nested range whose name has a part.
func (f *functor) spreads(e ast.Expr, part string) bool {
	call, ok := f.value(e).(*ast.CallExpr)
	return ok && strings.Contains(f.called(call, "team"), part)
}

// guarded reports whether at most one item runs what is looked at, or what it stores may be that of one.
func (f *functor) guarded(at inspector.Cursor, store bool) bool {
	return f.items().guarded(at, store)
}

// stores reports whether an assignment or a call sets a variable without regard of its old content.
func (f *functor) stores(at inspector.Cursor, v *types.Var) bool {
	var from []ast.Expr
	switch n := at.Node().(type) {
	case *ast.AssignStmt:
		if from = n.Rhs; n.Tok != token.ASSIGN {
			return false
		}
	case *ast.CallExpr:
		from = n.Args
	default:
		return false
	}
	return !slices.ContainsFunc(from, func(e ast.Expr) bool {
		return f.mentions(e, func(o types.Object) bool { return o == v })
	})
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
		f.conditions(f.body, at, func(c ast.Node, _ bool) bool {
			old = old || f.mentions(c, from)
			return !old
		})
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
