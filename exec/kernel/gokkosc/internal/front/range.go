package front

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

const rangeHelp = "range over an integer, a slice or an array"

// rangeStmt lowers a range over an integer, a slice, an array or all integers of a span.
func (f *frame) rangeStmt(s *ast.RangeStmt, label string) flow {
	if r, ok := f.rangeOf(s.X); ok {
		return f.rangeItems(s, r, label)
	}
	from, to, isSpan := f.all(s.X)
	elem := func(*ir.Value) tree { return nil }
	if !isSpan {
		x, now := f.rangedValue(s)
		to, elem = f.rangedElements(s, x, now)
		if f.rangeWrittenOut(s, x, to, now) {
			return onward
		}
		if !to.Type.IsInt() {
			f.refuse(s.X.Pos(), rangeHelp, "a kernel cannot range over %s", f.typeString(f.typeOf(s.X)))
		}
		from = f.constant(to.Type, 0)
	}
	name := "k"
	if id, ok := s.Key.(*ast.Ident); ok && id.Name != "_" {
		name = id.Name
	}
	_, unsigned, _ := numberType(f.typeOf(s.X))
	step := func() *ir.Value { return f.one(to.Type) }
	defer f.keeps(s)()
	return f.counting(loop{label: label, node: s}, name, from, to, step, unsigned, func(k *ir.Value) flow {
		f.rangeVars(s, func() tree { return number{v: k} }, func() tree { return elem(k) })
		return f.stmts(s.Body.List)
	})
}

// rangedValue returns the value that a range is over, and a function for the value in a round: behind a
// pointer it may change. An array of which the range takes the length alone is nil.
func (f *frame) rangedValue(s *ast.RangeStmt) (x tree, now func() tree) {
	now = func() tree { return x }
	if _, ok := f.typeOf(s.X).Underlying().(*types.Array); ok && s.Value == nil {
		return nil, now
	}
	if lit, ok := ast.Unparen(s.X).(*ast.CompositeLit); ok {
		if t, ok := f.typeOf(lit).Underlying().(*types.Slice); ok && len(lit.Elts) <= maxChosen {
			return f.arrayLiteral(lit, t), now
		}
	}
	if o, n, ok := f.ownedArray(s.X); ok {
		x = f.whole(o, n, n)
		return x, now
	}
	whole := f.expr(s.X)
	x = f.of(whole)
	if r, ok := whole.(*reference); ok {
		now = r.load
	}
	return x, now
}

// rangedElements returns how many rounds a range has, and the element of a round.
func (f *frame) rangedElements(s *ast.RangeStmt, x tree, now func() tree) (n *ir.Value, elem func(k *ir.Value) tree) {
	switch x := x.(type) {
	case number:
		return x.v, nil
	case *lazySlice, *slice:
		xs := f.sliceOf(x, s.X)
		return xs.len, func(k *ir.Value) tree { return f.loadAt(xs, k) }
	case *table:
		n := f.integer(int(x.typ.Underlying().(*types.Array).Len()))
		return n, func(k *ir.Value) tree { return f.elementOf(x, k) }
	case *parts:
		if _, ok := arrayOf(x.typ); ok {
			return f.integer(len(x.list)), func(k *ir.Value) tree { return f.element(now(), number{v: k}, s.X) }
		}
	case nil, *array:
		if a, ok := arrayOf(f.typeOf(s.X)); ok {
			return f.integer(int(a.Len())), func(k *ir.Value) tree { return f.element(now(), number{v: k}, s.X) }
		}
	}
	f.refuse(s.X.Pos(), rangeHelp, "a kernel cannot range over %s", f.typeString(f.typeOf(s.X)))
	return nil, nil
}

// rangeWrittenOut lowers a range of constant length round by round, if it counts through an array.
func (f *frame) rangeWrittenOut(s *ast.RangeStmt, x tree, n *ir.Value, now func() tree) (done bool) {
	if n.Op != ir.Const || n.Int() < 0 || s.Tok != token.DEFINE && s.Key != nil {
		return false
	}
	var vars []types.Object
	for _, x := range []ast.Expr{s.Key, s.Value} {
		if id, ok := x.(*ast.Ident); ok && id.Name != "_" {
			vars = append(vars, f.pkg.TypesInfo.Defs[id])
		}
	}
	_, isParts := x.(*parts)
	if t, ok := x.(*table); ok && s.Value != nil && n.Int() <= maxRounds {
		p := f.ofTable(t)
		now, isParts = func() tree { return p }, true
	}
	if a, ok := x.(*array); ok && !ofNumbers(a) {
		isParts = true
	}
	round := func(k int) {
		f.rangeVars(s, func() tree { return f.constantNumber(k, f.typeOf(s.Key)) }, func() tree { return f.partsOf(now()).list[k] })
	}
	if isParts && s.Value != nil && n.Int() <= maxRounds && !breaks(s.Body) {
		f.eachRound(s.Body, int(n.Int()), round)
		return true
	}
	if !isParts && s.Value != nil {
		return false
	}
	return f.writtenOut(s.Body, int(min(n.Int(), maxRounds+1)), vars, round)
}
