package goloops

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// atomic writes an operation of package sync/atomic on the word of an element. Without such an operation it
// writes a loop that compares and exchanges until no other item comes in between.
func (w *writer) atomic(v *ir.Value) {
	w.imports["unsafe"] = true
	var args []string
	for _, a := range v.Args[1:] {
		if w.text[a] == "" && a.Op != ir.Const {
			w.declare(a, w.expr(a))
		}
		s := w.typed(a)
		if a.Op == ir.Const && a.Type.IsInt() { // one below 0 would not compile
			s = w.unsigned(a)
		}
		args = append(args, w.word(a.Type, s))
	}
	bits := 8 * v.Type.Bytes()
	at := w.names.free("word")
	w.line("%s := (*uint%d)(unsafe.Pointer(&%s))", at, bits, w.elementAt(v.Index, w.bare(v.Args[0])))
	call := func(name string, args ...string) string {
		return fmt.Sprintf("kernelAtomic.%sUint%d(%s)", name, bits, strings.Join(append([]string{at}, args...), ", "))
	}
	is := func(s string) { // the value, if something uses it
		if w.uses[v] > 0 {
			w.declare(v, w.ofWord(v.Type, s))
		} else {
			w.line("%s", s)
		}
	}
	switch does := v.Becomes(); {
	case v.Func == "load":
		is(call("Load"))
	case v.Func == "exchange":
		is(call("Swap", args...))
	case v.Func == "compareexchange":
		w.compareExchange(v, call, args)
	case does == ir.Add && v.Type.IsInt() && w.uses[v] == 0:
		w.line("%s", call("Add", args...))
	case does == ir.Add && v.Type.IsInt():
		is(fmt.Sprintf("%s - %s", call("Add", args...), args[0]))
	case does == ir.And || does == ir.Or:
		is(call(map[ir.Op]string{ir.And: "And", ir.Or: "Or"}[does], args...))
	default:
		w.exchangeUntil(v, call)
	}
}

// exchangeUntil computes the new value of an element, until the element still has the value that this was
// computed of.
func (w *writer) exchangeUntil(v *ir.Value, call func(name string, args ...string) string) {
	was, is := w.names.free("was"), w.names.free("is")
	w.text[v] = w.names.free(v.Name)
	w.line("var %s %s\nfor {\n%s := %s\n%s = %s", w.text[v], v.Type.Go(), was, call("Load"), w.text[v], w.ofWord(v.Type, was))
	now := &ir.Value{Op: v.Becomes(), Type: v.Type, Unsigned: v.Unsigned, Args: []*ir.Value{v, v.Args[1]}}
	w.line("%s := %s", is, w.word(v.Type, w.expr(now)))
	same := ""
	if now.Op == ir.Min || now.Op == ir.Max {
		same = fmt.Sprintf("%s == %s || ", is, was)
	}
	w.line("if %s%s {\nbreak\n}\n}", same, call("CompareAndSwap", was, is))
}

// compareExchange sets an element to one value if it has another one, and else computes the value that it
// has.
func (w *writer) compareExchange(v *ir.Value, call func(name string, args ...string) string, args []string) {
	swap := call("CompareAndSwap", args...)
	if w.uses[v] == 0 {
		w.line("%s", swap)
		return
	}
	old, was := w.names.free("old"), w.names.free("was")
	w.line("%s := %s\n%s := %s", old, args[0], was, old)
	w.line("for !%s {\nif %s = %s; %s != %s {\nbreak\n}\n}", call("CompareAndSwap", old, args[1]), was, call("Load"), was, old)
	w.declare(v, w.ofWord(v.Type, was))
}

// word returns the bits of a value of some type.
func (w *writer) word(t ir.Type, s string) string {
	switch t {
	case ir.F64:
		w.imports["math"] = true
		return fmt.Sprintf("math.Float64bits(%s)", s)
	case ir.F32:
		w.imports["math"] = true
		return fmt.Sprintf("math.Float32bits(%s)", s)
	}
	return fmt.Sprintf("uint%d(%s)", 8*t.Bytes(), s)
}

// ofWord returns the value that has some bits.
func (w *writer) ofWord(t ir.Type, s string) string {
	switch t {
	case ir.F64:
		return fmt.Sprintf("math.Float64frombits(%s)", s)
	case ir.F32:
		return fmt.Sprintf("math.Float32frombits(%s)", s)
	}
	return fmt.Sprintf("%s(%s)", t.Go(), s)
}
