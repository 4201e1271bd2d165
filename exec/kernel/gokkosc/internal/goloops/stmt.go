package goloops

import (
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// block writes the values of a block.
func (w *writer) block(b *ir.Block) {
	w.plan(b)
	undo := len(w.undo)
	for _, v := range b.Values {
		w.value(v, b)
	}
	w.undo = w.undo[:undo]
}

// value writes the statement that computes a value, unless the user of the value contains its expression.
func (w *writer) value(v *ir.Value, b *ir.Block) {
	switch v.Op {
	case ir.Const:
		if w.forced[v] {
			w.declare(v, w.constant(v, true))
		}
	case ir.Uniform:
		w.uniform(v)
	case ir.Item, ir.Result: // named by their owners
	case ir.Select:
		w.selection(v)
	case ir.Store:
		w.store(v)
	case ir.Check:
		w.check(v)
	case ir.Call:
		w.callOf(v, b)
	case ir.Atomic:
		w.atomic(v)
	case ir.Combine:
		w.combine(v)
	case ir.If:
		w.branch(v, b)
	case ir.Loop:
		w.loop(v, b)
	default:
		if !w.inline[v] {
			w.declare(v, w.expr(v))
		}
	}
}

// uniform names a part of a parameter. The length of a slice is written where it is used.
func (w *writer) uniform(v *ir.Value) {
	s := w.k.Scalars[v.Index]
	text := w.scalar(s)
	if strings.HasPrefix(text, "len(") || strings.HasPrefix(text, "cap(") {
		w.text[v] = text
		return
	}
	w.text[v] = w.names.free(pathName(w.k, s.Param, s.Path))
	w.line("%s := %s", w.text[v], text)
}

func (w *writer) selection(v *ir.Value) {
	w.declare(v, w.typed(v.Args[2]))
	w.line("if %s {\n%s = %s\n}", w.bare(v.Args[0]), w.text[v], w.bare(v.Args[1]))
}

func (w *writer) store(v *ir.Value) {
	m := w.k.Mems[v.Index]
	w.keep(v)
	x := v.Args[1]
	if op, ok := binary[x.Op]; ok && w.inline[x] && (x.Op == ir.Add || x.Op == ir.Sub) && m.GoElem == m.Elem.Value().Go() {
		if l := x.Args[0]; l.Op == ir.Load && w.inline[l] && l.Index == v.Index && w.element(l) == w.element(v) {
			w.line("%s %s= %s", w.element(v), op, w.bare(x.Args[1]))
			return
		}
	}
	w.line("%s = %s", w.element(v), w.elem(m, x))
}

func (w *writer) check(v *ir.Value) {
	x, y := v.Args[0], v.Args[1]
	never := x.Op == ir.Const && y.Op == ir.Const && w.text[x] == "" && w.text[y] == ""
	if never { // conditions that hold are removed
		w.line("if true { // panics")
	} else {
		w.line("if %s >= %s {", w.unsigned(x), w.unsigned(y))
	}
	w.stopHere()
}

// stopHere writes how an item stops, and ends the branch.
func (w *writer) stopHere() {
	for _, u := range slices.Backward(w.undo) {
		w.line("%s", u)
	}
	w.line("%s\n}", w.stop)
}

// results returns the results of a value, in the block that has both.
func results(b *ir.Block, of *ir.Value) (out []*ir.Value) {
	for _, v := range b.Values {
		if v.Op == ir.Result && v.Args[0] == of {
			out = append(out, v)
		}
	}
	return out
}

func (w *writer) branch(v *ir.Value, b *ir.Block) {
	rs := results(b, v)
	short := len(v.Else().Values) == 0
	for _, r := range rs {
		if short {
			w.declare(r, w.typed(v.Else().Yield[r.Index]))
		} else {
			name := w.names.free(r.Name)
			w.text[r] = name
			w.line("var %s %s", name, r.Type.Go())
		}
	}
	defer w.keptBehind(v)
	set := func(b *ir.Block) {
		w.block(b)
		for _, r := range rs {
			w.line("%s = %s", w.text[r], w.bare(b.Yield[r.Index]))
		}
	}
	cond := w.bare(v.Args[0])
	switch {
	case short:
		w.line("if %s {", cond)
		set(v.Then())
	case len(v.Then().Values) == 0 && len(rs) == 0:
		w.line("if %s {", w.not(v.Args[0]))
		set(v.Else())
	default:
		w.line("if %s {", cond)
		set(v.Then())
		w.line("} else {")
		set(v.Else())
	}
	w.line("}")
}

// not returns the negation of a truth value.
func (w *writer) not(v *ir.Value) string {
	if v.Op == ir.Not && w.inline[v] && w.text[v] == "" {
		return w.bare(v.Args[0])
	}
	return "!" + w.use(v)
}

// findForced finds constants that have to be variables.
func (w *writer) findForced() {
	note := func(v *ir.Value) {
		for n, a := range v.Args {
			switch {
			case a.Op != ir.Const:
			case v.Op == ir.Store && n == 1:
				w.forced[a] = w.forced[a] || needsVariable(a, v, &w.k.Mems[v.Index])
			case v.Op.Accesses() && n == 0: // an index that is out of range would not compile
				w.forced[a] = w.forced[a] || a.Int() < 0 || w.k.Mems[v.Index].Array || w.k.Mems[v.Index].Local > 0
			default:
				w.forced[a] = w.forced[a] || needsVariable(a, v, nil)
			}
		}
	}
	w.k.Setup.Walk(note)
	w.k.Body.Walk(note)
}

// anyCheck returns the first check in the blocks of a value, or nil.
func anyCheck(v *ir.Value) (check *ir.Value) {
	for _, b := range v.Blocks {
		b.Walk(func(v *ir.Value) {
			if check == nil && v.Op == ir.Check {
				check = v
			}
		})
	}
	return check
}
