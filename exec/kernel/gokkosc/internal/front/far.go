package front

import (
	"go/types"
	"math/bits"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Slices and pointers that are elements of memory, or parts of such, are loaded where an item needs them. What they lead to
// is in all memory, at an index that is made of the address.

// A far is a pointer that was loaded from memory.
type far struct {
	addr *ir.Value
	elem types.Type
}

// farRecords returns what pointers to a type, and slices of it, lead to.
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

// word loads a word of a slice or a pointer that is a part of an element.
func (f *frame) word(r record, n int64) *ir.Value {
	r.typ, r.off = types.Typ[types.Int], r.off+8*n
	mem, index := f.numberIn(r)
	v := f.emit(ir.Load, ir.I64, index)
	v.Index = mem
	return v
}

// farSlice loads a slice of a type of elements.
func (f *frame) farSlice(r record, elem types.Type) tree {
	s := &slice{mem: -1, base: f.word(r, 0), len: f.word(r, 1), cap: f.word(r, 2)}
	if typ, ok := elemType(elem); ok {
		s.mem = f.farMemory(typ, elem.Underlying().(*types.Basic).Name())
	} else if isFlat(elem) {
		s.flat = f.farRecords(elem)
	} else {
		return bad{"a slice of " + f.typeString(elem), numberTypes}
	}
	return s
}

// farPlace returns what a pointer leads to, which is not nil.
func (f *frame) farPlace(p far) *place {
	f.emit(ir.Check, ir.None, f.emit(ir.Add, ir.I64, p.addr, f.integer(-1)), f.integer(ir.Addresses))
	return f.inRecord(record{of: f.farRecords(p.elem), typ: p.elem, base: p.addr, at: f.at})
}

// notShared refuses kernels that store where a number behind a captured pointer may be: that is loaded once for many items.
func (l *lowering) notShared() {
	used, loaded := map[*ir.Value]bool{}, map[int]bool{}
	var stores []*ir.Value
	l.k.Body.Walk(func(v *ir.Value) {
		for _, x := range v.Args {
			used[x] = true
		}
		for _, b := range v.Blocks {
			for _, y := range b.Yield {
				used[y] = true
			}
		}
		if v.Op == ir.Load {
			loaded[v.Index] = true
		}
		if v.Writes() && l.k.Mems[v.Index].Far {
			stores = append(stores, v)
		}
	})
	if len(stores) == 0 {
		return
	}
	of := &ir.Kernel{Params: l.k.Params} // with what items load
	for _, u := range l.k.Setup.Values {
		if u.Op == ir.Uniform && used[u] {
			of.Scalars = append(of.Scalars, l.k.Scalars[u.Index])
		}
	}
	for n, m := range l.k.Mems {
		if loaded[n] {
			of.Mems = append(of.Mems, m)
		}
	}
	for _, v := range stores {
		for _, s := range of.Shared() {
			if s.Elem == l.k.Mems[v.Index].Elem.Value() {
				name := l.k.PathString(s.Param, s.Path)
				panic(&Refusal{v.Pos, "this may store to " + name + ", which items load", "keep " + name + " in a variable in front of the launch"})
			}
		}
	}
}
