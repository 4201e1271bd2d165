package vector

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// Loops whose lanes leave one by one may store. Two things are to be seen to then.
//
// A store of a vector is never undone, so the vector cannot leave the call any more. It may leave only if its
// items may be run again from their start: they load nothing that they store. Memories that may overlap are
// compared when the kernel runs. If items may not be run again, a loop that counts takes fuel for all its
// rounds in front of the first one.
//
// Lanes are in the same round at the same time, where items would be run one after the other. The stored
// values are the same if each lane has elements of its own. An index that is linear in the item shows that.
// So does a loop that counts, if the first element that a lane stores to lies behind the last element of the
// lane before. Other vectors are left to the other loop.

// A laneStore is how a loop whose lanes leave it one by one stores.
type laneStore struct {
	loop  *ir.Value
	count pass.Count
	ahead bool  // fuel is taken for all rounds at once
	asked []int // memories whose elements are compared in front of the loop
}

// laneStores returns the way in which a loop stores, or nil if it stores nothing. laneStores refuses stores
// that vectors cannot undo.
func (e *Emitter) laneStores(v *ir.Value) *laneStore {
	if !stores(v) {
		if e.stored {
			e.runAgain(v)
		}
		return nil
	}
	e.refuseLateChecks(v)
	c, counts := pass.CountOf(v)
	counts = counts && !c.Unsigned && c.Index.Type == ir.I64
	s := &laneStore{loop: v, count: c}
	first := e.loop == nil && e.lanesLeave == 0 && !e.stored // nothing has been stored in front of its first round
	if s.ahead = !e.again() && first && counts && !hasLoop(v); !s.ahead {
		e.runAgain(v)
	}
	for _, mem := range storedIn(v) {
		for other := range e.k.Mems {
			if len(e.storesTo(other)) > 0 {
				e.keepSeparate(mem, other)
			}
		}
		if e.ownElements(mem) {
			continue
		}
		for _, x := range e.storesTo(mem) {
			if !first || !e.ofItemOnly(x.Args[0]) && !(counts && contains(v, x) && e.linearIn(s, x.Args[0])) {
				e.Refuse(x, "a loop whose number of rounds is not known before the items stores here, and lanes might store to the same element: let the index be linear in the item, or in the counter of a loop from a first to a last number")
			}
		}
		s.asked = append(s.asked, mem)
	}
	if !counts {
		s.count = pass.Count{}
	}
	return s
}

// hasLoop reports whether there is a loop in a loop.
func hasLoop(loop *ir.Value) (has bool) {
	for _, b := range loop.Blocks {
		b.Walk(func(v *ir.Value) { has = has || v.Op == ir.Loop })
	}
	return has
}

// contains reports whether a value is computed in the blocks of a loop, or is a parameter of such a block.
func contains(loop, v *ir.Value) (is bool) {
	in := func(w *ir.Value) {
		for _, b := range w.Blocks {
			is = is || slices.Contains(b.Params, v)
		}
	}
	in(loop)
	for _, b := range loop.Blocks {
		b.Walk(func(w *ir.Value) {
			is = is || w == v
			in(w)
		})
	}
	return is
}

// storedIn returns the memories that a loop stores to.
func storedIn(loop *ir.Value) (mems []int) {
	for _, b := range loop.Blocks {
		b.Walk(func(v *ir.Value) {
			if v.Op == ir.Store && !slices.Contains(mems, v.Index) {
				mems = append(mems, v.Index)
			}
		})
	}
	return mems
}

// storesTo returns the stores to a memory.
func (e *Emitter) storesTo(mem int) (all []*ir.Value) {
	e.k.Body.Walk(func(v *ir.Value) {
		if v.Op == ir.Store && v.Index == mem {
			all = append(all, v)
		}
	})
	return all
}

// again reports whether items may be run again from their start: nothing is loaded from memory that they store to.
func (e *Emitter) again() bool {
	may := true
	e.k.Body.Walk(func(v *ir.Value) { may = may && (v.Op != ir.Load || len(e.storesTo(v.Index)) == 0) })
	return may
}

