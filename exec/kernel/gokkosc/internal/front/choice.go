package front

import (
	"go/ast"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// An element of an array at an index that is not known is chosen between all elements: numbers by selects.
// Slices and views keep their memories, with the conditions under which an element is in each; loads and
// stores ask for these.

// chosen returns the element of an array at an index that is not known, and in range.
func (f *frame) chosen(p *parts, i number) tree {
	for _, t := range p.list {
		made(t)
	}
	out := p.list[len(p.list)-1]
	for k := len(p.list) - 2; k >= 0; k-- {
		out = f.selected(f.at1(i, k), p.list[k], out)
	}
	return out
}

// made makes the slices of a tree, in order.
func made(t tree) {
	switch t := t.(type) {
	case *lazySlice:
		t.get()
	case *array:
		made(t.parts)
	case *parts:
		for _, p := range t.list {
			made(p)
		}
	}
}

// replaced returns an array with another element at an index that is not known.
func (f *frame) replaced(p *parts, i number, t tree) *parts {
	list := make([]tree, len(p.list))
	for k := range list {
		list[k] = f.selected(f.at1(i, k), t, p.list[k])
	}
	return &parts{p.typ, list}
}

// inArray asks whether an index is one of an array.
func (f *frame) inArray(p *parts, i number, x ast.Expr) {
	if len(p.list) > maxChosen || len(p.list) == 0 {
		f.refuse(x.Pos(), "use constants, or one slice and offsets in it", "a %s is indexed by a variable, expected an array of 1 to %d elements",
			f.typeString(p.typ), maxChosen)
	}
	f.emit(ir.Check, ir.None, i.v, f.integer(len(p.list)))
}

func (f *frame) at1(i number, k int) *ir.Value { return f.emit(ir.Eq, ir.Bool, i.v, f.integer(k)) }

// selected returns x where c holds, and y elsewhere.
func (f *frame) selected(c *ir.Value, x, y tree) tree {
	_, xNil := x.(null)
	_, yNil := y.(null)
	switch {
	case xNil && yNil:
		return x
	case xNil || yNil:
		f.refuse(f.at, "use a slice of length 0", "an element of an array that a variable indexes is nil")
	}
	switch x := x.(type) {
	case *slice, *lazySlice:
		return f.selectedSlice(c, f.sliceOf(x, nil), f.sliceOf(y, nil))
	case shape:
		return selectedShape(f, c, x, y.(shape))
	case *table:
		if y, ok := y.(*table); ok && x.of == y.of && types.Identical(x.typ, y.typ) {
			return &table{x.of, x.typ, f.selectedNumber(c, x.off, y.off)}
		}
		return f.selected(c, f.ofTable(x), y)
	case *parts, *array:
		xs, ys := f.partsOf(x), f.partsOf(y)
		out := &parts{typ: xs.typ}
		for k := range xs.list {
			out.list = append(out.list, f.selected(c, xs.list[k], ys.list[k]))
		}
		return out
	case far:
		if y, ok := y.(far); ok {
			return far{f.selectedNumber(c, x.addr, y.addr), x.elem}
		}
	case number:
		y := y.(number)
		product := f.products2(x, y).(number).product
		return number{f.selectedNumber(c, x.v, y.v), product}
	case bad:
		return x
	}
	f.refuse(f.at, "use constants", "elements of an array differ in form")
	return nil
}

func (f *frame) selectedNumber(c, x, y *ir.Value) *ir.Value {
	if x == y {
		return x
	}
	if x == nil {
		x = f.integer(0)
	}
	if y == nil {
		y = f.integer(0)
	}
	return f.emit(ir.Select, x.Type, c, x, y)
}

// selectedSlice is selected of slices, which may be of different memories.
func (f *frame) selectedSlice(c *ir.Value, x, y *slice) *slice {
	if x == y {
		return x
	}
	out := &slice{mem: y.mem, off: f.selectedNumber(c, x.off, y.off), len: f.selectedNumber(c, x.len, y.len), cap: f.selectedNumber(c, x.cap, y.cap), flat: y.flat}
	if x.base != nil && y.base != nil {
		out.base = f.selectedNumber(c, x.base, y.base)
	}
	if x.flat != y.flat || (x.base == nil) != (y.base == nil) {
		f.refuse(f.at, "choose between elements instead", "a slice of structs may be one of several")
	}
	if len(x.among) == 0 && len(y.among) == 0 && x.mem == y.mem {
		return out
	}
	for _, m := range x.among {
		out.among = append(out.among, memoryIf{f.emit(ir.And, ir.Bool, c, m.when), m.mem})
	}
	out.among = append(append(out.among, memoryIf{c, x.mem}), y.among...)
	f.fewMemories(len(out.among))
	return out
}

// selectedShape is selected of the shapes of views.
func selectedShape(f *frame, c *ir.Value, x, y shape) shape {
	if len(x.among) == 0 && len(y.among) == 0 && sameShapes(x, y) {
		return x
	}
	out := shape{y.param, y.rank, y.path, nil}
	for _, s := range x.among {
		out.among = append(out.among, shapeIf{f.emit(ir.And, ir.Bool, c, s.when), s.param, s.path})
	}
	out.among = append(append(out.among, shapeIf{c, x.param, x.path}), y.among...)
	f.fewMemories(len(out.among))
	return out
}

// fewMemories refuses a slice or a view that may be of more memories than a choice between all elements of an
// array has.
func (f *frame) fewMemories(n int) {
	if n > maxChosen {
		f.refuse(f.at, "swap numbers that say which one", "a slice or a view may be of more than %d memories", maxChosen)
	}
}
