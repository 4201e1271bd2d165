package goloops

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"
)

// A kept is what a store has overwritten, behind which the item may stop: an item that stops has stored
// nothing.
type kept struct {
	store *ir.Value
	// Of a store in a branch behind which the item may stop: variables of the item say whether it
	// has stored, where, and what was there.
	outer         bool
	done, at, old string
}

// findJournal finds stores behind which an item may stop. Those in a loop whose other rounds, or what is
// behind it, may stop are refused: they may have stored any number of times.
func (w *writer) findJournal(b *ir.Block, later, round bool) (stops bool) {
	for _, v := range slices.Backward(b.Values) {
		switch v.Op {
		case ir.Check:
			stops = true
		case ir.Store:
			if round {
				w.refuse(v.Pos, "this stores in a loop, and an index in the loop or behind it may be out of range: what was overwritten is not known then; compute the sum in a variable and store it behind the loop, or use an index that counts up with the loop")
			}
			if later || stops {
				w.journal[v] = &kept{store: v, outer: later}
			}
		case ir.If:
			x := w.findJournal(v.Then(), later || stops, round)
			y := w.findJournal(v.Else(), later || stops, round)
			stops = stops || x || y
		case ir.Loop:
			inner := hasCheck(v)
			w.findJournal(v.Head(), later || stops, round || inner || later || stops)
			w.findJournal(v.LoopBody(), later || stops, round || inner || later || stops)
			stops = stops || inner
		}
	}
	return stops
}

// declareKept declares, at the beginning of an item, the variables of stores in branches.
func (w *writer) declareKept() {
	w.k.Body.Walk(func(v *ir.Value) {
		k := w.journal[v]
		if k == nil || !k.outer {
			return
		}
		k.done, k.old = w.names.free("stored"), w.names.free("old")
		w.line("%s := false\nvar %s %s", k.done, k.old, w.k.Mems[v.Index].GoElem)
		if w.window[v] == "" {
			k.at = w.names.free("at")
			w.line("%s := 0", k.at)
		}
	})
}

// keep keeps what a store overwrites.
func (w *writer) keep(v *ir.Value) {
	k := w.journal[v]
	if k == nil {
		return
	}
	if x := v.Args[0]; w.window[v] == "" && w.text[x] == "" && x.Op != ir.Const {
		w.declare(x, w.expr(x))
	}
	if k.outer {
		w.line("%s, %s = true, %s", k.done, k.old, w.element(v))
		if k.at != "" {
			w.line("%s = %s", k.at, w.bare(v.Args[0]))
		}
	} else {
		k.old = w.names.free("old")
		w.line("%s := %s", k.old, w.element(v))
	}
	w.undo = append(w.undo, fmt.Sprintf("%s = %s", w.element(v), k.old))
}

// keptBehind makes what restores the stores of a branch known behind it.
func (w *writer) keptBehind(branch *ir.Value) {
	for _, b := range branch.Blocks {
		b.Walk(func(v *ir.Value) {
			k := w.journal[v]
			if k == nil || !k.outer {
				return
			}
			element := w.window[v]
			if k.at != "" {
				element = fmt.Sprintf("%s[%s]", w.mems[v.Index], k.at)
			}
			w.undo = append(w.undo, fmt.Sprintf("if %s {\n%s = %s\n}", k.done, element, k.old))
		})
	}
}
