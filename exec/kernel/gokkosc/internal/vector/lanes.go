package vector

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// A loop whose number of rounds differs by lane goes on until all lanes have left it. A mask has the lanes that go on; the values
// that other lanes carry are kept, if anything behind the loop asks for them.

// laneRounds runs a loop under a mask of the lanes that go on.
func (e *Emitter) laneRounds(v *ir.Value) {
	if e.row != nil {
		e.Refuse(v, "a loop whose number of rounds is not known before the items")
	}
	stored := e.laneStores(v)
	e.stops++
	e.leaving[v] = true
	e.fueled()
	l, counting := e.countRounds(v)
	asked := e.askedFor(v)
	carried := make([]*asm.Reg, len(v.Args))
	for n, x := range v.Args {
		if !counting[n] || asked[n] || compared(v, n) {
			carried[n] = e.Copied(x.Type, e.vector(x))
		}
	}
	outer, outerCosts := e.mask, e.costs
	on := outer
	if on == nil {
		on = e.Bits(ir.Bool, ^uint64(0))
	}
	on = e.Copied(ir.Bool, on)
	end := e.Label()
	e.lanesLeave++
	var head, body []*asm.Instr
	e.scope(func() {
		for n, p := range v.Head().Params {
			if carried[n] != nil {
				e.vectors[p] = carried[n]
			}
		}
		e.loop = l
		e.mask = on
		e.Aside(&head, func() {
			e.block(v.Head())
			e.Copy(ir.Bool, e.under(on, e.vector(v.Head().Yield[0]), true), on)
			e.skip(on, end)
		})
		e.Aside(&body, func() {
			e.block(v.LoopBody())
			e.nextOf(v, on, carried, counting, asked)
		})
		e.loop = l.outer
	})
	e.lanesLeave--
	e.mask, e.costs = outer, outerCosts
	round := slices.Concat(head, body, l.latch)
	e.inFront(stored, round)
	*e.Out = append(*e.Out, l.entry...)
	first := e.Mark(e.Label())
	*e.Out = append(*e.Out, head...)
	if stored == nil || !stored.ahead {
		e.burn(round)
	}
	*e.Out = append(append(*e.Out, body...), l.latch...)
	e.Closes(first, e.Goto(first.Label))
	e.Mark(end)
	e.keep(v, carried)
}

// countRounds returns the loop as one that counts its rounds, and the parameters that grow by the same number
// in each round. In all lanes that are still in the loop, such a parameter is linear in the number of rounds.
// So it may be a place in memory. The number of rounds is kept if a value asks for it.
func (e *Emitter) countRounds(v *ir.Value) (l *loop, counting map[int]bool) {
	t := e.k.NewValue(ir.Arg, ir.I64)
	zero := &ir.Value{ID: e.k.NewValue(ir.Const, ir.I64).ID, Op: ir.Const, Type: ir.I64}
	l = &loop{count: pass.Count{Index: t, From: zero}, outer: e.loop, pointers: map[string]*asm.Reg{}}
	counting = map[int]bool{}
	for n, p := range v.Head().Params {
		next := v.LoopBody().Yield[n]
		if p.Type != ir.I64 || next.Op != ir.Add || next.Args[0] != p {
			continue
		}
		by, ok := e.linear(next.Args[1])
		from, also := e.linear(v.Args[n])
		if _, _, of := e.ofItem(from); !ok || !also || !of || !e.fixedSum(by) {
			continue
		}
		counting[n] = true
		if e.grows == nil {
			e.grows = map[*ir.Value]poly{}
		}
		e.grows[p] = sum(slices.Concat(from, by.times(poly{{1, []*ir.Value{t}}}))...)
	}
	return l, counting
}

// askedFor returns the numbers of the results of a loop that are used.
func (e *Emitter) askedFor(v *ir.Value) map[int]bool {
	asked := map[int]bool{}
	e.k.Body.Walk(func(r *ir.Value) {
		if r.Op == ir.Result && r.Args[0] == v {
			asked[r.Index] = true
		}
	})
	return asked
}

// compared reports whether an operation in a loop needs a carried value itself, and not only as a part of an address.
func compared(loop *ir.Value, n int) (yes bool) {
	p := loop.Head().Params[n]
	for _, b := range loop.Blocks {
		b.Walk(func(v *ir.Value) {
			switch v.Op {
			case ir.Add, ir.Sub, ir.Mul, ir.Load, ir.Store, ir.Check:
			default:
				yes = yes || slices.Contains(v.Args, p)
			}
			for _, inner := range v.Blocks {
				yes = yes || slices.Contains(inner.Yield, p)
			}
		})
	}
	return yes
}

// nextOf sets the values that the lanes of a mask carry to the next ones, all at once. Values that nothing behind the loop
// needs are set in all lanes.
func (e *Emitter) nextOf(v *ir.Value, on *asm.Reg, carried []*asm.Reg, counting, asked map[int]bool) {
	is := map[*asm.Reg]bool{}
	for _, r := range carried {
		is[r] = r != nil
	}
	values := make([]*asm.Reg, len(carried))
	for n, x := range v.LoopBody().Yield {
		if carried[n] == nil || x == v.Head().Params[n] {
			continue
		}
		var r *asm.Reg
		if counting[n] {
			r = e.Compute(ir.Add, x.Type, carried[n], e.vector(x.Args[1]))
		} else {
			r = e.vector(x)
		}
		switch {
		case asked[n]:
			r = e.Choose(x.Type, on, r, carried[n])
		case is[r]:
			r = e.Copied(x.Type, r)
		}
		values[n] = r
	}
	for n, r := range values {
		if r != nil {
			e.Copy(v.Args[n].Type, r, carried[n])
		}
	}
}
