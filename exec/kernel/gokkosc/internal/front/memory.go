package front

import (
	"go/ast"
	"go/token"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// loadAt loads element i of a slice, which is in range.
func (f *frame) loadAt(s *slice, i *ir.Value) tree {
	if s.flat != nil {
		return f.recordPlace(s, i, f.at).load()
	}
	f.loads++
	elem := f.k.Mems[s.mem].Elem.Value()
	f.orderOfLoads(elem)
	at := f.element1(s, i)
	load := func(mem int) *ir.Value {
		v := f.emit(ir.Load, elem, at)
		v.Index = mem
		return v
	}
	if len(s.among) == 0 {
		return number{load(s.mem), f.products[elem]}
	}
	loaded := &flag{"loaded"}
	f.set(loaded, number{v: f.constant(elem, 0)})
	f.inMemory(s, func(mem int) { f.put(loaded, number{v: load(mem)}) })
	v := f.value(loaded)
	f.forget(loaded)
	return number{v, f.products[elem]}
}

// storable returns element i of a slice, which is in range.
func (f *frame) storable(s *slice, i *ir.Value, x ast.Expr) *place {
	mem := f.k.Mems[s.mem]
	return &place{
		load: func() tree { return f.loadAt(s, i) },
		store: func(t tree) {
			n := f.numberOf(t, x)
			f.at = x.Pos()
			if n.product != token.NoPos {
				f.products[mem.Elem.Value()] = n.product
			}
			at := f.element1(s, i)
			f.inMemory(s, func(mem int) { f.emit(ir.Store, ir.None, at, n.v).Index = mem })
		},
	}
}
