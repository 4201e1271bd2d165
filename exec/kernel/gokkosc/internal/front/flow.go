package front

import (
	"go/types"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A flag is a variable that the source does not have: whether the function has returned, say.
type flag struct{ name string }

// An exit is a statement that break or continue leaves.
type exit struct {
	label     string
	brk, cont *flag // cont is nil of a switch
}

// A flow describes how control leaves statements: at their end, or by jumps. A jump sets its flag.
type flow struct {
	next  bool
	jumps []*flag
}

var onward = flow{next: true}

func (a flow) or(b flow) flow {
	out := flow{a.next || b.next, slices.Clone(a.jumps)}
	for _, f := range b.jumps {
		if !slices.Contains(out.jumps, f) {
			out.jumps = append(out.jumps, f)
		}
	}
	return out
}

// without returns the flow behind a statement that a jump leads to the end of.
func (a flow) without(f *flag) flow {
	out := flow{a.next, nil}
	for _, j := range a.jumps {
		if j == f {
			out.next = true
		} else {
			out.jumps = append(out.jumps, j)
		}
	}
	return out
}

// A place is what can be assigned to.
type place struct {
	load  func() tree
	store func(t tree)

	typ    types.Type               // of a record
	record bool                     // the place is a part of an element of a slice of structs; loads and stores go by parts
	part   func(k int) *place       // of a record
	elem   func(i *ir.Value) *place // of a record that is an array, at an index that was checked
}
