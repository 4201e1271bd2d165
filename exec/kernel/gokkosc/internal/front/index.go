package front

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// index returns the index of an item as a tree: an int, a point of several dimensions, or a row of such.
func (l *lowering) index(v *types.Var) (t tree, ok bool) {
	if types.Identical(v.Type(), types.Typ[types.Int]) {
		return number{v: l.item(v.Name())}, true
	}
	if isMember(v.Type()) {
		return l.member(v), true
	}
	point, row := v.Type(), false
	named, _ := types.Unalias(point).(*types.Named)
	if named != nil && isOf(named, policyPath, "Row") {
		point, row = named.TypeArgs().At(0), true
	}
	if named != nil && isOf(named, policyPath, "Span") { // a row of integers
		l.k.Index = ir.Index{Row: true, Type: l.typeString(v.Type())}
		begin, end := l.ofRun(ir.Coord, 0, "from"), l.ofRun(ir.Stop, 0, "to")
		return &parts{v.Type(), []tree{number{v: begin}, number{v: end}}}, true
	}
	rank := rankOf(point)
	if rank == 0 {
		return nil, false
	}
	l.k.Index = ir.Index{Rank: rank, Dim: ir.NoDim, Row: row, Type: l.typeString(v.Type())}
	p := &parts{typ: point}
	fields := point.Underlying().(*types.Struct)
	for d := range rank {
		p.list = append(p.list, number{v: l.ofRun(ir.Coord, d, strings.ToLower(fields.Field(d).Name()))})
	}
	if !row {
		return p, true
	}
	span := &parts{typ: named.Underlying().(*types.Struct).Field(1).Type()}
	span.list = []tree{number{v: l.item("start")}, number{v: l.ofRun(ir.Stop, 0, "stop")}}
	return &parts{v.Type(), []tree{p, span}}, true
}

// item returns the counter of a run.
func (l *lowering) item(name string) *ir.Value {
	v := l.k.NewValue(ir.Item, ir.I64)
	v.Name = name
	l.k.Body.Values = append(l.k.Body.Values, v)
	return v
}

// ofRun returns a value that is the same for a run.
func (l *lowering) ofRun(op ir.Op, n int, name string) *ir.Value {
	v := l.k.NewValue(op, ir.I64)
	v.Index, v.Name = n, name
	l.k.Setup.Values = append(l.k.Setup.Values, v)
	return v
}

// called returns the method of that name that an expression calls.
func (f *frame) called(x ast.Expr, name string) (fn *ast.SelectorExpr, sel *types.Selection, ok bool) {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return nil, nil, false
	}
	if fn, ok = ast.Unparen(call.Fun).(*ast.SelectorExpr); !ok || fn.Sel.Name != name {
		return nil, nil, false
	}
	sel = f.pkg.TypesInfo.Selections[fn]
	return fn, sel, sel != nil && sel.Kind() == types.MethodVal
}

// all returns the bounds of a span if an expression yields the span's integers. The expression is s.All() of
// a policy.Span, which may be embedded.
func (f *frame) all(x ast.Expr) (from, to *ir.Value, ok bool) {
	fn, sel, ok := f.called(x, "All")
	if !ok {
		return nil, nil, false
	}
	recv := sel.Obj().(*types.Func).Signature().Recv()
	if named, ok := types.Unalias(recv.Type()).(*types.Named); !ok || !isOf(named, policyPath, "Span") {
		return nil, nil, false
	}
	t := f.expr(fn.X)
	for _, k := range sel.Index()[:len(sel.Index())-1] {
		t = f.part(t, k)
	}
	return f.numberOf(f.part(t, 0), fn.X).v, f.numberOf(f.part(t, 1), fn.X).v, true
}

// member makes the items of the kernel teams, and returns the member that the functor gets.
func (l *lowering) member(v *types.Var) tree {
	l.k.Team, l.k.Index = ir.ByMember, ir.Index{Type: l.typeString(v.Type())}
	name := "team"
	for slices.ContainsFunc(l.k.Params, func(p ir.Param) bool { return p.Name == name }) {
		name += "_"
	}
	l.team = len(l.k.Params)
	l.k.Params = append(l.k.Params, ir.Param{Name: name, Type: "*kernel.Team"})
	l.further = append(l.further, l.team)
	l.league = l.item("league")
	return member{}
}
