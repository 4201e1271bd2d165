package vector

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A Set is a set of vector instructions. Its methods write instructions through the [Emitter] they are given.
//
// Bools are masks: results of comparisons, conditions of choices and branches. A set keeps them in vectors, with all bits of a
// lane or none, or in registers of their own: see [Shape.Masks].
type Set interface {
	// Shape returns the registers and lanes of the set, and its names.
	Shape() *Shape

	// Pure writes an operation without effects. The arguments a have the types of v.Args; v may stand in no kernel. Pure
	// refuses an operation without instructions.
	Pure(e *Emitter, v *ir.Value, a []*asm.Reg) *asm.Reg

	// Constant returns the instruction that sets all lanes of r to a constant, from no other register. The
	// bits of a bool are 0 or all.
	Constant(e *Emitter, t ir.Type, bits uint64, r *asm.Reg) *asm.Instr
	// Uniform is Constant for a number in memory; a bool there has 64 bits, all or none.
	Uniform(e *Emitter, t ir.Type, from asm.Operand, r *asm.Reg) *asm.Instr
	// Everywhere returns an integer in all lanes.
	Everywhere(e *Emitter, t ir.Type, g *asm.Reg) *asm.Reg

	// Machine returns the machine that writes operations on integers, and jumps, to code.
	Machine(code *asm.Code) Machine

	// StoreFirst stores the first lane of a value.
	StoreFirst(e *Emitter, t ir.Type, x *asm.Reg, to asm.Operand)
	// Upper returns the upper half of the first n lanes of a value as the lower one of another.
	Upper(e *Emitter, t ir.Type, n int, r *asm.Reg) *asm.Reg

	// First returns the mask of the first n lanes.
	First(e *Emitter, n *asm.Reg) *asm.Reg
	// Lanes returns an integer with a bit for each lane of a mask, and no other.
	Lanes(e *Emitter, mask *asm.Reg) *asm.Reg

	// Load returns the elements of a place, Store stores them; t is their type in memory. Lanes that are off access no
	// memory.
	Load(e *Emitter, t ir.Type, p Place) *asm.Reg
	Store(e *Emitter, t ir.Type, x *asm.Reg, p Place)
}

// A Shape is the registers and lanes of a set, and its names.
type Shape struct {
	asm.Registers
	Name   string   // of the target: "avx2"
	Level  string   // of package kernel, and the ending of names of types: "AVX2"
	Suffix string   // of the names of functions, of which other sets have their own
	File   string   // ends the names of files: "amd64" of z_kernels_amd64.s
	Widths []int    // items of a vector, the most first; a width that 64-bit values do not fit in is for kernels without such values
	Masks  asm.Kind // of bools
	Narrow bool     // Load and Store take elements of 8 and 16 bits, which are i32 in registers
	Halves bool     // the instructions compute in the lower halves of vectors, too, with half of Emitter.Width
	// MasksStores says that stores under a mask are as fast as others.
	MasksStores bool
}

// kindOf returns the kind of the registers of a type.
func (s *Shape) kindOf(t ir.Type) asm.Kind {
	if t == ir.Bool {
		return s.Masks
	}
	return asm.Vectors
}

// A Place is where the items of a vector load or store.
type Place struct {
	At       asm.Operand     // of the first item
	Each     [16]asm.Operand // of each item, if Apart
	Together bool            // one element after the other
	Same     bool            // the same element
	Apart    bool            // by the same number of elements
	Steps    func() *asm.Reg // of At.Index, if Apart: how many elements each item lies behind the first one; of 64 bits
	Index    *asm.Reg        // otherwise, of 64-bit integers: At has it as its index
	Mask     *asm.Reg        // lanes that are run, or nil for all
}
