package front

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A slice of structs or arrays is one memory for each type of number in its elements. Let s be the size of an
// element and o the offset of a number, both counted in numbers of its type. Then element i has that number
// at index i*s+o.

// A term is a part of the offset of a number: value times bytes.
type term struct {
	value *ir.Value
	bytes int64
}

// A record is a part of an element of records as a place.
type record struct {
	of    *records
	typ   types.Type
	base  *ir.Value // the address where all this begins; nil if that is a parameter's
	terms []term
	off   int64
	at    token.Pos
}

// recordPlace returns element i of a slice of records as a place. The index was checked.
func (f *frame) recordPlace(s *slice, i *ir.Value, at token.Pos) *place {
	size := f.lowering.pkg.TypesSizes.Sizeof(s.flat.elem)
	return f.inRecord(record{of: s.flat, typ: s.flat.elem, base: s.base, terms: []term{{f.offset(s, i), size}}, at: at})
}

func (f *frame) inRecord(r record) *place {
	p := &place{record: true, typ: r.typ}
	p.load = func() tree { return f.loadRecord(r) }
	p.store = func(t tree) { f.storeRecord(r, t) }
	sizes := f.lowering.pkg.TypesSizes
	p.part = func(k int) *place {
		inner := r
		switch u := r.typ.Underlying().(type) {
		case *types.Struct:
			fields := slices.Collect(u.Fields())
			inner.typ, inner.off = fields[k].Type(), r.off+sizes.Offsetsof(fields)[k]
		case *types.Array:
			if k >= int(u.Len()) {
				f.refuse(r.at, "", "a kernel cannot have a part of this")
			}
			inner.typ, inner.off = u.Elem(), r.off+int64(k)*sizes.Sizeof(u.Elem())
		case *types.Basic:
			inner.typ, _ = complexPart(r.typ)
			inner.off += int64(k) * sizes.Sizeof(inner.typ)
		}
		return f.inRecord(inner)
	}
	p.elem = func(i *ir.Value) *place {
		inner, elem := r, r.typ.Underlying().(*types.Array).Elem()
		inner.typ, inner.terms = elem, append(slices.Clip(r.terms), term{i, sizes.Sizeof(elem)})
		return f.inRecord(inner)
	}
	return p
}

// numberIn returns the memory and the index of a number in a record.
func (f *frame) numberIn(r record) (mem int, index *ir.Value) {
	basic := r.typ.Underlying().(*types.Basic)
	elem, _ := elemType(r.typ)
	mem, ok := r.of.mems[basic.Name()]
	if r.of.far {
		mem = f.farMemory(elem, basic.Name())
	} else if !ok {
		step := ir.Step{Kind: ir.Flat, Field: basic.Name(), N: int(f.lowering.pkg.TypesSizes.Sizeof(r.of.elem)) / elem.Bytes()}
		mem = f.addMem(ir.Mem{Param: r.of.param, Path: append(slices.Clip(r.of.path), step), Rank: r.of.rank, Elem: elem, GoElem: basic.Name()})
		r.of.mems[basic.Name()] = mem
	}
	size := int64(elem.Bytes())
	if r.base != nil {
		index = f.elementsTo(r.base, elem)
	}
	for _, t := range r.terms {
		scaled := f.times(t.value, int(t.bytes/size))
		if t.bytes == size {
			scaled = t.value
		}
		index = f.plus(index, scaled)
	}
	if r.off > 0 {
		index = f.plus(index, f.integer(int(r.off/size)))
	}
	if index == nil {
		index = f.integer(0)
	}
	return mem, index
}

// loadRecord loads a part of an element.
func (f *frame) loadRecord(r record) tree {
	f.at = r.at
	if typ, ok := elemType(r.typ); ok {
		f.loads++
		f.orderOfLoads(typ.Value())
		mem, index := f.numberIn(r)
		f.loadsOwn(mem)
		v := f.emit(ir.Load, typ.Value(), index)
		v.Index = mem
		return number{v, f.products[typ.Value()]}
	}
	f.fewNumbers(r)
	p := &parts{typ: r.typ}
	whole := f.inRecord(r)
	switch u := r.typ.Underlying().(type) {
	case *types.Slice:
		f.loads++
		return f.farSlice(r, u.Elem())
	case *types.Pointer:
		f.loads++
		return far{f.word(r, 0), u.Elem()}
	default:
		if _, ok := complexPart(r.typ); ok {
			return complexOf(r.typ, whole.part(0).load().(number), whole.part(1).load().(number))
		}
		return bad{"type " + f.typeString(r.typ), numberTypes}
	case *types.Struct:
		for k := range u.NumFields() {
			if isBlank(u.Field(k)) {
				p.list = append(p.list, blank)
			} else {
				p.list = append(p.list, whole.part(k).load())
			}
		}
	case *types.Array:
		for k := range int(u.Len()) {
			p.list = append(p.list, whole.part(k).load())
		}
	}
	return p
}

// storeRecord stores a part of an element.
func (f *frame) storeRecord(r record, t tree) {
	f.at = r.at
	if typ, ok := elemType(r.typ); ok {
		n := f.numberOf(t, nil)
		if n.product != token.NoPos {
			f.products[typ.Value()] = n.product
		}
		mem, index := f.numberIn(r)
		f.storeOwn(mem, index, n.v)
		return
	}
	switch r.typ.Underlying().(type) {
	case *types.Struct, *types.Array:
	case *types.Basic: // a complex number
	default:
		f.refuse(r.at, "store numbers", "a kernel stores a %s to memory", f.typeString(r.typ))
	}
	f.fewNumbers(r)
	whole := f.inRecord(r)
	for k, part := range f.partsOf(t).list {
		if part != blank { // of the type
			whole.part(k).store(part)
		}
	}
}

// fewNumbers refuses elements that are too large to be values.
func (f *frame) fewNumbers(r record) {
	if n := len(numbersOf(r.typ)); n > maxNumbers {
		f.refuse(r.at, "use its fields", "a kernel copies a %s of %d numbers, expected at most %d", f.typeString(r.typ), n, maxNumbers)
	}
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

// An owned is a variable that is such an array.
type owned struct{ record }

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
		f.loadsOwn(mem)
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
			f.inMemory(s, func(mem int) { f.storeOwn(mem, at, n.v) })
		},
	}
}
