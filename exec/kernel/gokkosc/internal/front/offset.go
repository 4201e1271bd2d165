package front

import (
	"go/ast"
	"go/types"
	"math/bits"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

func (f *frame) offset(s *slice, i *ir.Value) *ir.Value {
	if s.off == nil {
		return i
	}
	return f.emit(ir.Add, ir.I64, s.off, i)
}

// element1 returns the index in memory of element i of a slice of numbers.
func (f *frame) element1(s *slice, i *ir.Value) *ir.Value {
	at := f.offset(s, i)
	if s.base == nil {
		return at
	}
	return f.plus(f.elementsTo(s.base, f.k.Mems[s.mem].Elem), at)
}

// indexOf lowers an index: as unsigned i64 it is out of range if Go would find it out of range.
func (f *frame) indexOf(x ast.Expr) *ir.Value {
	n := f.numberOf(f.expr(x), x)
	if n.v.Type == ir.I64 {
		return n.v
	}
	_, unsigned, _ := numberType(f.typeOf(x))
	v := f.emit(ir.Conv, ir.I64, n.v)
	v.Unsigned = unsigned
	return v
}

// elementsTo returns an address as the number of elements from address 0 on.
func (f *frame) elementsTo(addr *ir.Value, elem ir.Type) *ir.Value {
	shift := bits.TrailingZeros(uint(elem.Bytes()))
	if shift == 0 {
		return addr
	}
	v := f.emit(ir.Shr, ir.I64, addr, f.integer(shift))
	v.Unsigned = true
	return v
}

// farMemory returns the number of all memory as numbers of a type.
func (l *lowering) farMemory(elem ir.Type, goElem string) int {
	for n, m := range l.k.Mems {
		if m.Far && m.GoElem == goElem {
			return n
		}
	}
	l.k.Mems = append(l.k.Mems, ir.Mem{Param: -1, Elem: elem, GoElem: goElem, Far: true, Name: "far " + goElem})
	return len(l.k.Mems) - 1
}

// farRecords returns the records behind all pointers to a type and all slices of that type.
func (l *lowering) farRecords(elem types.Type) *records {
	key := types.TypeString(elem, nil)
	if l.far == nil {
		l.far = map[string]*records{}
	}
	if l.far[key] == nil {
		l.far[key] = &records{param: -1, elem: elem, far: true}
	}
	return l.far[key]
}

// inMemory lowers an access to the memory that a slice is of.
func (f *frame) inMemory(s *slice, access func(mem int)) {
	var from func(n int)
	from = func(n int) {
		if n == len(s.among) {
			access(s.mem)
			return
		}
		f.branch(s.among[n].when, func() { access(s.among[n].mem) }, func() { from(n + 1) })
	}
	from(0)
}

// storeOwn stores to memory. A store to the item's own memory does not count as an effect.
func (f *frame) storeOwn(mem int, index, v *ir.Value) {
	stores := f.stores
	f.emit(ir.Store, ir.None, index, v).Index = mem
	if f.k.Mems[mem].Own {
		f.stores = stores
		f.storesTo(mem)
	}
}
