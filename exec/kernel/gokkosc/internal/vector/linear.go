package vector

import (
	"math/bits"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// linear returns an integer as a sum, if it is one.
func (e *Emitter) linear(v *ir.Value) (p poly, ok bool) {
	atom := poly{{1, []*ir.Value{v}}}
	if p, ok := e.grows[v]; ok && e.within(p) {
		return p, true
	}
	switch {
	case !v.Type.IsInt():
		return nil, false
	case v.Op == ir.Const:
		return sum(term{v.Int(), nil}), true
	case e.isIndex(v), e.setup[v] && v.Type == ir.I64, e.counter(v) != nil:
		return atom, true
	case v.Op == ir.Conv && v.Args[0].Type == ir.I32 && v.Type == ir.I64 && e.counter(v.Args[0]) != nil && !v.Unsigned:
		return poly{{1, []*ir.Value{v.Args[0]}}}, true
	case v.Type != ir.I64:
		return nil, false
	}
	var of [2]poly
	switch v.Op {
	case ir.Add, ir.Sub, ir.Mul, ir.Neg:
		for n, a := range v.Args {
			if of[n], ok = e.linear(a); !ok {
				return nil, false
			}
		}
	}
	p, ok = polyOf(v.Op, of)
	if ok && v.Op == ir.Mul {
		_, _, ok = e.ofItem(p)
		ok = ok && !slices.ContainsFunc(p, e.isCurved)
	}
	return p, ok
}

// isCurved reports whether a term has two counters of loops, or one twice: it does not grow by the same in each round.
func (e *Emitter) isCurved(t term) bool {
	counters := 0
	for _, v := range t.f {
		if e.counter(v) != nil {
			counters++
		}
	}
	return counters > 1
}

// within reports whether all counters of a sum count loops around the current place.
func (e *Emitter) within(p poly) bool {
	for _, t := range p {
		for _, f := range t.f {
			if !e.isIndex(f) && !e.setup[f] && e.counter(f) == nil {
				return false
			}
		}
	}
	return true
}

// ofItem returns the coefficient of the item's index in p, and the rest. The first is of the setup alone if
// ok.
func (e *Emitter) ofItem(p poly) (coefficient, rest poly, ok bool) {
	for _, t := range p {
		n := slices.IndexFunc(t.f, e.isIndex)
		if n < 0 {
			rest = append(rest, t)
			continue
		}
		f := slices.Delete(slices.Clone(t.f), n, n+1)
		if slices.ContainsFunc(f, func(v *ir.Value) bool { return e.isIndex(v) || e.counter(v) != nil }) {
			return nil, nil, false
		}
		coefficient = append(coefficient, term{t.c, f})
	}
	return sum(coefficient...), rest, true
}

// scalar computes p for the first item, times a constant.
func (e *Emitter) scalar(p poly, times int64) *asm.Reg {
	r := e.Integer()
	if len(p) == 0 {
		e.Clear(r)
		return r
	}
	for n, t := range p {
		part := e.Integer()
		if n == 0 {
			part = r
		}
		e.product1(part, t, times)
		if n > 0 {
			e.Add(asm.R(part), asm.R(r))
		}
	}
	return r
}

// product1 sets r to a term times a constant.
func (e *Emitter) product1(r *asm.Reg, t term, times int64) {
	c := t.c * times
	if len(t.f) == 0 {
		e.Move(asm.Const(c), asm.R(r))
		return
	}
	for n, v := range t.f {
		if factor := asm.R(e.scalarOf(v)); n == 0 {
			e.Move(factor, asm.R(r))
		} else {
			e.Multiply(factor, r)
		}
	}
	switch {
	case c == 1:
	case c > 0 && c&(c-1) == 0:
		e.ShiftLeft(bits.TrailingZeros64(uint64(c)), r)
	case c == int64(int32(c)):
		e.Scale(c, r, r)
	default:
		k := e.Integer()
		e.Move(asm.Const(c), asm.R(k))
		e.Multiply(asm.R(k), r)
	}
}

// scalarOf returns a factor.
func (e *Emitter) scalarOf(v *ir.Value) *asm.Reg {
	switch {
	case e.isIndex(v):
		return e.item
	case e.setup[v]:
		return e.number(v)
	}
	return e.counter(v).number(e)
}

// counted returns a sum in the lanes.
func (e *Emitter) counted(v *ir.Value, p poly) *asm.Reg {
	coefficient, _, _ := e.ofItem(p)
	if r := e.carried(v.Type, p, coefficient); r != nil {
		return r
	}
	first := e.scalar(p, 1)
	if e.shift > 0 && len(coefficient) > 0 {
		c, ok := coefficient.constant()
		if by := c * int64(e.shift); !ok || by != int64(int32(by)) {
			panic(noUnrolling)
		} else {
			e.Add(asm.Const(by), asm.R(first))
		}
	}
	return e.stepped(v.Type, first, coefficient)
}

// stepped returns a number that differs by lane, of which first is the first.
func (e *Emitter) stepped(t ir.Type, first *asm.Reg, coefficient poly) *asm.Reg {
	base := e.everywhere(t, first)
	if len(coefficient) == 0 {
		return base
	}
	return e.Compute(ir.Add, ir.I64, base, e.steps(coefficient))
}

// maxCarried is the number of sums that go on from vector to vector.
const maxCarried = 2

// carried returns a sum in the lanes that goes on from vector to vector. Adding its growth takes fewer
// instructions than a new sum. The result is nil if vectors do not follow each other, or if the sum grows by
// no constant.
func (e *Emitter) carried(t ir.Type, p, coefficient poly) *asm.Reg {
	c, ok := coefficient.constant()
	if !ok || c == 0 || t != ir.I64 || e.counts(p) {
		return nil
	}
	e.sums++
	r := e.carry[p.key()]
	if r != nil || e.carry == nil || len(e.carry) == maxCarried {
		return r
	}
	r = e.Temporary(t)
	e.Aside(&e.before, func() { e.Copy(t, e.stepped(t, e.scalar(p, 1), coefficient), r) })
	e.Aside(&e.latch, func() {
		e.Copy(t, e.Compute(ir.Add, t, r, e.Bits(t, uint64(c*int64(e.Width)))), r)
	})
	e.carry[p.key()] = r
	return r
}

// steps returns a number times the number of the lane.
func (e *Emitter) steps(coefficient poly) *asm.Reg {
	name := "steps" + coefficient.key()
	if r := e.fixed[name]; r != nil {
		return r
	}
	if c, ok := coefficient.constant(); ok {
		table := make([]uint64, e.Width)
		for l := range table {
			table[l] = uint64(int64(l) * c)
		}
		return e.Lookup(name, table)
	}
	e.Aside(&e.before, func() {
		one := e.steps(poly{{1, nil}})
		e.fixed[name] = e.Compute(ir.Mul, ir.I64, e.everywhere(ir.I64, e.scalar(coefficient, 1)), one)
	})
	return e.fixed[name]
}

// everywhere returns an integer in all lanes.
func (e *Emitter) everywhere(t ir.Type, g *asm.Reg) *asm.Reg {
	e.Fits(t)
	return e.Set.Everywhere(e, t, g)
}

// isIndex reports whether a value counts the lanes.
func (e *Emitter) isIndex(v *ir.Value) bool {
	if e.row != nil {
		return v == e.index
	}
	return v.Op == ir.Item
}

// fixedSum reports whether a sum is of constants and the setup.
func (e *Emitter) fixedSum(p poly) bool {
	for _, t := range p {
		for _, f := range t.f {
			if !e.setup[f] {
				return false
			}
		}
	}
	return true
}
