package front

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// addressOf lowers &x[i] of a slice of numbers.
func (f *frame) addressOf(x *ast.UnaryExpr) (address, bool) {
	e, ok := ast.Unparen(x.X).(*ast.IndexExpr)
	if !ok {
		return address{}, false
	}
	t, ok := f.typeOf(e.X).Underlying().(*types.Slice)
	if !ok {
		return address{}, false
	}
	if _, ok := elemType(f.subst(t.Elem())); !ok {
		return address{}, false
	}
	s := f.sliceOf(f.expr(e.X), e.X)
	i := f.indexOf(e.Index)
	f.at = e.Index.Pos()
	f.emit(ir.Check, ir.None, i, s.len)
	one := f.integer(1)
	return address{&slice{mem: s.mem, off: f.offset(s, i), len: one, cap: one, among: s.among, base: s.base}}, true
}

// An atomicForm is how a function does an atomic operation.
type atomicForm struct {
	does  string // Func of an Atomic
	now   bool   // the function returns the element's new value
	minus bool   // the operation negates its argument
	none  bool   // the function returns nothing
}

// atomicForms are functions of package atomics.
var atomicForms = map[string]atomicForm{
	"Load": {does: "load"}, "Store": {does: "exchange", none: true}, "Exchange": {does: "exchange"}, "CompareExchange": {does: "compareexchange"},
	"Add": {does: "add", now: true}, "FetchAdd": {does: "add"}, "Sub": {does: "add", now: true, minus: true}, "FetchSub": {does: "add", minus: true},
	"Mul": {does: "mul", now: true}, "FetchMul": {does: "mul"}, "Min": {does: "min", now: true}, "FetchMin": {does: "min"},
	"Max": {does: "max", now: true}, "FetchMax": {does: "max"}, "And": {does: "and", now: true}, "FetchAnd": {does: "and"},
	"Or": {does: "or", now: true}, "FetchOr": {does: "or"}, "Xor": {does: "xor", now: true}, "FetchXor": {does: "xor"},
}

// wordForms are functions of package sync/atomic, without the type at the end of their names.
var wordForms = map[string]atomicForm{
	"Load": {does: "load"}, "Store": {does: "exchange", none: true}, "Swap": {does: "exchange"}, "CompareAndSwap": {does: "compareexchange"},
	"Add": {does: "add", now: true}, "And": {does: "and"}, "Or": {does: "or"},
}

// atomic lowers a function of package atomics, or of sync/atomic, on an element.
func (f *frame) atomic(o *types.Func, x *ast.CallExpr) (tree, bool) {
	if o.Pkg() == nil || o.Signature().Recv() != nil {
		return nil, false
	}
	var form atomicForm
	ok, words := false, o.Pkg().Path() == "sync/atomic"
	switch {
	case words:
		name := strings.TrimRight(o.Name(), "0123456789")
		for _, t := range []string{"Uintptr", "Uint", "Int", "Pointer"} {
			if short, found := strings.CutSuffix(name, t); found {
				name = short
				break
			}
		}
		form, ok = wordForms[name]
	case o.Pkg().Path() == atomicsPath:
		form, ok = atomicForms[o.Name()]
	}
	if !ok {
		return nil, false
	}
	start := f.touched
	p, isElement := f.expr(x.Args[0]).(address)
	if !isElement {
		f.refuse(x.Args[0].Pos(), "do it on an element of a slice or a view", "the kernel calls %s on what is no element", fullName(o))
	}
	return f.atomically(form, p, x, words, start), true
}

// atomically lowers an atomic operation.
func (f *frame) atomically(form atomicForm, p address, x *ast.CallExpr, words bool, start accesses) tree {
	t := f.typeOf(x.Args[0]).Underlying().(*types.Pointer).Elem()
	typ, unsigned, _ := numberType(t)
	if elem, _ := elemType(t); elem.IsNarrow() {
		f.refuse(x.Args[0].Pos(), "use elements of 4 or 8 bytes", "the kernel has atomic operations on elements of type %s, which take a lock", f.typeString(t))
	}
	if len(p.of.among) > 0 {
		f.refuse(x.Args[0].Pos(), "choose between operations instead", "the kernel has an atomic operation on %s", f.k.Mems[p.of.mem].Name+" or another memory")
	}
	args := []*ir.Value{p.of.off}
	for _, a := range x.Args[1:] {
		v := f.numberOf(f.expr(a), a).v
		if f.at = a.Pos(); form.minus {
			v = f.emit(ir.Neg, typ, v)
		}
		args = append(args, v)
	}
	f.at = x.Pos()
	f.orderOfAtomics(typ, start)
	was := f.emit(ir.Atomic, typ, args...)
	was.Func, was.Index, was.Unsigned = form.does, p.of.mem, unsigned && (form.does == "min" || form.does == "max")
	if form.does != "load" {
		f.storesTo(was.Index)
	}
	switch {
	case form.none:
		return &parts{}
	case form.now:
		now := f.emit(was.Becomes(), typ, was, args[1])
		now.Unsigned = was.Unsigned
		return number{v: now}
	case form.does != "compareexchange":
		return number{v: was}
	}
	swapped := number{v: f.sameBits(was, args[1])}
	if words {
		return swapped
	}
	return &parts{list: []tree{number{v: was}, swapped}}
}

// sameBits returns whether two numbers have the same bits.
func (f *frame) sameBits(x, y *ir.Value) *ir.Value {
	if x.Type.IsFloat() {
		t := map[ir.Type]ir.Type{ir.F64: ir.I64, ir.F32: ir.I32}[x.Type]
		x, y = f.emit(ir.Bits, t, x), f.emit(ir.Bits, t, y)
	}
	return f.emit(ir.Eq, ir.Bool, x, y)
}
