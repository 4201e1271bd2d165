package vector

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// rounds runs a loop for all items at once.
func (e *Emitter) rounds(v *ir.Value) {
	c, ok := pass.CountOf(v)
	if !ok || !known(e.k, c.From) || !known(e.k, c.To) || c.Unsigned || c.Index.Type == ir.I32 && (e.setup[c.From] && c.From.Op != ir.Const) {
		e.laneRounds(v)
		return
	}
	e.refuseLateChecks(v)
	carried := e.firstOf(v, c)
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
		e.runAgain(inner) // behind the stores of earlier rounds
	}
	e.turns(l, body, trips, end)
	e.costs = append(outerCosts, cost{n: e.shape.Weigh(body) + len(l.latch), from: c.From, to: c.To, inner: e.costs})
	if e.askedFor(v)[c.Place] { // where the counter ends
		carried[c.Place] = e.Compute(ir.Max, c.Index.Type, e.vector(c.From), e.vector(c.To))
	}
	e.keep(v, carried)
}

// firstOf returns the values that a loop carries into its first round, but for its counter.
func (e *Emitter) firstOf(v *ir.Value, c pass.Count) []*asm.Reg {
	carried := make([]*asm.Reg, len(v.Args))
	for n, x := range v.Args {
		if n != c.Place {
			r := e.vector(x)
			carried[n] = e.Copied(x.Type, r)
		}
	}
	return carried
}

// turns writes a loop whose body is written.
func (e *Emitter) turns(l *loop, body []*asm.Instr, trips *asm.Reg, end string) {
	*e.Out = append(*e.Out, l.entry...)
	first := e.Mark(e.Label())
	*e.Out = append(append(*e.Out, body...), l.latch...)
	if e.lanesLeave > 0 {
		e.burn(append(body, l.latch...))
	}
	e.Decrement(asm.R(trips))
	e.Closes(first, e.Branch(asm.R(trips), NotEqual, asm.Const(0), first.Label))
	e.Mark(end)
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

// next sets the values that a loop carries to the next ones, all at once.
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
