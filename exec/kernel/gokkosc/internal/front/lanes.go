package front

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A functor of exec.ParallelReduceLanes owns the loop over its items:
//
//	func(s exec.Lanes[float64]) {
//		c := 2 * a
//		for i, acc := range s.Items() {
//			*acc += float64(c * x[i])
//		}
//	}
//
// Its kernel is the kernel of a functor of items whose body is the body of that loop. The definitions in front
// of the loop are a part of each item. So an item stores nothing, and changes no variable of another item.

const lanesHelp = "write definitions, and one loop for i, acc := range s.Items() whose rounds go on to their ends or to a continue, and store nothing"

// isLanes reports whether a type is an exec.Lanes or an exec.RowLanes, and returns the type of its accumulators.
func isLanes(t types.Type) (acc types.Type, ok bool) {
	n, isNamed := types.Unalias(t).(*types.Named)
	if !isNamed || !isOf(n, execPath, "Lanes") && !isOf(n, execPath, "RowLanes") {
		return nil, false
	}
	return n.TypeArgs().At(n.TypeArgs().Len() - 1), true
}

// ofItems makes the items of the kernel integers, or the points of rows, and returns the number of an item and
// the functor's parameter. The parameter has the coordinates that the points of a row share.
func (l *lowering) ofItems(name string, t types.Type) (item *ir.Value, param tree) {
	args := types.Unalias(t).(*types.Named).TypeArgs()
	l.k.Index = ir.Index{Lanes: true, Type: l.typeString(t)}
	param = bad{"an exec.Lanes as a value", lanesHelp}
	if args.Len() == 1 {
		return l.item(name), param
	}
	at := &parts{typ: args.At(0)}
	l.k.Index.Rank, l.k.Index.Dim = rankOf(at.typ), ir.NoDim
	fields := at.typ.Underlying().(*types.Struct)
	for d := range l.k.Index.Rank {
		at.list = append(at.list, number{v: l.ofRun(ir.Coord, d, strings.ToLower(fields.Field(d).Name()))})
	}
	at.list[len(at.list)-1] = bad{"the first coordinate of a row", "use the variable of the loop over the row's items"}
	row := t.Underlying().(*types.Struct).Field(0).Type()
	return l.item(name), &parts{t, []tree{&parts{row, []tree{at, param}}, param, param}}
}

// lanes lowers a functor whose parameter is an exec.Lanes with accumulators of a type.
func (l *lowering) lanes(b body, acc types.Type) {
	f := &frame{lowering: l, pkg: b.pkg, types: b.types, ret: l.newFlag("returned")}
	span := b.sig.Params().At(0)
	front, loop := f.loopOf(b, span)
	key, _ := loop.Key.(*ast.Ident)
	value, ok := loop.Value.(*ast.Ident)
	if key == nil || !ok || value.Name == "_" || loop.Tok != token.DEFINE || breaks(loop.Body) {
		l.refuse(loop.Pos(), lanesHelp, "the loop over the functor's items may end early, or has variables of other loops")
	}
	if recv := b.sig.Recv(); recv != nil && changedIn(b.pkg.TypesInfo, loop)[recv] {
		l.refuse(loop.Pos(), "copy it in the loop", "the loop over the functor's items changes %s, the receiver, which its items share", recv.Name())
	}
	item, param := l.ofItems(key.Name, f.subst(span.Type()))
	l.set(span, param)
	f.ahead(front, loop)
	f.stmts(front)
	f.accumulator(0, b.pkg.TypesInfo.Defs[value].(*types.Var), f.subst(acc), loop.Body.List)
	if key.Name != "_" {
		l.set(b.pkg.TypesInfo.Defs[key], number{v: item})
	}
	e := &exit{cont: f.newFlag("continued")}
	f.set(e.cont, number{v: f.truth(false)})
	f.exits = append(f.exits, e)
	f.stmts(loop.Body.List)
	stores := len(l.k.Accesses) > 0 // cells of a scatter
	l.k.Body.Walk(func(v *ir.Value) { stores = stores || v.Writes() })
	if stores {
		l.refuse(loop.Pos(), "let a functor of exec.ParallelReduce, a func(i int, acc *T), store", "a functor that owns the loop over its items stores to memory")
	}
}

