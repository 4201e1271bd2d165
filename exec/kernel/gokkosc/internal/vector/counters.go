package vector

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// counts reports whether a counter of a loop is in p.
func (e *Emitter) counts(p poly) bool {
	for _, t := range p {
		for _, v := range t.f {
			if e.counter(v) != nil {
				return true
			}
		}
	}
	return false
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

// pointer is base for a sum that has counters in it. The register is set anew at the begin of the innermost
// loop.
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

// step adds a number of the setup, times some bytes, at the end of each round.
func (e *Emitter) step(list *[]*asm.Instr, r *asm.Reg, p poly, bytes int) {
	e.Aside(list, func() {
		if c, ok := p.constant(); ok && c*int64(bytes) == int64(int32(c*int64(bytes))) {
			if c != 0 {
				e.Add(asm.Const(c*int64(bytes)), asm.R(r))
			}
			return
		}
		e.add(r, e.before1(p, bytes, 1))
	})
}

func (e *Emitter) add(r, x *asm.Reg) {
	e.Add(asm.R(x), asm.R(r))
}

// before1 returns a number of the setup, times some bytes, that is made before the loop over items.
func (e *Emitter) before1(p poly, size, times int) *asm.Reg {
	name := fmt.Sprintf("%d*%d*%s", size, times, p.key())
	if e.fixed[name] == nil {
		e.Aside(&e.before, func() { e.fixed[name] = e.scalar(p, int64(size*times)) })
	}
	return e.fixed[name]
}
