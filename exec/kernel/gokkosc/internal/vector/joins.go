package vector

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A leaf whose lanes are in registers is joined there, and one value of it is stored. The accumulator of the
// kernel must be one number, and items must join into it by the operation that joins the lanes. Only the
// launch knows the operation of a reducer: it asks for this join only if both operations are the same.

// joinNames are the names of operations in package concept.
var joinNames = map[ir.Op]concept.Op{
	ir.Add: concept.OpSum, ir.Mul: concept.OpProd, ir.Min: concept.OpMin, ir.Max: concept.OpMax,
	ir.And: concept.OpAnd, ir.Or: concept.OpOr, ir.Xor: concept.OpXor,
}

// joinOf returns the operation by which items are joined into the accumulator, or ir.Invalid if that is not known.
func (e *Emitter) joinOf() ir.Op {
	if len(e.k.Accs) != 1 || len(e.k.Lanes) != 1 {
		return ir.Invalid
	}
	if a := e.k.Accs[0]; len(a.Path) > 0 || a.Elem == ir.Bool || a.Elem.IsNarrow() { // not a part of a struct, whose sign is its own
		return ir.Invalid
	}
	op := opInto(e.k.Body.Params[0], e.k.Body.Yield[0])
	if op == ir.Sub {
		op = ir.Add
	}
	if joinNames[op] == "" {
		return ir.Invalid
	}
	return op
}

// opInto returns the operation that makes v of acc, also where only some items are joined.
func opInto(acc, v *ir.Value) ir.Op {
	switch {
	case v.Op == ir.Select:
		return chosenInto(acc, v.Args[0], v.Args[1], v.Args[2])
	case len(v.Args) != 2:
		return ir.Invalid
	case v.Args[0] == acc, opInto(acc, v.Args[0]) == v.Op:
		return v.Op
	case v.Op != ir.Sub && (v.Args[1] == acc || opInto(acc, v.Args[1]) == v.Op):
		return v.Op
	}
	return ir.Invalid
}

// chosenInto is opInto of a choice: of the lower or the higher, or of acc where an item joins nothing.
func chosenInto(acc, cond, x, y *ir.Value) ir.Op {
	compares := cond.Op == ir.Lt || cond.Op == ir.Le
	switch {
	case compares && (cond.Args[0] == x && cond.Args[1] == y) && (x == acc || y == acc):
		return ir.Min
	case compares && (cond.Args[0] == y && cond.Args[1] == x) && (x == acc || y == acc):
		return ir.Max
	case y == acc:
		return opInto(acc, x)
	case x == acc:
		return opInto(acc, y)
	}
	return ir.Invalid
}

// join writes the operation of two accumulators.
func (e *Emitter) join(op ir.Op, dst, src *asm.Reg) *asm.Reg {
	t := e.k.Accs[0].Elem
	v := Operation(op, t, t, 2)
	v.Unsigned = e.k.Lanes[0].Basic[0] == 'u'
	return e.Set.Pure(e, v, []*asm.Reg{dst, src})
}

// joinLanes writes the butterfly of the lanes of a leaf, and returns the register that has the last one in its first
// lane. Nothing reads the other lanes.
func (e *Emitter) joinLanes(op ir.Op, lanes int, accs [][]*asm.Reg) *asm.Reg {
	var all []*asm.Reg
	for _, a := range accs {
		all = append(all, a[0])
	}
	for h := len(all) / 2; h > 0; h /= 2 {
		for c := range h {
			all[c] = e.join(op, all[c], all[c+h])
		}
	}
	r := all[0]
	for n := min(lanes, e.Width); n > 1; n /= 2 {
		r = e.join(op, r, e.Set.Upper(e, e.k.Accs[0].Elem, n, r))
	}
	return r
}

// sumOrElse stores the sum of a leaf if the caller asks for sums, and else runs f.
func (e *Emitter) sumOrElse(lanes int, accs [][]*asm.Reg, sums *asm.Reg, f func()) {
	if sums == nil {
		f()
		return
	}
	store, next, size := e.Label(), e.Label(), e.k.Accs[0].Elem.Bytes()
	e.Branch(asm.R(sums), Equal, asm.Const(0), store)
	e.Set.StoreFirst(e, e.k.Accs[0].Elem, e.joinLanes(e.joins, lanes, accs), asm.At(sums, nil, 0, 0))
	e.Add(asm.Const(size), asm.R(sums))
	e.Goto(next)
	e.Mark(store)
	f()
	e.Mark(next)
}
