package front

import (
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Slices and pointers that are elements of memory, or parts of elements, are loaded where an item needs them.
// Such pointers access all of memory as one slice; the index is computed from the address.

// A far is a pointer that was loaded from memory.
type far struct {
	addr *ir.Value
	elem types.Type
}

func (p far) leaves() []*ir.Value { return []*ir.Value{p.addr} }

func (p far) with(take func() *ir.Value) tree { return far{take(), p.elem} }

// An address points to an element: it is a slice of that element alone.
type address struct{ of *slice }

func (a address) leaves() []*ir.Value { return a.of.leaves() }

func (a address) with(take func() *ir.Value) tree { return address{a.of.with(take).(*slice)} }

func (a address) differs(k *ir.Kernel, other tree) (says, help string) {
	if b, ok := other.(address); ok && !sameMemories(a.of, b.of) {
		return oneOf("the address of an element", a.of.memoriesIn(k), b.of.memoriesIn(k))
	}
	return "", ""
}

// A pointer is a pointer that is a part of a parameter. All items share the value behind the pointer: they
// load it, and nothing stores to it.
type pointer struct {
	param int
	path  []ir.Step
	elem  types.Type
	to    tree // nil until it is asked for
}

func (p *pointer) differs(k *ir.Kernel, other tree) (says, help string) {
	if q, ok := other.(*pointer); ok && p != q {
		return oneOf("a pointer", k.PathString(p.param, p.path), k.PathString(q.param, q.path))
	}
	return "", ""
}

func (a accumulator) differs(k *ir.Kernel, other tree) (says, help string) {
	if b, ok := other.(accumulator); ok && a != b {
		return oneOf("a pointer", k.Lanes[a.n].Name, k.Lanes[b.n].Name)
	}
	return "", ""
}