// runAgain refuses a loop that may leave the call behind a store, unless the items may be run again then.
func (e *Emitter) runAgain(loop *ir.Value) {
	if !e.again() {
		e.Refuse(loop, "a loop whose number of rounds is not known before the items stores, or stands behind a store, and items load what they store: it could not be left")
	}
	e.k.Body.Walk(func(v *ir.Value) {
		for mem := range e.k.Mems {
			if v.Op == ir.Load && len(e.storesTo(mem)) > 0 {
				e.keepSeparate(mem, v.Index)
			}
		}
	})
}

// keepSeparate notes that two memories must not overlap: else the other loop runs all items. Loads of other
// elements do not.
func (e *Emitter) keepSeparate(a, b int) {
	pair := [2]int{min(a, b), max(a, b)}
	m, n := e.k.Mems[a], e.k.Mems[b]
	if a != b && m.Elem == n.Elem && (m.Far || n.Far) {
		e.Refuse(e.k.Body.Values[0], "what is stored behind pointers may be anything that other lanes load")
	}
	if a != b && m.Elem == n.Elem && !m.Array && !n.Array && m.Table == nil && n.Table == nil && !slices.Contains(e.separate, pair) {
		e.separate = append(e.separate, pair)
	}
}

// ownElements reports whether items plainly store to elements of their own: c·item + d, where neighbours of d differ by
// less than c.
func (e *Emitter) ownElements(mem int) bool {
	var step, low, high int64
	var of string
	for n, x := range e.storesTo(mem) {
		p, ok := e.linear(x.Args[0])
		coefficient, rest, also := e.ofItem(p)
		c, fixed := coefficient.constant()
		if !ok || !also || !fixed || !e.fixedSum(rest) {
			return false
		}
		rest, d := rest.split()
		if n == 0 {
			step, low, high, of = c, d, d, rest.key()
		}
		low, high = min(low, d), max(high, d)
		if c != step || rest.key() != of {
			return false
		}
	}
	return step <= maxStride && step >= -maxStride && high-low >= 0 && high-low < max(step, -step)
}

// ofItemOnly reports whether an index is linear in the item, and depends on nothing else.
func (e *Emitter) ofItemOnly(index *ir.Value) bool {
	p, ok := e.linear(index)
	_, rest, also := e.ofItem(p)
	return ok && also && e.fixedSum(rest)
}

// linearIn reports whether an index is linear in the counter of a loop.
func (e *Emitter) linearIn(s *laneStore, index *ir.Value) bool {
	switch {
	case index == s.count.Index, !contains(s.loop, index):
		return true
	case index.Type != ir.I64:
		return false
	}
	switch index.Op {
	case ir.Add, ir.Sub, ir.Neg:
		return !slices.ContainsFunc(index.Args, func(a *ir.Value) bool { return !e.linearIn(s, a) })
	case ir.Mul:
		x, y := index.Args[0], index.Args[1]
		return !contains(s.loop, x) && e.linearIn(s, y) || !contains(s.loop, y) && e.linearIn(s, x)
	}
	return false
}

// indexAt returns an index in the round in which the counter is n.
func (e *Emitter) indexAt(s *laneStore, index *ir.Value, n *asm.Reg) *asm.Reg {
	if index == s.count.Index {
		return n
	}
	if !contains(s.loop, index) {
		return e.vector(index)
	}
	var a []*asm.Reg
	for _, x := range index.Args {
		a = append(a, e.indexAt(s, x, n))
	}
	return e.Set.Pure(e, index, a)
}

// inFront writes the conditions in front of the first round of a loop, given the instructions of a round.
func (e *Emitter) inFront(s *laneStore, round []*asm.Instr) {
	if s == nil || !s.ahead && len(s.asked) == 0 {
		return
	}
	running := e.mask
	var from, last *asm.Reg
	if s.count.Index != nil {
		to := e.vector(s.count.To)
		from = e.vector(s.count.From)
		last = e.Compute(ir.Sub, ir.I64, to, e.Bits(ir.I64, 1))
		running = e.under(e.mask, e.Set.Pure(e, Operation(ir.Lt, ir.Bool, ir.I64, 2), []*asm.Reg{from, to}), true)
	}
	for _, mem := range s.asked {
		lanes, end := running, last
		if e.storesOutside(s.loop, mem) { // as lanes do, too, that do not run the loop
			if lanes = e.whole; last != nil {
				end = e.Compute(ir.Max, ir.I64, from, last)
			}
		}
		low, high := e.reach(s, mem, from, end)
		e.ascending(lanes, low, high)
	}
	if s.ahead {
		e.burnAll(running, from, last, round)
	}
}

