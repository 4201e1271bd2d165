package vector

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A Machine writes operations on integers of 64 bits, which are the same for all items, and jumps. An operand is a
// register, a constant, an argument or a place in the frame. Of two operands at most one is in memory.
type Machine interface {
	// Fetch returns the instruction that sets a register to a number in memory, from no other register.
	Fetch(from asm.Operand, r *asm.Reg) *asm.Instr
	Move(from, to asm.Operand)
	Clear(r *asm.Reg) // as Move of 0, in a shorter instruction
	// LoadElement loads an element of 8 to 64 bits, StoreElement stores the lower bits that one has.
	LoadElement(t ir.Type, from asm.Operand, r *asm.Reg)
	StoreElement(t ir.Type, r *asm.Reg, to asm.Operand)

	// These methods change their last operand: Scale sets r to a multiple of x, Max to the higher one.
	Add(x, to asm.Operand)
	Subtract(x, to asm.Operand)
	Decrement(n asm.Operand)
	And(x asm.Operand, r *asm.Reg)
	Multiply(x asm.Operand, r *asm.Reg)
	Scale(factor int64, x, r *asm.Reg)
	ShiftLeft(bits int, r *asm.Reg)
	ShiftRight(bits int, r *asm.Reg)
	Max(x, r *asm.Reg, unsigned bool)

	// Branch goes to a label if a comparison holds. It returns the jump.
	Branch(a asm.Operand, is Condition, b asm.Operand, label string) *asm.Instr
	// BranchBits goes to a label if any of some bits are set, or none is. Only the lower 32 bits of r count.
	BranchBits(r *asm.Reg, bits uint32, any bool, label string)
	Goto(label string) *asm.Instr
	// Return ends the function.
	Return(next *asm.Reg)
}

// AllBits are the bits of all lanes.
const AllBits = 1<<32 - 1

// A Condition compares two integers, with signs unless it says Below or Above.
type Condition uint8

// The conditions.
const (
	Equal Condition = iota
	NotEqual
	Less
	AtMost
	AtLeast
	NotBelow
	Above
)
