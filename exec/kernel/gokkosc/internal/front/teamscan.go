package front

import (
	"go/ast"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// prefix lowers team.ExclusiveScan.
func (f *frame) prefix(x *ast.CallExpr) *ir.Value {
	f.ofGroup(x.Args[0])
	y := f.numberOf(f.expr(x.Args[1]), x.Args[1])
	name, identity := f.joint(x.Args[2], f.typeOf(x))
	if y.product.IsValid() && name == ir.Add.String() {
		f.noRounding(y.product)
	}
	f.at = x.Pos()
	return f.scanned(ir.OfMembers, name, y.v, identity, f.teamSize())
}

func (f *frame) scanned(scan ir.Scan, name string, x, identity, n *ir.Value) *ir.Value {
	v := f.emit(ir.Prefix, identity.Type, x, identity, n)
	v.Func, v.Index = name, int(scan)
	return v
}

// nestedScan lowers team.Scan. Each member takes consecutive items. A team of one, and a VectorRange, need
// one pass only.
func (f *frame) nestedScan(x *ast.CallExpr) {
	r, lit := f.ranged(x.Args[0]), f.functionOf(x.Args[1])
	if r.first != nil || r.whole != nil {
		f.refuse(x.Pos(), "scan the range", "a kernel scans shares")
	}
	if set := f.assigned(lit.lit); len(set) > 0 {
		f.refuse(lit.lit.Pos(), "join it into the accumulator", "the functor of a nested scan sets %s", f.subject(set[0]))
	}
	red, ok := ast.Unparen(x.Args[2]).(*ast.CallExpr)
	if !ok || len(red.Args) != 1 {
		f.refuse(x.Args[2].Pos(), "give it builtin.Sum(&x) or the like", "a nested scan has a reducer from elsewhere")
	}
	sig := lit.pkg.TypesInfo.TypeOf(lit.lit).(*types.Signature)
	name, identity := f.joint(red.Fun, f.subst(sig.Params().At(1).Type().Underlying().(*types.Pointer).Elem()))
	to := f.expr(red.Args[0])
	f.at = x.Pos()
	total := f.scanItems(x, lit, r, name, identity)
	f.behindPointer(&place{load: func() tree { return to }}).store(number{v: total})
}

// scanItems lowers the passes of a nested scan, and returns the total.
func (f *frame) scanItems(x *ast.CallExpr, lit *function, r *teamRange, name string, identity *ir.Value) *ir.Value {
	zero, one := f.integer(0), f.integer(1)
	if r.level == ir.OverVector {
		return f.scanPass(x, lit, r, zero, r.n, identity, true)
	}
	size := f.teamSize()
	chunk := f.emit(ir.Max, ir.I64, one, f.emit(ir.Add, ir.I64, f.emit(ir.Div, ir.I64, f.emit(ir.Sub, ir.I64, r.n, one), size), one))
	begin := f.emit(ir.Min, ir.I64, r.n, f.emit(ir.Mul, ir.I64, f.rank(), chunk))
	end := f.emit(ir.Min, ir.I64, r.n, f.emit(ir.Add, ir.I64, begin, chunk))
	with := f.emit(ir.Div, ir.I64, f.emit(ir.Add, ir.I64, r.n, f.emit(ir.Sub, ir.I64, chunk, one)), chunk)
	key := &flag{"sum"}
	f.set(key, number{v: identity})
	alone := f.emit(ir.Eq, ir.Bool, size, one)
	f.branch(alone, func() {}, func() { f.set(key, number{v: f.scanPass(x, lit, r, begin, end, identity, false)}) })
	sum := f.value(key)
	f.at = x.Pos()
	last := f.scanPass(x, lit, r, begin, end, f.scanned(ir.OfItems, name, sum, identity, with), true)
	f.at = x.Pos()
	return f.emit(ir.Select, identity.Type, alone, f.emit(ir.Pass, identity.Type, last, zero), f.scanned(ir.TotalOfItems, name, sum, identity, with))
}

// scanPass lowers a loop over the items begin to end-1 of a scan, and returns the final value of the
// accumulator.
func (f *frame) scanPass(x *ast.CallExpr, lit *function, r *teamRange, begin, end, first *ir.Value, final bool) *ir.Value {
	acc := &flag{"acc"}
	f.set(acc, number{v: first})
	p := loop{node: lit.lit, rest: &ast.BlockStmt{}, carried: []any{acc}}
	f.counting(p, "j", begin, end, f.byOne, false, func(j *ir.Value) flow {
		f.callWith(x, lit, []tree{f.itemOf(r, j), &reference{f.variable(acc, x), acc}, number{v: f.truth(final)}})
		return onward
	})
	return f.value(acc)
}
