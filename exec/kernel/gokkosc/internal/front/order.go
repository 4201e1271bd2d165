package front

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Go leaves open whether a statement takes the value of a variable before or behind a call that changes the
// variable. The compiler refuses such a statement.

// beginStmt begins a statement, or the part of a statement that runs next.
func (f *frame) beginStmt() {
	f.read, f.changed, f.earlier, f.ofOwn = nil, nil, f.touched, ownOrder{}
}

// An ownOrder records the loads and changes of the item's own arrays, by the numbers of their memories.
type ownOrder struct {
	loaded  []int // by the statement itself
	changed []int // by calls of the statement
}

// loadsOwn notes that the statement has loaded an element of a memory, if the memory is the item's own.
func (f *frame) loadsOwn(mem int) {
	if f.k.Mems[mem].Local == 0 {
		return
	}
	if slices.Contains(f.ofOwn.changed, mem) {
		f.orderRefused(f.k.Mems[mem], f.at)
	}
	f.ofOwn.loaded = append(f.ofOwn.loaded, mem)
}

// A callStart is the state before the body of a call.
type callStart struct {
	mark   int // length of the log
	own    ownOrder
	stored []int // memories of the item's own to which the call around it has stored
}

func (f *frame) beginCall() callStart {
	start := callStart{len(f.log), f.ofOwn, f.stored}
	f.ofOwn, f.stored = ownOrder{}, nil
	return start
}

// reads notes that the statement has taken the value of a variable.
func (f *frame) reads(key any, at token.Pos) {
	if key == nil {
		return
	}
	if f.changed[key] {
		f.orderRefused(key, at)
	}
	if f.read == nil {
		f.read = map[any]bool{}
	}
	f.read[key] = true
}

// changes notes that a call of the statement has changed a variable.
func (f *frame) changes(key any, at token.Pos) {
	if f.read[key] {
		f.orderRefused(key, at)
	}
	if f.changed == nil {
		f.changed = map[any]bool{}
	}
	f.changed[key] = true
}

// changedBy notes which earlier variables, and which of the item's own arrays, a call has changed.
func (f *frame) changedBy(start callStart, at token.Pos) {
	before := f.since(start.mark)
	for _, key := range f.sorted(maps.Keys(before)) {
		if now, ok := f.vars[key]; ok && before[key].there && !sameValues(leaves(before[key].was), leaves(now)) {
			f.changes(key, at)
		}
	}
	stored := f.stored
	f.ofOwn, f.stored = start.own, start.stored
	for _, mem := range stored {
		if slices.Contains(f.ofOwn.loaded, mem) {
			f.orderRefused(f.k.Mems[mem], at)
		}
		f.ofOwn.changed = append(f.ofOwn.changed, mem)
		f.storesTo(mem)
	}
}

// storesTo notes a store to a memory of the item's own.
func (f *frame) storesTo(mem int) {
	if f.k.Mems[mem].Local > 0 && !slices.Contains(f.stored, mem) {
		f.stored = append(f.stored, mem)
	}
}

func (f *frame) orderRefused(key any, at token.Pos) {
	name := "a variable"
	switch v := key.(type) {
	case *types.Var:
		name = v.Name()
	case ir.Mem:
		if name = v.Name; name == madeName {
			name = "a slice"
		}
	}
	f.refuse(at, "call it in a statement of its own", "a call changes %s in an expression that has it, too", name)
}

// orderOfAtomics refuses an atomic operation if its statement may have loaded the same element, because Go
// leaves their order open. The argument start has the numbers of operations at the start of the call.
func (f *frame) orderOfAtomics(t ir.Type, start accesses) {
	if start.loads[t] != f.earlier.loads[t] {
		f.refuseOrder()
	}
	f.touched.atomics[t]++
}

// orderOfLoads is orderOfAtomics for a load.
func (f *frame) orderOfLoads(t ir.Type) {
	if f.touched.atomics[t] != f.earlier.atomics[t] {
		f.refuseOrder()
	}
	f.touched.loads[t]++
}

// orderOfCall is orderOfLoads for a call that was lowered since the counts were those given.
func (f *frame) orderOfCall(start accesses, at token.Pos) {
	for t, n := range start.atomics {
		if n != f.earlier.atomics[t] && f.touched.loads[t] != start.loads[t] {
			f.at = at
			f.refuseOrder()
		}
	}
}

func (f *frame) refuseOrder() {
	f.refuse(f.at, "call it in a statement of its own", "an expression loads elements, and has an atomic operation on elements of their type")
}
