package vector

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
)

// The number of rounds of a loop that lanes leave one by one is not known beforehand, and a call cannot be
// preempted. So a call has fuel, of which each round takes its cost. A vector that finds less than half of
// the fuel leaves the rest to the next call. A vector that runs out of fuel leaves the call like an item that
// fails a check. The vector has stored nothing, or its items may be run again. The method that calls gives a
// vector that takes more than a whole call to the other loop, which can be preempted.

// fueled returns the register of the fuel.
func (e *Emitter) fueled() *asm.Reg {
	if e.fuel == nil {
		e.fuel = e.Integer()
		a := e.argument("fuel", "int", 8, fmt.Sprint(fuel))
		e.Aside(&e.before, func() { e.Move(asm.Arg(a), asm.R(e.fuel)) })
	}
	return e.fuel
}

// refuel leaves the call in front of a vector that might run out of fuel.
func (e *Emitter) refuel() {
	if e.fuel != nil {
		e.Branch(asm.R(e.fuel), Less, asm.Const(fuel/2), "stop")
	}
}

// burn takes the cost of a round of instructions from the fuel.
func (e *Emitter) burn(round []*asm.Instr) {
	e.Subtract(asm.Const(e.costOf(round)), asm.R(e.fueled()))
	e.Branch(asm.R(e.fueled()), Less, asm.Const(0), "stop")
}
