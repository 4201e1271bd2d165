package amd64

import (
	"fmt"
	"go/token"
)

// A Code is a list of instructions that is being written.
type Code struct {
	out    *[]*Instr      // where instructions are written
	pos    token.Position // in Go, of what is written
	loops  []loopRange
	labels int // so far
}

// Integer returns a register for a number that is the same for all items.
func (c *Code) Integer() *Reg { return &Reg{} }

// Function returns the function of all instructions, those at the end of the loops among them, and of constants that they
// refer to. Its frame begins with room for two vectors.
func (c *Code) Function(list []*Instr, r *Registers, data table) *function {
	return &function{registers: r, data: data, list: list, loops: c.loops, frame: 2 * r.Bytes}
}

// closes notes a loop from a label to a jump back to it.
func (c *Code) closes(first, jump *Instr) { c.loops = append(c.loops, loopRange{first, jump}) }

func (c *Code) emit(i *Instr) {
	i.pos = c.pos
	*c.out = append(*c.out, i)
}

// Do writes an instruction that writes its last operand, Update one that reads that too, and Effect
// one that writes no register.
func (c *Code) Do(op string, args ...Operand) { c.emit(Make(op, args...)) }
func (c *Code) Update(op string, args ...Operand) {
	c.emit(&Instr{op: op, args: args, writes: 1, reads: true})
}
func (c *Code) Effect(op string, args ...Operand) { c.emit(&Instr{op: op, args: args}) }

// Clobber writes an instruction that reads and writes all its registers, but those of memory.
func (c *Code) Clobber(op string, args ...Operand) {
	c.emit(&Instr{op: op, args: args, writes: len(args), reads: true})
}

// Scatter writes an instruction that stores its first operand, and clears the mask that is the second one.
func (c *Code) Scatter(op string, args ...Operand) {
	c.emit(&Instr{op: op, args: args, writes: 2, reads: true})
}

// aside writes instructions to another place.
func (c *Code) aside(list *[]*Instr, f func()) {
	out := c.out
	c.out = list
	f()
	c.out = out
}

func (c *Code) Label() string {
	c.labels++
	return fmt.Sprintf("l%d", c.labels)
}

func (c *Code) Mark(label string) *Instr {
	i := &Instr{label: label}
	c.emit(i)
	return i
}

func (c *Code) Jump(op, label string) *Instr {
	i := &Instr{op: op, args: []Operand{Imm(label)}, jumps: true}
	c.emit(i)
	return i
}
