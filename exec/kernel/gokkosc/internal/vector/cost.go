package vector

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// The cost of calls, in simple instructions. A call cannot be preempted, so it takes 40 µs at most.
const (
	budget = 100_000        // of a call
	fuel   = budget * 3 / 4 // of the rounds of its loops that lanes leave one by one

	leastItems = 32 // of a call in which each item costs the same
	roundItems = 32 // at a time, if accumulators stay in registers: a leaf of several lanes has a multiple of it
)

// all returns the instructions of a vector. A loop whose number of rounds is not known counts as [pass.Rounds] rounds.
func (c cost) all() float64 {
	n := float64(c.n)
	for _, l := range c.inner {
		n += pass.Rounds * l.all()
	}
	return n
}

// flat adds loops of a constant number of rounds to the cost of a vector, unless the shortest call takes too long with them.
func (e *Emitter) flat(c cost) cost {
	inner, most := c.inner, uint64(e.budget()*e.Width/leastItems)
	c.inner = nil
	for _, l := range inner {
		l = e.flat(l)
		if l.from.Op == ir.Const && l.to.Op == ir.Const && len(l.inner) == 0 {
			rounds := uint64(max(l.to.Int(), l.from.Int())) - uint64(l.from.Int())
			if rounds <= most && uint64(c.n)+rounds*uint64(l.n) <= most {
				c.n += int(rounds) * l.n
				continue
			}
		}
		c.inner = append(c.inner, l)
	}
	return c
}

// budget returns the number of simple instructions that a call may take, without the instructions of loops
// that burn fuel.
func (e *Emitter) budget() int {
	if e.fuel != nil {
		return budget - fuel
	}
	return budget
}

// costOf returns the simple instructions of a round.
func (e *Emitter) costOf(round []*asm.Instr) int { return 4 + e.shape.Weigh(round) }
