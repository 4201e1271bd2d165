package front

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// Each element of the functor's own arrays is a variable. A short loop over such an array is unrolled, so
// that each round uses its own element. An index that is still unknown chooses between all elements. A loop
// over the neighbours of a point adds its counter to an index. Such a loop is unrolled, too: then one check
// covers the indices of all rounds for many items. A loop that is not unrolled is never copied by unrolling a
// loop around it.

// maxRounds limits the rounds of a loop that is unrolled. maxNeighbours limits the product of the rounds of
// nested loops over neighbours.
const (
	maxRounds     = 16
	maxNeighbours = 32
)

// writtenOut unrolls a short loop. Only continue may leave a round early, and the counter must index
// neighbours or an array of the functor's own. The function round sets the loop's variables for a round.
func (f *frame) writtenOut(body *ast.BlockStmt, rounds int, counter []types.Object, round func(k int)) (done bool) {
	if rounds > maxRounds || breaks(body) || f.sets(body, counter) {
		return false
	}
	if !f.indexes(body, counter) && (f.rounds*rounds*f.nested(body) > maxNeighbours || !f.offsets(body, counter)) {
		return false
	}
	f.eachRound(body, rounds, round)
	return true
}

// eachRound lowers the body of a loop once for each round, in order.
func (f *frame) eachRound(body *ast.BlockStmt, rounds int, round func(k int)) {
	defer f.folding()()
	defer func(before int) { f.rounds = before }(f.rounds)
	f.rounds *= max(1, rounds)
	e := &exit{cont: f.newFlag("continued")}
	f.exits = append(f.exits, e)
	defer func() { f.exits = f.exits[:len(f.exits)-1] }()
	for k := range rounds {
		f.set(e.cont, number{v: f.truth(false)})
		round(k)
		f.stmts(body.List)
	}
	f.set(e.cont, number{v: f.truth(false)})
}

// breaks reports whether the body of a loop has a jump that may leave the loop. Any jump to a label counts,
// wherever the label is.
func breaks(body *ast.BlockStmt) (found bool) {
	var look func(n ast.Node, own bool)
	look = func(n ast.Node, own bool) { // own: break leaves the loop
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ReturnStmt, *ast.LabeledStmt:
				found = true
			case *ast.BranchStmt:
				found = found || n.Label != nil || own && n.Tok != token.CONTINUE
			case *ast.ForStmt:
				look(n.Body, false)
				return false
			case *ast.RangeStmt:
				look(n.Body, false)
				return false
			case *ast.SwitchStmt:
				look(n.Body, false)
				return false
			}
			return !found
		})
	}
	look(body, true)
	return found
}

// sets reports whether statements may set one of some variables.
func (f *frame) sets(n ast.Node, vars []types.Object) (found bool) {
	f.targets(n, func(key any) {
		v, ok := key.(*types.Var)
		found = found || ok && slices.Contains(vars, types.Object(v))
	})
	return found
}

// nested returns the product of the rounds of nested loops, in statements and in the functions that they
// call. The result exceeds maxNeighbours if one of the loops stays a loop. The argument calls has the
// functions around the statements.
func (f *frame) nested(n ast.Node, calls ...*types.Func) (rounds int) {
	rounds = 1
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			_, _, own, ok := f.counted(n)
			if !ok || breaks(n.Body) {
				own = maxNeighbours + 1
			}
			rounds = max(rounds, own*f.nested(n.Body, calls...))
			return false
		case *ast.RangeStmt:
			rounds = max(rounds, f.length(n)*f.nested(n.Body, calls...))
			return false
		case *ast.CallExpr:
			rounds = max(rounds, f.calledRounds(n, calls))
		}
		return true
	})
	return min(rounds, maxNeighbours+1)
}

// length returns how many rounds a range has, or too many if that is not known before it is lowered.
func (f *frame) length(s *ast.RangeStmt) int {
	n, ok := f.constantIndex(s.X)
	if a, isArray := f.typeOf(s.X).Underlying().(*types.Array); isArray {
		n, ok = int(a.Len()), true
	}
	if !ok || breaks(s.Body) {
		return maxNeighbours + 1
	}
	return min(max(n, 0), maxNeighbours+1)
}

// calledRounds returns the rounds of nested loops in a function that is called.
func (f *frame) calledRounds(x *ast.CallExpr, calls []*types.Func) (rounds int) {
	o, ok := typeutil.Callee(f.pkg.TypesInfo, x).(*types.Func)
	if !ok || o.Pkg() == nil || o.Pkg().Path() == viewsPath || slices.Contains(calls, o) {
		return 1
	}
	pkg, d, err := f.world.declOf(f.lowering.pkg, o)
	if err != nil { // operations have no body
		return 1
	}
	g := &frame{lowering: f.lowering, pkg: pkg}
	return g.nested(d.Body, append(calls, o)...)
}

