package vector

import (
	"maps"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// scope runs f and forgets the values that f has computed.
func (e *Emitter) scope(f func()) {
	before := maps.Clone(e.vectors)
	f()
	e.vectors = before
}

// under returns the lanes of a mask in which a condition holds, or does not.
func (e *Emitter) under(mask, c *asm.Reg, holds bool) *asm.Reg {
	switch {
	case mask == nil && holds:
		return c
	case mask == nil:
		return e.Compute(ir.Not, ir.Bool, c)
	case holds:
		return e.Compute(ir.And, ir.Bool, c, mask)
	}
	return e.Compute(ir.AndNot, ir.Bool, mask, c)
}

// skip goes to a label if no lane of a mask is on.
func (e *Emitter) skip(mask *asm.Reg, label string) {
	g := e.Set.Lanes(e, mask)
	e.BranchBits(g, AllBits, false, label)
}

// keep keeps the results of an If or a Loop for its Result values.
func (e *Emitter) keep(v *ir.Value, results []*asm.Reg) {
	if e.results == nil {
		e.results = map[*ir.Value][]*asm.Reg{}
	}
	e.results[v] = results
}

func (e *Emitter) result(v *ir.Value) *asm.Reg { return e.results[v.Args[0]][v.Index] }
