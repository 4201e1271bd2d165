package avx2

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/pass"
)

// A loop is one whose rounds are counted, the same for all items.
type loop struct {
	count    pass.Count
	outer    *loop
	entry    []*instr // in front of the first round
	latch    []*instr // at the end of each round
	pointers map[string]*reg
	current  *reg // the counter, if something needs it
}

// counter returns the loop that counts with v.
func (e *emitter) counter(v *ir.Value) *loop {
	for l := e.loop; l != nil; l = l.outer {
		if l.count.Index == v {
			return l
		}
	}
	return nil
}

// number returns the counter.
func (l *loop) number(e *emitter) *reg {
	if l.current == nil {
		l.current = e.integer()
		e.aside(&l.entry, func() {
			from, _ := e.linear(l.count.From)
			r := e.scalar(from, 1)
			e.emit(&instr{op: "MOVQ", args: []operand{{r: r}, {r: l.current}}, writes: 1})
		})
		e.step(&l.latch, l.current, poly{{1, nil}}, 1)
	}
	return l.current
}

// pointer is base for a sum that has counters in it. It is made anew where the innermost loop
// begins.
func (l *loop) pointer(e *emitter, mem, size int, coefficient, rest poly) *reg {
	name := fmt.Sprintf("at %d %s item %s", mem, rest.key(), coefficient.key())
	if r := l.pointers[name]; r != nil {
		return r
	}
	r := e.integer()
	l.pointers[name] = r
	inner := ofCounter(rest, l.count.Index)
	from, _ := e.linear(l.count.From)
	first := sum(append(without(rest, l.count.Index), inner.times(from)...)...)
	e.loop = l.outer
	e.aside(&l.entry, func() {
		var a *reg
		if e.loop == nil || !e.counts(first) {
			a = e.base(mem, size, coefficient, first)
		} else {
			a = e.loop.pointer(e, mem, size, coefficient, first)
		}
		e.emit(&instr{op: "MOVQ", args: []operand{{r: a}, {r: r}}, writes: 1})
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
func (e *emitter) rounds(v *ir.Value) {
	c, ok := pass.CountOf(v)
	if !ok || !known(e.k, c.From) || !known(e.k, c.To) || c.Unsigned || c.Index.Type == ir.I32 && (e.setup[c.From] && c.From.Op != ir.Const) {
		e.refuse(v, "a loop whose number of rounds is not known before the items")
	}
	e.refuseLateChecks(v)
	carried := make([]*reg, len(v.Args))
	for n, x := range v.Args {
		if n != c.Place {
			r := e.vector(x)
			carried[n] = e.temporary()
			e.emit(&instr{op: "VMOVDQA", args: []operand{e.v(x.Type, r), e.v(x.Type, carried[n])}, writes: 1})
		}
	}
	l := &loop{count: c, outer: e.loop, pointers: map[string]*reg{}}
	end := e.label()
	trips := e.trips(c, end)
	outerCosts := e.costs
	e.costs = nil
	var body []*instr
	e.times *= pass.Rounds
	e.aside(&body, func() {
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
	e.times /= pass.Rounds
	*e.out = append(*e.out, l.entry...)
	first := e.mark(e.label())
	*e.out = append(append(*e.out, body...), l.latch...)
	e.emit(&instr{op: "DECQ", args: []operand{{r: trips}}, writes: 1, reads: true})
	e.loops = append(e.loops, loopRange{first, e.jump("JNE", first.label)})
	e.mark(end)
	e.costs = append(outerCosts, cost{n: weigh(body) + len(l.latch), from: c.From, to: c.To, inner: e.costs})
	e.keep(v, carried)
}

// refuseLateChecks refuses a loop whose checks come behind stores of rounds before.
func (e *emitter) refuseLateChecks(loop *ir.Value) {
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
		e.refuse(check, "an index is checked behind a store of an earlier round, which could not be undone")
	}
}

// trips returns the number of rounds, and goes to end if there are none.
func (e *emitter) trips(c pass.Count, end string) *reg {
	value := func(v *ir.Value) *reg {
		if v.Op == ir.Const {
			return e.scalar(sum(term{v.Int(), nil}), 1)
		}
		return e.number(v)
	}
	trips := e.integer()
	from, to := value(c.From), value(c.To)
	e.emit(&instr{op: "CMPQ", args: []operand{{r: from}, {r: to}}})
	e.jump("JGE", end)
	e.emit(&instr{op: "MOVQ", args: []operand{{r: to}, {r: trips}}, writes: 1})
	e.emit(&instr{op: "SUBQ", args: []operand{{r: from}, {r: trips}}, writes: 1, reads: true})
	return trips
}

// next sets what a loop carries to its next values, all at once.
func (e *emitter) next(v *ir.Value, c pass.Count, carried []*reg) {
	is := map[*reg]bool{}
	for _, r := range carried {
		is[r] = true
	}
	values := make([]*reg, len(carried))
	for n, x := range v.LoopBody().Yield {
		if n == c.Place {
			continue
		}
		r := e.vector(x)
		if is[r] && r != carried[n] {
			r = e.vec(x.Type, "VMOVDQA", r)
		}
		values[n] = r
	}
	for n, r := range values {
		if r != nil && r != carried[n] {
			t := v.Args[n].Type
			e.emit(&instr{op: "VMOVDQA", args: []operand{e.v(t, r), e.v(t, carried[n])}, writes: 1})
		}
	}
}
