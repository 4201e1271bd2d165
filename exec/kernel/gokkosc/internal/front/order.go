package front

import (
	"go/token"
	"go/types"
)

// Go leaves open whether a statement takes the value of a variable before or behind a call that changes the variable. Such a
// statement is refused.

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

// changedBy notes what a call has changed of the variables that were there before.
func (f *frame) changedBy(before map[any]tree, at token.Pos) {
	for _, key := range f.sorted(before) {
		if now, ok := f.vars[key]; ok && !sameValues(leaves(before[key]), leaves(now)) {
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
