package front

import (
	"go/token"
	"go/types"
	"maps"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Go leaves open whether a statement takes the value of a variable before or behind a call that changes the
// variable. Such a statement is refused.

// beginStmt begins a statement, or what is run before another part of it.
func (f *frame) beginStmt() { f.read, f.changed, f.earlier = nil, nil, f.touched }

// reads notes that the statement has the value of a variable.
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

// changedBy notes what a call, at whose start the log had a length, has changed of the variables before it.
func (f *frame) changedBy(mark int, at token.Pos) {
	before := f.since(mark)
	for _, key := range f.sorted(maps.Keys(before)) {
		if now, ok := f.vars[key]; ok && before[key].there && !sameValues(leaves(before[key].was), leaves(now)) {
			f.changes(key, at)
		}
	}
}

func (f *frame) orderRefused(key any, at token.Pos) {
	name := "a variable"
	if v, ok := key.(*types.Var); ok {
		name = v.Name()
	}
	f.refuse(at, "call it in a statement of its own", "a call changes %s in an expression that has it, too", name)
}

// orderOfAtomics refuses an atomic operation in a statement that has loaded what may be the same element
// before the call, at whose start the numbers were those given: which comes first is the compiler's choice.
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
