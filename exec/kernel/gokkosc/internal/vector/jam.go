package vector

import (
	"maps"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// Several vectors of a row run the loops in them side by side. The sums of one vector wait for one another, and the sums
// of different vectors do not. Elements that all vectors have in common are loaded once.

// A side is one of several vectors that run a loop together.
type side struct {
	vectors map[*ir.Value]*asm.Reg
	results map[*ir.Value][]*asm.Reg
}

// jams reports whether the vectors of a row have loops to run side by side.
func (e *Emitter) jams() bool {
	return e.row != nil && slices.ContainsFunc(e.body(), func(v *ir.Value) bool {
		_, ok := e.together(v)
		return ok
	})
}

// together returns a loop that all lanes leave together, and whose last counter nobody asks for.
func (e *Emitter) together(v *ir.Value) (c pass.Count, ok bool) {
	if v.Op != ir.Loop {
		return c, false
	}
	c, ok = pass.CountOf(v)
	ok = ok && known(e.k, c.From) && known(e.k, c.To) && !c.Unsigned && c.Index.Type == ir.I64
	return c, ok && !e.askedFor(v)[c.Place]
}

// sidesOf returns the number of vectors that run side by side, given the number of instructions of the body.
func sidesOf(body []*asm.Instr) int {
	switch n := len(body); {
	case n <= 32:
		return 4
	case n <= 64:
		return 2
	}
	return 1
}

// beside writes values for several vectors, each behind the vector before it.
func (e *Emitter) beside(values []*ir.Value, sides []*side) {
	shares := !slices.ContainsFunc(values, func(v *ir.Value) bool { return v.Op == ir.Store || stores(v) })
	for _, v := range values {
		if c, ok := e.together(v); ok {
			e.roundsBeside(v, c, sides)
			continue
		}
		for n, s := range sides {
			if n > 0 && shares && v.Op == ir.Load && e.isSame(v) {
				s.vectors[v] = sides[0].vectors[v]
				continue
			}
			e.on(n, s, func() { e.value(v) })
		}
	}
}

// isSame reports whether all items load the same element.
func (e *Emitter) isSame(v *ir.Value) bool {
	p, ok := e.linear(v.Args[0])
	coefficient, _, _ := e.ofItem(p)
	return ok && len(coefficient) == 0
}

// on writes a part of one of several vectors.
func (e *Emitter) on(n int, s *side, write func()) {
	e.vectors, e.results, e.shift = s.vectors, s.results, n*e.Width
	write()
	s.vectors, s.results = e.vectors, e.results
}

// roundsBeside is rounds for several vectors.
func (e *Emitter) roundsBeside(v *ir.Value, c pass.Count, sides []*side) {
	carried := make([][]*asm.Reg, len(sides))
	before := make([]map[*ir.Value]*asm.Reg, len(sides))
	l := &loop{count: c, outer: e.loop, pointers: map[string]*asm.Reg{}}
	for n, s := range sides {
		e.on(n, s, func() { carried[n] = e.firstOf(v, c) })
		before[n] = maps.Clone(s.vectors)
		for m, p := range v.Head().Params {
			if m != c.Place {
				s.vectors[p] = carried[n][m]
			}
		}
	}
	end := e.Label()
	trips := e.trips(c, end)
	var body []*asm.Instr
	e.Aside(&body, func() {
		e.loop = l
		e.beside(v.LoopBody().Values, sides)
		for n, s := range sides {
			e.on(n, s, func() { e.next(v, c, carried[n]) })
		}
		e.loop = l.outer
	})
	for n, s := range sides {
		s.vectors = before[n]
		e.on(n, s, func() { e.keep(v, carried[n]) })
	}
	e.turns(l, body, trips, end)
}
