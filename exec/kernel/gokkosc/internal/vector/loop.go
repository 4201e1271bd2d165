package vector

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// A loop is one whose rounds are counted, the same for all items.
type loop struct {
	count    pass.Count
	outer    *loop
	entry    []*asm.Instr // in front of the first round
	latch    []*asm.Instr // at the end of each round
	pointers map[string]*asm.Reg
	current  *asm.Reg // the counter, if something needs it
}

// counter returns the loop that counts with v.
func (e *Emitter) counter(v *ir.Value) *loop {
	for l := e.loop; l != nil; l = l.outer {
		if l.count.Index == v {
			return l
		}
	}
	return nil
}

// number returns the counter.
func (l *loop) number(e *Emitter) *asm.Reg {
	if l.current == nil {
		l.current = e.Integer()
		e.Aside(&l.entry, func() {
			from, _ := e.linear(l.count.From)
			r := e.scalar(from, 1)
			e.Move(asm.R(r), asm.R(l.current))
		})
		e.step(&l.latch, l.current, poly{{1, nil}}, 1)
	}
	return l.current
}

// pointer is base for a sum that has counters in it. It is made anew where the innermost loop
// begins.
func (l *loop) pointer(e *Emitter, mem, size int, coefficient, rest poly) *asm.Reg {
	name := fmt.Sprintf("at %d %s item %s", mem, rest.key(), coefficient.key())
	if r := l.pointers[name]; r != nil {
		return r
	}
	r := e.Integer()
	l.pointers[name] = r
	inner := ofCounter(rest, l.count.Index)
	from, _ := e.linear(l.count.From)
	first := sum(append(without(rest, l.count.Index), inner.times(from)...)...)
	e.loop = l.outer
	e.Aside(&l.entry, func() {
		var a *asm.Reg
		if e.loop == nil || !e.counts(first) {
			a = e.base(mem, size, coefficient, first)
		} else {
			a = e.loop.pointer(e, mem, size, coefficient, first)
		}
		e.Move(asm.R(a), asm.R(r))
	})
	e.loop = l
	e.step(&l.latch, r, inner, size)
	return r
}

// without returns the terms of p that do not have v.
func without(p poly, v *ir.Value) (q poly) {
	for _, t := range p {
		has := false
		for _, f := range t.f {
			has = has || f == v
		}
		if !has {
			q = append(q, t)
		}
	}
	return q
}

// rounds runs a loop for all items at once.
func (e *Emitter) rounds(v *ir.Value) {
	c, ok := pass.CountOf(v)
	if !ok || !known(e.k, c.From) || !known(e.k, c.To) || c.Unsigned || c.Index.Type == ir.I32 && (e.setup[c.From] && c.From.Op != ir.Const) {
		e.laneRounds(v)
		return
	}
	e.refuseLateChecks(v)
	carried := make([]*asm.Reg, len(v.Args))
	for n, x := range v.Args {
		if n != c.Place {
			r := e.vector(x)
			carried[n] = e.Copied(x.Type, r)
		}
	}
	l := &loop{count: c, outer: e.loop, pointers: map[string]*asm.Reg{}}
	end := e.Label()
	trips := e.trips(c, end)
	outerCosts := e.costs
	e.costs = nil
	var body []*asm.Instr
	e.Aside(&body, func() {
		e.scope(func() {
			e.loop = l
			for n, p := range v.Head().Params {
				if n != c.Place {
					e.vectors[p] = carried[n]
				}
			}
			e.block(v.LoopBody())
			e.next(v, c, carried)
			e.loop = l.outer
		})
	})
	if inner := e.leavingIn(v); inner != nil && stores(v) {
		e.runAgain(inner) // behind what earlier rounds have stored
	}
	*e.Out = append(*e.Out, l.entry...)
	first := e.Mark(e.Label())
	*e.Out = append(append(*e.Out, body...), l.latch...)
	if e.lanesLeave > 0 {
		e.burn(append(body, l.latch...))
	}
	e.Decrement(asm.R(trips))
	e.Closes(first, e.Branch(asm.R(trips), NotEqual, asm.Const(0), first.Label))
	e.Mark(end)
	e.costs = append(outerCosts, cost{n: e.shape.Weigh(body) + len(l.latch), from: c.From, to: c.To, inner: e.costs})
	if e.askedFor(v)[c.Place] { // where the counter ends
		carried[c.Place] = e.Compute(ir.Max, c.Index.Type, e.vector(c.From), e.vector(c.To))
	}
	e.keep(v, carried)
}

// leavingIn returns a loop in another one whose lanes leave it one by one, or nil.
func (e *Emitter) leavingIn(loop *ir.Value) (inner *ir.Value) {
	for _, b := range loop.Blocks {
		b.Walk(func(v *ir.Value) {
			if e.leaving[v] {
				inner = v
			}
		})
	}
	return inner
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

// trips returns the number of rounds, and goes to end if there are none.
func (e *Emitter) trips(c pass.Count, end string) *asm.Reg {
	value := func(v *ir.Value) *asm.Reg {
		if v.Op == ir.Const {
			return e.scalar(sum(term{v.Int(), nil}), 1)
		}
		return e.number(v)
	}
	trips := e.Integer()
	from, to := value(c.From), value(c.To)
	e.Branch(asm.R(from), AtLeast, asm.R(to), end)
	e.Move(asm.R(to), asm.R(trips))
	e.Subtract(asm.R(from), asm.R(trips))
	return trips
}

// next sets what a loop carries to its next values, all at once.
func (e *Emitter) next(v *ir.Value, c pass.Count, carried []*asm.Reg) {
	is := map[*asm.Reg]bool{}
	for _, r := range carried {
		is[r] = true
	}
	values := make([]*asm.Reg, len(carried))
	for n, x := range v.LoopBody().Yield {
		if n == c.Place {
			continue
		}
		r := e.vector(x)
		if is[r] && r != carried[n] {
			r = e.Copied(x.Type, r)
		}
		values[n] = r
	}
	for n, r := range values {
		if r != nil && r != carried[n] {
			t := v.Args[n].Type
			e.Copy(t, r, carried[n])
		}
	}
}
