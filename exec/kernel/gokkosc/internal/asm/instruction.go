package asm

import (
	"fmt"
	"go/token"
)

// A Kind is a kind of registers.
type Kind uint8

// The kinds of registers.
const (
	Integers Kind = iota // the same for all items
	Vectors
	Masks // where they are not vectors
	kinds
)

// A Reg is a value in a register: of a vector, of a mask, or of an integer that is the same for all items. A
// register may be written several times.
type Reg struct {
	Kind   Kind
	Remade *Instr // the instruction that makes it anew in front of each use, from no registers; or nil

	first, last int     // its lifetime, see lifetimes
	weight      float64 // number of uses; one in a loop counts eight times
	at          int     // number of the register of the machine, or -1
	number      int     // among the registers of a function, see number
	from        *Reg    // the register that it begins as a copy of, or nil: the two share one if they can
	slot        int     // bytes up the frame, if at is -1
}

// An Operand of an instruction is a register, memory, or text.
type Operand struct {
	R     *Reg
	bytes int  // lower bytes of a vector that are used; 0: all
	mem   bool // memory at R + index*scale + disp; in the frame at disp if R is nil
	index *Reg
	scale int
	disp  int
	Arg   *Argument // of the function, with disp
	text  string    // a constant, a label or a symbol
}

// An Instr is an instruction, with operands in the order of the Go assembler: the last one is written. An Instr without an
// operation is a label.
type Instr struct {
	Op     string
	Args   []Operand
	Writes int  // number of the last operands that are written, if they are registers
	Reads  bool // the written register is also read
	Copies bool // a whole register to another one
	jumps  bool // to a label
	ends   bool // control goes on nowhere behind it, or only at its label
	Flags  bool // a jump behind it may ask for its flags, so that it stays if nothing reads its result
	Label  string
	pos    token.Position
	place  int // in the list of a function, see number

	virtual  []Operand // before it was given registers, see check
	from, to *Reg      // of an instruction that moves a value of the frame, or makes it anew: then from is nil
}

// Make returns an instruction that writes its last operand.
func Make(op string, args ...Operand) *Instr { return &Instr{Op: op, Args: args, Writes: 1} }

// An Argument is one of the function in assembly.
type Argument struct {
	Name   string
	GoType string
	Size   int
	offset int
	Value  string // in Go
}

// R is a whole register, Part the lower bytes of a vector.
func R(r *Reg) Operand               { return Operand{R: r} }
func Part(r *Reg, bytes int) Operand { return Operand{R: r, bytes: bytes} }

// Const is a constant.
func Const[N int | int64](n N) Operand { return Operand{text: fmt.Sprintf("$%d", n)} }

// Imm is a constant, a label or a symbol.
func Imm(text string) Operand { return Operand{text: text} }

func Arg(a *Argument) Operand { return Operand{Arg: a} }

// At is the memory at base + index*scale + disp.
func At(base, index *Reg, scale, disp int) Operand {
	return Operand{R: base, mem: true, index: index, scale: scale, disp: disp}
}

// Frame is the place at an offset in the frame. Loads and stores lane by lane go through the first two vectors there.
func Frame(offset int) Operand { return Operand{mem: true, disp: offset} }

// IsRegister reports whether an operand is a register, and not memory.
func (o Operand) IsRegister() bool { return o.R != nil && !o.mem }

// Plus is the memory some bytes behind an operand.
func (o Operand) Plus(bytes int) Operand {
	o.disp += bytes
	return o
}

// Indexed is the memory with an index.
func (o Operand) Indexed(index *Reg, scale int) Operand {
	o.index, o.scale = index, scale
	return o
}

// A loopRange is the instructions of a loop.
type loopRange struct {
	first, last *Instr
	outer       *loopRange // the loop around it, see innermost
}

// A Function is the instructions of one function in assembly.
type Function struct {
	registers *Registers
	data      Table
	list      []*Instr
	loops     []*loopRange
	frame     int // bytes
}
