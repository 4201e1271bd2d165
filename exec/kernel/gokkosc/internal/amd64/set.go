package amd64

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// A Set is a set of vector instructions. Its methods write instructions through the [Emitter] they are given.
//
// Bools are masks: what a comparison gives, what a choice and a branch take. An instruction set keeps
// them in vectors, with all bits of a lane or none, or in registers of their own: see [Shape.Masks].
type Set interface {
	// Shape returns what there is of registers and lanes.
	Shape() *Shape

	// Pure writes an operation without effects, of arguments a, whose types are those of v.Args. v may stand in
	// no kernel. It refuses what has no instructions.
	Pure(e *Emitter, v *ir.Value, a []*Reg) *Reg

	// Constant returns the instruction that sets all lanes of r to a constant, from no other register. The
	// bits of a bool are 0 or all.
	Constant(e *Emitter, t ir.Type, bits uint64, r *Reg) *Instr
	// Uniform is Constant for a number in memory; a bool there has 64 bits, all or none.
	Uniform(e *Emitter, t ir.Type, from Operand, r *Reg) *Instr
	// Everywhere returns an integer in all lanes.
	Everywhere(e *Emitter, t ir.Type, g *Reg) *Reg

	// Machine returns what writes operations on integers, and jumps, to the code.
	Machine(code *Code) Machine

	// StoreFirst stores the first lane of a value.
	StoreFirst(e *Emitter, t ir.Type, x *Reg, to Operand)
	// Upper returns the upper half of the first n lanes of a value as the lower one of another.
	Upper(e *Emitter, t ir.Type, n int, r *Reg) *Reg

	// First returns the mask of the first n lanes.
	First(e *Emitter, n *Reg) *Reg
	// Lanes returns an integer with a bit for each lane of a mask, and no other.
	Lanes(e *Emitter, mask *Reg) *Reg

	// Load returns the elements of a place, Store stores them; t is their type in memory. Lanes that are off access no
	// memory.
	Load(e *Emitter, t ir.Type, p Place) *Reg
	Store(e *Emitter, t ir.Type, x *Reg, p Place)
}

// A Shape is what there is of registers and lanes.
type Shape struct {
	Registers
	Name   string // of the target: "avx2"
	Level  string // of package kernel, and what ends the names of types: "AVX2"
	Suffix string // of the names of functions, of which other sets have their own
	File   string // ends the names of files: "amd64" of z_kernels_amd64.s
	Widths []int  // items of a vector, the most first; one that 64-bit values do not fit in is for kernels without these
	Masks  Kind   // of bools
	Narrow bool   // Load and Store take elements of 8 and 16 bits, which are i32 in registers
	Halves bool   // the instructions compute in the lower halves of vectors, too: Emitter.Width is half of what it is elsewhere
	// MasksStores says that stores under a mask are as fast as others.
	MasksStores bool
}

// kindOf returns the kind of the registers of a type.
func (s *Shape) kindOf(t ir.Type) Kind {
	if t == ir.Bool {
		return s.Masks
	}
	return Vectors
}

// A Machine writes operations on integers of 64 bits, which are the same for all items, and jumps. Each method that takes
// an operand takes a register, a constant, an argument or a place in the frame; of two operands one is in memory at most.
type Machine interface {
	// Fetch returns the instruction that sets a register to a number in memory, from no other register.
	Fetch(from Operand, r *Reg) *Instr
	Move(from, to Operand)
	Clear(r *Reg) // as Move of 0, in a shorter instruction
	// LoadElement loads an element of 8 to 64 bits, StoreElement stores the lower bits that one has.
	LoadElement(t ir.Type, from Operand, r *Reg)
	StoreElement(t ir.Type, r *Reg, to Operand)

	// These change their last operand: Scale sets r to a multiple of x, Max to the higher one.
	Add(x, to Operand)
	Subtract(x, to Operand)
	Decrement(n Operand)
	And(x Operand, r *Reg)
	Multiply(x Operand, r *Reg)
	Scale(factor int64, x, r *Reg)
	ShiftLeft(bits int, r *Reg)
	ShiftRight(bits int, r *Reg)
	Max(x, r *Reg, unsigned bool)

	// Branch goes to a label if a comparison holds. It returns the jump.
	Branch(a Operand, is Condition, b Operand, label string) *Instr
	// BranchBits goes to a label if any of some bits are set, or none is. Only the lower 32 bits of r count.
	BranchBits(r *Reg, bits uint32, any bool, label string)
	Goto(label string) *Instr
	// Return ends the function.
	Return(next *Reg)
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
