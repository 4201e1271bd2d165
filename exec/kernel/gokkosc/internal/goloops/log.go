package goloops

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A team that stops has stored nothing. If a store in a loop has checks behind it, the loop of a team keeps a log. An
// entry is the memory of a store, its index, and the bits before the store.

// loggedStores returns the stores of a kernel that are logged.
func loggedStores(k *ir.Kernel) map[*ir.Value]bool {
	w := &writer{k: k, journal: map[*ir.Value]*kept{}}
	w.findJournal(k.Body, nil, nil)
	w.logAll()
	logged := map[*ir.Value]bool{}
	if w.logs {
		for v := range w.journal {
			logged[v] = true
		}
	}
	return logged
}

// logAll refuses stores that cannot be logged beside others that are.
func (w *writer) logAll() {
	for v := range w.journal {
		if w.logs && !w.loggable(v) {
			w.refuse(v.Pos, "a team that may stop stores truth values, or behind pointers in memory")
		}
	}
}

// loggable reports whether the value that a store overwrites can be logged.
func (w *writer) loggable(v *ir.Value) bool {
	m := w.k.Mems[v.Index]
	return w.k.Team != ir.NoTeam && !m.Far && m.Elem != ir.Bool
}

// logOfTeam returns the field that keeps the memory of the log.
func (w *writer) logOfTeam() string { return "k." + w.k.Params[len(w.k.Params)-1].Name + ".Log" }

// declareLog declares the log, and a function that takes back the stores in it.
func (w *writer) declareLog() {
	w.noted, w.back = w.names.free("log"), w.names.free("back")
	n, at, old := w.names.free("n"), w.names.free("at"), w.names.free("was")
	w.line("%s := %s[:0]", w.noted, w.logOfTeam())
	w.line("%s := func() {\nfor %s := len(%s) - 3; %[2]s >= 0; %[2]s -= 3 {\nswitch %[4]s, %[5]s := %[3]s[%[2]s+1], %[3]s[%[2]s+2]; %[3]s[%[2]s] {", w.back, n, w.noted, at, old)
	done := map[int]bool{}
	w.k.Body.Walk(func(v *ir.Value) {
		if w.journal[v] == nil || done[v.Index] {
			return
		}
		done[v.Index] = true
		was := fmt.Sprintf("%s(%s)", w.k.Mems[v.Index].GoElem, old)
		if bits := bitsOf(w.k.Mems[v.Index].Elem); bits != "" {
			w.imports["math"] = true
			was = fmt.Sprintf("%s(math.%sfrombits(%s(%s)))", w.k.Mems[v.Index].GoElem, bits, map[string]string{"Float64": "uint64", "Float32": "uint32"}[bits], old)
		}
		w.line("case %d:\n%s[%s] = %s", v.Index, w.mems[v.Index], at, was)
	})
	w.line("}\n}\n%s = %s\n}", w.logOfTeam(), w.noted)
}

// bitsOf returns the type of floats in the names of package math, "" of integers.
func bitsOf(elem ir.Type) string {
	return map[ir.Type]string{ir.F64: "Float64", ir.F32: "Float32"}[elem]
}

// log notes the value that a store overwrites.
func (w *writer) log(v *ir.Value) {
	if x := v.Args[0]; w.text[x] == "" && x.Op != ir.Const {
		w.declare(x, w.expr(x))
	}
	m, was := w.k.Mems[v.Index], w.element(v)
	if bits := bitsOf(m.Elem); bits != "" {
		w.imports["math"] = true
		was = fmt.Sprintf("uint64(math.%sbits(%s(%s)))", bits, m.Elem.Go(), was)
	} else {
		was = fmt.Sprintf("uint64(%s)", was)
	}
	w.line("%s = append(%[1]s, %d, uint64(%s), %s)", w.noted, v.Index, w.bare(v.Args[0]), was)
}
