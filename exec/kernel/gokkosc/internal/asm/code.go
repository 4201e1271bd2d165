package asm

import (
	"fmt"
	"go/token"
)

// A Code is a list of instructions that is being written.
type Code struct {
	Out    *[]*Instr      // where instructions are written
	Pos    token.Position // in Go, of what is written
	Loops  []loopRange
	labels int // so far
}

// Integer returns a register for a number that is the same for all items.
func (c *Code) Integer() *Reg { return &Reg{} }

// Function returns the function of all instructions, those at the end of the loops among them, and of constants that they
// refer to. Its frame begins with room for two vectors.
func (c *Code) Function(list []*Instr, r *Registers, data Table) *Function {
	return &Function{registers: r, data: data, list: list, loops: c.Loops, frame: 2 * r.Bytes}
}

// Closes notes a loop from a label to a jump back to it.
func (c *Code) Closes(first, jump *Instr) { c.Loops = append(c.Loops, loopRange{first, jump}) }

func (c *Code) Emit(i *Instr) {
	i.pos = c.Pos
	*c.Out = append(*c.Out, i)
}

// Do writes an instruction that writes its last operand, Update one that reads that too, and Effect
// one that writes no register.
func (c *Code) Do(op string, args ...Operand) { c.Emit(Make(op, args...)) }
func (c *Code) Update(op string, args ...Operand) {
	c.Emit(&Instr{Op: op, Args: args, Writes: 1, Reads: true})
}
func (c *Code) Effect(op string, args ...Operand) { c.Emit(&Instr{Op: op, Args: args}) }

// Clobber writes an instruction that reads and writes all its registers, but those of memory.
func (c *Code) Clobber(op string, args ...Operand) {
	c.Emit(&Instr{Op: op, Args: args, Writes: len(args), Reads: true})
}

// Scatter writes an instruction that stores its first operand, and clears the mask that is the second one.
func (c *Code) Scatter(op string, args ...Operand) {
	c.Emit(&Instr{Op: op, Args: args, Writes: 2, Reads: true})
}

// Aside writes instructions to another place.
func (c *Code) Aside(list *[]*Instr, f func()) {
	out := c.Out
	c.Out = list
	f()
	c.Out = out
}

func (c *Code) Label() string {
	c.labels++
	return fmt.Sprintf("l%d", c.labels)
}

func (c *Code) Mark(label string) *Instr {
	i := &Instr{Label: label}
	c.Emit(i)
	return i
}

func (c *Code) Jump(op, label string) *Instr {
	i := &Instr{Op: op, Args: []Operand{Imm(label)}, jumps: true}
	c.Emit(i)
	return i
}
