package front

import (
	"go/ast"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// part returns part k of a struct or an array.
func (f *frame) part(t tree, k int) tree {
	var list []tree
	switch t := f.of(t).(type) {
	case *table:
		return f.elementOf(t, f.integer(k))
	case *parts:
		list = t.list
	case *array:
		list = t.list
	}
	if k >= len(list) {
		f.refuse(f.at, "", "a kernel cannot have a part of this")
	}
	if b, ok := list[k].(bad); ok {
		f.refuse(f.at, b.help, "a kernel cannot have %s", b.reason)
	}
	return list[k]
}

// field returns a part of a place, which is a struct or an array.
func (f *frame) field(p *place, path []int) *place {
	for _, k := range path {
		outer := f.behindPointer(p)
		if outer.record {
			p = outer.part(k)
			continue
		}
		p = &place{
			load: func() tree { return f.part(outer.load(), k) },
			store: func(t tree) {
				whole := f.partsOf(outer.load())
				list := append([]tree(nil), whole.list...)
				list[k] = t
				outer.store(&parts{whole.typ, list})
			},
		}
	}
	return p
}

// element returns an element of an array at an index that is not constant.
func (f *frame) element(t tree, i number, x ast.Expr) tree {
	typ, ok := arrayOf(f.typeOf(x))
	if a, isParam := t.(*array); isParam && ok {
		if mem, ok := f.memory(a); ok {
			n := f.integer(int(typ.Len()))
			f.emit(ir.Check, ir.None, i.v, n)
			return f.loadAt(&slice{mem: mem, len: n, cap: n}, i.v)
		}
	}
	p := f.partsOf(t)
	f.inArray(p, i, x)
	return f.chosen(p, i)
}

// dimension returns the extent or the stride of a view in a dimension, which may be a variable.
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
