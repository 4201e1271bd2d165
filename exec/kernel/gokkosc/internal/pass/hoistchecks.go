package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// HoistChecks moves checks in front of the stores of their block, together with their operands, unless an operand loads an
// element that the block stores. An item that stops has nothing to restore then.
func HoistChecks(k *ir.Kernel) { hoistChecks(k, k.Body) }

func hoistChecks(k *ir.Kernel, b *ir.Block) {
	for _, v := range b.Values {
		for _, inner := range v.Blocks {
			hoistChecks(k, inner)
		}
	}
	first := -1
	for n, v := range b.Values {
		if first < 0 && stores(v) {
			first = n
		}
	}
	if first < 0 {
		return
	}
	e := &mover{own: map[*ir.Value]int{}, moved: map[*ir.Value]bool{}}
	for n, v := range b.Values {
		e.own[v] = n
	}
	for n := first; n < len(b.Values); n++ {
		v := b.Values[n]
		if v.Op == ir.Check {
			e.changes = changesOf(k, b.Values[first:n]...)
			if e.can(v, first) {
				e.take(v, first)
			} else {
				e.stuck = true
			}
		}
	}
	if len(e.order) == 0 {
		return
	}
	out := append([]*ir.Value{}, b.Values[:first]...)
	out = append(out, e.order...)
	for _, v := range b.Values[first:] {
		if !e.moved[v] {
			out = append(out, v)
		}
	}
	b.Values = out
}

func stores(v *ir.Value) bool { return stored(v) != [ir.Bool + 1]bool{} }

// A mover moves values of a block before its first store.
type mover struct {
	own     map[*ir.Value]int // places in the block
	changes changes           // of memories before the check
	moved   map[*ir.Value]bool
	order   []*ir.Value
	stuck   bool // a check stays in place: loads behind it may depend on it
}

// can reports whether a value can be computed before the first store. Indices of its loads must have been checked by
// then.
func (e *mover) can(v *ir.Value, first int) bool {
	n, ok := e.own[v]
	if !ok || n < first || e.moved[v] {
		return true
	}
	if !v.Op.Pure() && v.Op != ir.Check && !(v.Op == ir.Load && !e.changes.of(v.Index) && !e.stuck) {
		return false
	}
	for _, a := range v.Args {
		if !e.can(a, first) {
			return false
		}
	}
	return true
}

// take moves a value, after the values that it depends on.
func (e *mover) take(v *ir.Value, first int) {
	n, ok := e.own[v]
	if !ok || n < first || e.moved[v] {
		return
	}
	for _, a := range v.Args {
		e.take(a, first)
	}
	e.moved[v] = true
	e.order = append(e.order, v)
}