// draws reports whether a call is a method of a random number generator, which has an array of numbers.
func (f *frame) draws(c *ast.CallExpr) bool {
	s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	return ok && isNamed(f.typeOf(s.X), randomPath, "Generator")
}

// indexes reports whether statements index an array of the functor's own by what depends on one of some
// variables, or draw random numbers.
func (f *frame) indexes(n ast.Node, vars []types.Object) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && f.draws(c) {
			found = true
		}
		x, ok := n.(*ast.IndexExpr)
		if !ok {
			return !found
		}
		t := f.typeOf(x.X).Underlying()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem().Underlying()
		}
		if _, isArray := t.(*types.Array); isArray && f.ownArray(x.X) {
			own, _ := f.names(x.Index, vars)
			found = found || own
		}
		return !found
	})
	return found
}

// offsets reports whether statements add an integer that depends on one of some variables to one that depends
// on others, or subtract it.
func (f *frame) offsets(n ast.Node, vars []types.Object) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		x, ok := n.(*ast.BinaryExpr)
		if !ok || x.Op != token.ADD && x.Op != token.SUB {
			return !found
		}
		if b, ok := f.typeOf(x).Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			xOwn, xOther := f.names(x.X, vars)
			yOwn, yOther := f.names(x.Y, vars)
			found = found || xOwn && yOther || xOther && yOwn
		}
		return !found
	})
	return found
}

// names reports whether an expression names one of some variables, and whether it names another one.
func (f *frame) names(x ast.Expr, vars []types.Object) (own, other bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := f.pkg.TypesInfo.ObjectOf(id).(*types.Var); ok {
				is := slices.Contains(vars, types.Object(v))
				own, other = own || is, other || !is
			}
		}
		return true
	})
	return own, other
}

// ownArray reports whether an array is no parameter that can be memory, as known in front of the loop.
func (f *frame) ownArray(x ast.Expr) bool {
	own := true
	f.root(x, func(key any) {
		t := f.of(f.vars[key])
		if a, isParam := t.(*array); isParam && ofNumbers(a) {
			own = false
		}
	})
	return own
}

// counted returns the counter of a for, its first value and the number of rounds, if these are constants.
// Numbers above maxRounds are not exact. A loop up to the greatest number of a type never ends, and is not
// counted.
func (f *frame) counted(s *ast.ForStmt) (v types.Object, from, rounds int, ok bool) {
	init, isInit := s.Init.(*ast.AssignStmt)
	cond, isCond := s.Cond.(*ast.BinaryExpr)
	post, isPost := s.Post.(*ast.IncDecStmt)
	if !isInit || !isCond || !isPost || init.Tok != token.DEFINE || len(init.Lhs) != 1 || post.Tok != token.INC {
		return nil, 0, 0, false
	}
	id, isIdent := init.Lhs[0].(*ast.Ident)
	if !isIdent {
		return nil, 0, 0, false
	}
	v = f.pkg.TypesInfo.Defs[id]
	same := func(x ast.Expr) bool {
		id, ok := x.(*ast.Ident)
		return ok && f.pkg.TypesInfo.ObjectOf(id) == v
	}
	from, ok = f.constantIndex(init.Rhs[0])
	to, also := f.constantIndex(cond.Y)
	if !ok || !also || v == nil || !same(cond.X) || !same(post.X) {
		return nil, 0, 0, false
	}
	greatest, isInt := f.greatest(v.Type())
	rounds = int(min(uint64(to)-uint64(from), maxRounds+1))
	switch {
	case !isInt || cond.Op == token.LEQ && uint64(to) == greatest:
		return nil, 0, 0, false
	case cond.Op != token.LSS && cond.Op != token.LEQ:
		return nil, 0, 0, false
	case to < from:
		rounds = 0
	case cond.Op == token.LEQ:
		rounds++
	}
	return v, from, rounds, true
}

// greatest returns the greatest number of a type of integers.
func (f *frame) greatest(t types.Type) (n uint64, ok bool) {
	b, ok := f.subst(t).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return 0, false
	}
	n = 1<<(8*f.pkg.TypesSizes.Sizeof(b)) - 1
	if b.Info()&types.IsUnsigned == 0 {
		n /= 2
	}
	return n, true
}
