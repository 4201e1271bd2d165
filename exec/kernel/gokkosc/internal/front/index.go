package front

import (
	"go/ast"
	"go/types"
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

// isOf reports whether a type, or one that it is made of, is declared in a package under that name.
func isOf(t *types.Named, path, name string) bool {
	o := t.Obj()
	return o.Pkg() != nil && o.Pkg().Path() == path && o.Name() == name
}

// rankOf returns how many coordinates a point has, 0 if a type is none.
func rankOf(t types.Type) int {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != teamPath {
		return 0
	}
	digit, found := strings.CutPrefix(named.Obj().Name(), "Index")
	if !found || len(digit) != 1 || digit[0] < '2' || digit[0] > '6' {
		return 0
	}
	return int(digit[0] - '0')
}

// item returns what counts along a run.
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

// all returns the bounds of a span whose integers an expression yields: s.All() of a policy.Span, which may
// be embedded.
func (f *frame) all(x ast.Expr) (from, to *ir.Value, ok bool) {
	call, isCall := ast.Unparen(x).(*ast.CallExpr)
	if !isCall {
		return nil, nil, false
	}
	fn, isMethod := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !isMethod {
		return nil, nil, false
	}
	sel := f.pkg.TypesInfo.Selections[fn]
	if sel == nil || sel.Kind() != types.MethodVal || sel.Obj().Name() != "All" {
		return nil, nil, false
	}
	recv := sel.Obj().(*types.Func).Signature().Recv()
	named, isNamed := types.Unalias(recv.Type()).(*types.Named)
	if !isNamed || !isOf(named, policyPath, "Span") {
		return nil, nil, false
	}
	t := f.expr(fn.X)
	for _, k := range sel.Index()[:len(sel.Index())-1] {
		t = f.part(t, k)
	}
	return f.numberOf(f.part(t, 0), fn.X).v, f.numberOf(f.part(t, 1), fn.X).v, true
}
