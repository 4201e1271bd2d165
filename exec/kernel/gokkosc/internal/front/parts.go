package front

import (
	"go/ast"

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
