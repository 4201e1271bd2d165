package front

import (
	"go/ast"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// dimension returns the extent or the stride of a view in a dimension: of a variable one of all of them.
func (f *frame) dimension(s shape, kind ir.StepKind, x ast.Expr) tree {
	i := f.indexOf(x)
	d, ok := known(i)
	if ok && d >= uint64(s.rank) || s.rank == 0 {
		f.refuse(x.Pos(), "use a number below the rank", "a kernel asks for a dimension that a view does not have")
	}
	if ok {
		return number{v: f.ofShape(s, kind, int(d))}
	}
	f.at = x.Pos()
	f.emit(ir.Check, ir.None, i, f.integer(s.rank))
	out := f.ofShape(s, kind, s.rank-1)
	for d := s.rank - 2; d >= 0; d-- {
		is := f.emit(ir.Eq, ir.Bool, i, f.integer(d))
		out = f.emit(ir.Select, ir.I64, is, f.ofShape(s, kind, d), out)
	}
	return number{v: out}
}

// ofShape returns the extent or the stride of a view in a dimension.
func (f *frame) ofShape(s shape, kind ir.StepKind, d int) *ir.Value {
	step := ir.Step{Kind: kind, N: d}
	out := f.scalar(s.param, append(slices.Clip(s.path), step), ir.I64, "int")
	for _, t := range slices.Backward(s.among) {
		out = f.selectedNumber(t.when, f.scalar(t.param, append(slices.Clip(t.path), step), ir.I64, "int"), out)
	}
	return out
}
