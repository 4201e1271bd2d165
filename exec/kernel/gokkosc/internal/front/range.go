package front

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// rangeStmt lowers a range over an integer, a slice, an array or all integers of a span.
func (f *frame) rangeStmt(s *ast.RangeStmt, label string) flow {
	if r, ok := f.rangeOf(s.X); ok {
		return f.rangeItems(s, r, label)
	}
	from, n, isSpan := f.all(s.X)
	var x tree
	now := func() tree { return x }                                               // a range over an array has a copy of it
	if a, ok := f.typeOf(s.X).Underlying().(*types.Array); ok && s.Value == nil { // which is not looked at
		n = f.integer(int(a.Len()))
	} else if !isSpan {
		whole := f.expr(s.X)
		x = f.of(whole)
		if r, ok := whole.(*reference); ok {
			now = r.load
		}
	}
	count := &flag{"k"}
	if id, ok := s.Key.(*ast.Ident); ok && id.Name != "_" {
		count.name = id.Name
	}
	elem := func(*ir.Value) tree { return nil }
	switch x := x.(type) {
	case nil: // the integers of a span
	case number:
		n = x.v
	case *lazySlice, *slice:
		xs := f.sliceOf(x, s.X)
		n, elem = xs.len, func(k *ir.Value) tree { return f.loadAt(xs, k) }
	case *table:
		n, elem = f.integer(int(x.typ.Underlying().(*types.Array).Len())), func(k *ir.Value) tree { return f.elementOf(x, k) }
	case *parts, *array:
		a, ok := arrayOf(f.typeOf(s.X))
		if !ok {
			f.refuse(s.X.Pos(), "", "a kernel cannot range over %s", f.typeString(f.typeOf(s.X)))
		}
		n, elem = f.integer(int(a.Len())), func(k *ir.Value) tree { return f.element(now(), number{v: k}, s.X) }
	default:
		f.refuse(s.X.Pos(), "range over an integer, a slice or an array", "a kernel cannot range over %s", f.typeString(f.typeOf(s.X)))
	}
	if f.rangeWrittenOut(s, x, n, now) {
		return onward
	}
	if !n.Type.IsInt() {
		f.refuse(s.X.Pos(), "range over an integer, a slice or an array", "a kernel cannot range over %s", f.typeString(f.typeOf(s.X)))
	}
	unsigned := false
	if _, u, ok := numberType(f.typeOf(s.X)); ok {
		unsigned = u
	}
	if !isSpan {
		from = f.constant(n.Type, 0)
	}
	f.set(count, number{v: from})
	return f.loop(loop{
		label:   label,
		node:    s,
		carried: []any{count},
		cond: func() *ir.Value {
			v := f.emit(ir.Lt, ir.Bool, f.value(count), n)
			v.Unsigned = unsigned
			return v
		},
		body: func() flow {
			f.rangeVars(s, func() tree { return number{v: f.value(count)} }, func() tree { return elem(f.value(count)) })
			return f.stmts(s.Body.List)
		},
		post:     func() { f.set(count, number{v: f.emit(ir.Add, n.Type, f.value(count), f.one(n.Type))}) },
		postSafe: true,
	})
}

// rangeWrittenOut lowers a range of constant length round by round, where it counts through an array.
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