// storesOutside reports whether something is stored to a memory outside of a loop.
func (e *Emitter) storesOutside(loop *ir.Value, mem int) bool {
	return slices.ContainsFunc(e.storesTo(mem), func(x *ir.Value) bool { return !contains(loop, x) })
}

// reach returns the lowest and the highest index that items store to in a memory, given the bounds of the
// counter of a loop.
func (e *Emitter) reach(s *laneStore, mem int, from, last *asm.Reg) (low, high *asm.Reg) {
	for _, x := range e.storesTo(mem) {
		var first, end *asm.Reg
		if e.ofItemOnly(x.Args[0]) {
			first = e.vector(x.Args[0])
			end = first
		} else {
			first, end = e.indexAt(s, x.Args[0], from), e.indexAt(s, x.Args[0], last)
		}
		a, b := e.Compute(ir.Min, ir.I64, first, end), e.Compute(ir.Max, ir.I64, first, end)
		if low != nil {
			a, b = e.Compute(ir.Min, ir.I64, low, a), e.Compute(ir.Max, ir.I64, high, b)
		}
		low, high = a, b
	}
	return low, high
}

// ascending leaves the vector to the other loop unless the lanes that run have ascending elements. From low
// to high, the elements of each lane must lie behind the elements of the lanes before.
func (e *Emitter) ascending(running, low, high *asm.Reg) {
	top := e.Integer()
	e.Move(asm.Const(-1), asm.R(top))
	e.eachLane(running, low, high, func(low, high *asm.Reg) {
		e.Branch(asm.R(low), AtMost, asm.R(top), "stop")
		e.Max(high, top, false)
	})
}

// burnAll takes fuel for as many rounds as the lane with the most of them has, or leaves the vector to the other loop.
func (e *Emitter) burnAll(running, from, last *asm.Reg, round []*asm.Instr) {
	most := e.Integer()
	e.Move(asm.Const(0), asm.R(most))
	e.eachLane(running, from, last, func(from, last *asm.Reg) {
		e.Subtract(asm.R(from), asm.R(last))
		e.Max(last, most, true)
	})
	e.Branch(asm.R(most), Above, asm.Const(fuel), "stop")
	e.Scale(int64(e.costOf(round)), most, most)
	e.Subtract(asm.R(most), asm.R(e.fueled()))
	e.Branch(asm.R(e.fueled()), Less, asm.Const(0), "stop")
}

// eachLane does something with the numbers of each lane that runs.
func (e *Emitter) eachLane(running, a, b *asm.Reg, do func(a, b *asm.Reg)) {
	move := e.shape.Files[asm.Vectors].Move
	e.Effect(move, asm.R(a), asm.Frame(0))
	e.Effect(move, asm.R(b), asm.Frame(e.shape.Bytes))
	e.Scattered(ir.I64, Place{Same: true, Mask: running}, func(l int, _ asm.Operand) {
		x, y := e.Integer(), e.Integer()
		e.Move(asm.Frame(8*l), asm.R(x))
		e.Move(asm.Frame(e.shape.Bytes+8*l), asm.R(y))
		do(x, y)
	})
}

func stores(v *ir.Value) (found bool) {
	for _, b := range v.Blocks {
		b.Walk(func(v *ir.Value) { found = found || v.Op == ir.Store })
	}
	return found
}

// refuseLateChecks refuses a loop whose checks come behind stores of rounds before.
func (e *Emitter) refuseLateChecks(loop *ir.Value) {
	var store, check *ir.Value
	for _, b := range loop.Blocks {
		b.Walk(func(v *ir.Value) {
			switch v.Op {
			case ir.Store:
				store = v
			case ir.Check:
				check = v
			}
		})
	}
	if store != nil && check != nil {
		e.Refuse(check, "%s here, behind a store of an earlier round, which could not be undone", check.Asked())
	}
}
