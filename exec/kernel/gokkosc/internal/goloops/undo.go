package goloops

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A kept has the value that a store has overwritten, if the item may stop behind the store: an item that
// stops has stored nothing.
type kept struct {
	store *ir.Value
	// If a store is in a branch behind which the item may stop, variables of the item describe it. They say
	// whether it has stored, at which index, and which value was there.
	outer         bool
	done, at, old string
}

// findJournal finds stores behind which an item may stop, and returns a check of the block, or nil. Stores in
// a loop are refused if other rounds or the code behind the loop may stop, as the number of stores is
// unknown. later is a check behind the block, and round one that may come behind a store of an earlier round;
// or nil.
func (w *writer) findJournal(b *ir.Block, later, round *ir.Value) (check *ir.Value) {
	for _, v := range slices.Backward(b.Values) {
		switch v.Op {
		case ir.Check:
			check = v
		case ir.Store:
			if w.k.Mems[v.Index].Own {
				continue
			}
			if round != nil && w.loggable(v) {
				w.journal[v], w.logs = &kept{store: v}, true
				continue
			}
			if round != nil {
				w.refuse(v.Pos, "this stores in a loop, and %s in a later round or behind the loop, at line %d: what was overwritten is not known then; %s", round.Asked(), round.Pos.Line, instead(round))
			}
			if later != nil || check != nil {
				w.journal[v] = &kept{store: v, outer: later != nil}
			}
		case ir.Atomic:
			if c := either(round, either(check, later)); c != nil {
				w.refuse(v.Pos, "this is atomic, and %s behind it, at line %d: it cannot be undone then; %s", c.Asked(), c.Pos.Line, before(c))
			}
		case ir.Combine:
			if c := either(round, either(check, later)); c != nil {
				w.refuse(v.Pos, "this contributes to a scatter, and %s behind it, at line %d: it cannot be undone then; %s", c.Asked(), c.Pos.Line, before(c))
			}
		case ir.If:
			x := w.findJournal(v.Then(), either(check, later), round)
			y := w.findJournal(v.Else(), either(check, later), round)
			check = either(check, either(x, y))
		case ir.Loop:
			inner := anyCheck(v)
			behind := either(check, later)
			w.findJournal(v.Head(), behind, either(either(round, inner), behind))
			w.findJournal(v.LoopBody(), behind, either(either(round, inner), behind))
			check = either(check, inner)
		}
	}
	return check
}

func either(x, y *ir.Value) *ir.Value {
	if x != nil {
		return x
	}
	return y
}

// before returns advice for a check behind an atomic operation.
func before(check *ir.Value) string {
	if check.Asked() == "an index may be out of range" {
		return "compute with all elements in front of it, and use no index that it gives"
	}
	return "do that in front of it"
}

// instead returns advice for a check behind a store in a loop.
func instead(check *ir.Value) string {
	switch check.Asked() {
	case "the kernel may panic":
		return "store what is wrong and return, and panic behind the launch, or look for it in a loop in front of the one that stores"
	case "a divisor may be 0":
		return "divide in a loop in front of the one that stores, or by a constant; or compute the sum in a variable and store it behind the loop"
	}
	return "compute the sum in a variable and store it behind the loop, or use an index that counts up with the loop"
}

// declareKept declares, at the beginning of an item, the variables of stores in branches.
func (w *writer) declareKept() {
	w.k.Body.Walk(func(v *ir.Value) {
		k := w.journal[v]
		if k == nil || !k.outer || w.logs {
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

// keep keeps the value that a store overwrites.
func (w *writer) keep(v *ir.Value) {
	k := w.journal[v]
	if k == nil {
		return
	}
	if w.logs {
		w.log(v)
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

// keptBehind makes the code that restores the stores of a branch known behind it.
func (w *writer) keptBehind(branch *ir.Value) {
	for _, b := range branch.Blocks {
		b.Walk(func(v *ir.Value) {
			k := w.journal[v]
			if k == nil || !k.outer || w.logs {
				return
			}
			element := w.window[v]
			if k.at != "" {
				element = w.elementAt(v.Index, k.at)
			}
			w.undo = append(w.undo, fmt.Sprintf("if %s {\n%s = %s\n}", k.done, element, k.old))
		})
	}
}