// loopOf returns the loop over a functor's items, and the statements in front of the loop. Nothing else has more
// of the functor's parameter than At.
func (f *frame) loopOf(b body, span *types.Var) (front []ast.Stmt, loop *ast.RangeStmt) {
	last := len(b.list) - 1
	if last >= 0 {
		loop, _ = b.list[last].(*ast.RangeStmt)
	}
	if loop == nil {
		f.refuse(b.at, lanesHelp, "the functor does not end with a loop over its items")
	}
	var of *ast.Ident
	if fn, _, ok := f.called(loop.X, "Items"); ok {
		if of, ok = ast.Unparen(fn.X).(*ast.Ident); ok && b.pkg.TypesInfo.Uses[of] != types.Object(span) {
			of = nil
		}
	}
	if of == nil {
		f.refuse(loop.Pos(), lanesHelp, "the functor does not end with a loop over its items")
	}
	for _, s := range b.list {
		ast.Inspect(s, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "At" {
				_, isParam := ast.Unparen(sel.X).(*ast.Ident)
				return !isParam
			}
			if id, ok := n.(*ast.Ident); ok && id != of && b.pkg.TypesInfo.Uses[id] == types.Object(span) {
				f.refuse(id.Pos(), lanesHelp, "the functor uses %s beside the loop over its items", id.Name)
			}
			return true
		})
	}
	return b.list[:last], loop
}

// ahead refuses statements in front of a loop unless they define variables that each item can have for itself:
// nothing changes the variables, and their memory is memory that the functor captures.
func (f *frame) ahead(list []ast.Stmt, loop *ast.RangeStmt) {
	info := f.pkg.TypesInfo
	changed := changedIn(info, loop)
	for _, s := range list {
		d, ok := s.(*ast.AssignStmt)
		if !ok || d.Tok != token.DEFINE || !f.allNew(d) {
			f.refuse(s.Pos(), lanesHelp, "a statement in front of the loop over the functor's items is no definition")
		}
		for _, x := range d.Rhs {
			if at := f.makes(x); at != nil {
				f.refuse(at.Pos(), lanesHelp, "a definition in front of the loop over the functor's items may make memory that its items share")
			}
		}
		for _, x := range d.Lhs {
			if v, ok := info.Defs[x.(*ast.Ident)].(*types.Var); ok && changed[v] {
				f.refuse(x.Pos(), "define it in the loop", "the loop over the functor's items changes %s, which is defined in front of it", v.Name())
			}
		}
	}
}

// makes returns a part of an expression that may have memory of its own as its value, or nil.
func (f *frame) makes(x ast.Expr) (part ast.Expr) {
	ast.Inspect(x, func(n ast.Node) bool {
		found := false
		switch n := n.(type) {
		case *ast.FuncLit, *ast.CompositeLit:
			found = true
		case *ast.UnaryExpr:
			found = n.Op == token.AND
		case *ast.SliceExpr:
			_, isSlice := f.typeOf(n.X).Underlying().(*types.Slice)
			found = !isSlice
		case *ast.CallExpr:
			found = !f.isPure(n)
		}
		if found && part == nil {
			part = n.(ast.Expr)
		}
		return part == nil
	})
	return part
}

// isPure reports whether a call is a conversion, a function of numbers or a method of a view.
func (f *frame) isPure(x *ast.CallExpr) bool {
	fun := ast.Unparen(x.Fun)
	if tv := f.pkg.TypesInfo.Types[fun]; tv.IsType() {
		return true
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		o, ok := f.pkg.TypesInfo.Uses[fun].(*types.Builtin)
		return ok && (o.Name() == "len" || o.Name() == "cap" || o.Name() == "min" || o.Name() == "max")
	case *ast.SelectorExpr:
		o, ok := f.pkg.TypesInfo.Uses[fun.Sel].(*types.Func)
		if !ok || o.Pkg() == nil {
			return false
		}
		path := o.Pkg().Path()
		return path == "math" || path == kmathPath || path == viewsPath && fun.Sel.Name != "Set"
	}
	return false
}
