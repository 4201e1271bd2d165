package front

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Functors of nested patterns that own their loop.

// shares lowers team.Shares: a range with an item for each member that has items.
func (f *frame) shares(x *ast.CallExpr) tree {
	r := f.ranged(x.Args[0])
	if r.first != nil {
		f.refuse(x.Pos(), "", "a kernel has a share of a share")
	}
	f.at = x.Pos()
	s := &teamRange{level: r.level, typ: f.typeOf(x), whole: r}
	switch r.level {
	case ir.OverVector: // all items are the member's own
		s.n = f.emit(ir.Min, ir.I64, r.n, f.integer(1))
	case ir.OverThreads:
		s.n = f.emit(ir.Min, ir.I64, r.n, f.teamSize())
	default:
		lanes := f.ofTeam(ir.VectorLength...)
		up := f.emit(ir.Add, ir.I64, r.n, f.emit(ir.Sub, ir.I64, lanes, f.integer(1)))
		s.level, s.n = ir.OverThreads, f.emit(ir.Min, ir.I64, f.emit(ir.Div, ir.I64, up, lanes), f.teamSize())
	}
	s.lengths = []*ir.Value{s.n}
	return s
}

// reduceLanes lowers team.ReduceLanes: a reduction whose functor has a loop over the items and their accumulators, and nothing
// behind it. What stands in front of the loop is computed for each item.
func (f *frame) reduceLanes(x *ast.CallExpr) {
	r, fn := f.ranged(x.Args[0]), f.functionOf(x.Args[1])
	if r.first != nil || r.whole != nil || len(x.Args) != 3 {
		f.refuse(x.Pos(), "reduce a range with one reducer", "a kernel cannot have this ReduceLanes")
	}
	list := fn.lit.Body.List
	var loop *ast.RangeStmt
	if len(list) > 0 {
		loop, _ = list[len(list)-1].(*ast.RangeStmt)
	}
	if loop == nil || loop.Tok != token.DEFINE || !f.itemsOf(fn, loop.X) {
		f.refuse(fn.lit.Pos(), "end it with for j, acc := range l.Items()", "the functor of a ReduceLanes ends with no loop over its items")
	}
	f.loopAlone(fn, loop)
	param := fn.pkg.TypesInfo.TypeOf(fn.lit).(*types.Signature).Params().At(0)
	of := f.subst(types.Unalias(param.Type()).(*types.Named).TypeArgs().At(0))
	f.folded(x, r, []types.Type{of}, func(j tree, accs []tree) {
		g := &frame{lowering: f.lowering, pkg: fn.pkg, types: fn.types, mark: len(f.log)}
		g.returnsTo(types.NewSignatureType(nil, nil, nil, nil, nil, false))
		stores := f.stores
		g.stmts(list[:len(list)-1])
		if f.stores != stores {
			f.refuse(fn.lit.Pos(), "store in front of it", "the functor of a ReduceLanes stores in front of its loop")
		}
		for n, of := range []ast.Expr{loop.Key, loop.Value} {
			if id, ok := of.(*ast.Ident); ok && id.Name != "_" {
				g.set(g.pkg.TypesInfo.Defs[id].(*types.Var), append([]tree{j}, accs...)[n])
			}
		}
		e := &exit{brk: f.newFlag("broken"), cont: f.newFlag("continued")}
		g.exits = append(g.exits, e)
		g.set(e.cont, number{v: f.truth(false)})
		g.stmts(loop.Body.List)
		f.forgetNew(g.mark)
	})
}

// itemsOf reports whether an expression is the method Items of the functor's parameter.
func (f *frame) itemsOf(fn *function, x ast.Expr) bool {
	call, isCall := ast.Unparen(x).(*ast.CallExpr)
	if !isCall {
		return false
	}
	method, isMethod := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !isMethod {
		return false
	}
	id, isName := ast.Unparen(method.X).(*ast.Ident)
	param := fn.pkg.TypesInfo.TypeOf(fn.lit).(*types.Signature).Params().At(0)
	return isName && method.Sel.Name == "Items" && fn.pkg.TypesInfo.Uses[id] == param
}

// loopAlone refuses loops of a functor that set variables from outside, or that are left early.
func (f *frame) loopAlone(fn *function, loop *ast.RangeStmt) {
	ast.Inspect(fn.lit.Body, func(n ast.Node) bool {
		branch, isBranch := n.(*ast.BranchStmt)
		_, returns := n.(*ast.ReturnStmt)
		if returns || isBranch && branch.Tok != token.CONTINUE {
			f.refuse(n.Pos(), "put the condition into the loop", "the loop of a ReduceLanes is left early")
		}
		return true
	})
	outside := func(x ast.Expr) bool {
		id, ok := ast.Unparen(x).(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := fn.pkg.TypesInfo.Uses[id].(*types.Var)
		return ok && !(loop.Pos() <= v.Pos() && v.Pos() < loop.End())
	}
	ast.Inspect(fn.lit.Body, func(n ast.Node) bool {
		var set []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			set = n.Lhs
		case *ast.IncDecStmt:
			set = []ast.Expr{n.X}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				set = []ast.Expr{n.X}
			}
		}
		for _, x := range set {
			for {
				if inner, ok := ast.Unparen(x).(*ast.SelectorExpr); ok {
					x = inner.X
					continue
				}
				break
			}
			if outside(x) {
				f.refuse(n.Pos(), "use the accumulator", "the functor of a ReduceLanes sets a variable that its loop does not declare")
			}
		}
		return true
	})
}
