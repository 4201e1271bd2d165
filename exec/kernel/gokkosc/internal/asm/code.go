package asm

import (
	"fmt"
	"go/token"
)

// A Code is a list of instructions that is being written.
type Code struct {
	Out    *[]*Instr      // the list that instructions are appended to
	Pos    token.Position // in Go, of the next instructions
	Loops  []*loopRange
	labels int // so far
}

// Integer returns a register for a number that is the same for all items.
func (c *Code) Integer() *Reg { return &Reg{} }

// Function returns the function of a list of instructions, and of constants that they refer to. Loops that were written
// and are not in the list are none of its own. Its frame begins with room for two vectors.
func (c *Code) Function(list []*Instr, r *Registers, data Table) *Function {
	f := &Function{registers: r, data: data, list: list, frame: 2 * r.Bytes}
	f.number()
	for _, l := range c.Loops {
		if n := l.last.place; n < len(list) && list[n] == l.last {
			f.loops = append(f.loops, l)
		}
	}
	return f
}

// Closes notes a loop from a label to a jump back to it.
func (c *Code) Closes(first, jump *Instr) {
	c.Loops = append(c.Loops, &loopRange{first: first, last: jump})
}

// Emit writes an instruction.
func (c *Code) Emit(i *Instr) {
	i.pos = c.Pos
	*c.Out = append(*c.Out, i)
}

// Do writes an instruction that writes its last operand. Update writes one that reads that operand, too, and Effect one that
// writes no register.
func (c *Code) Do(op string, args ...Operand) { c.Emit(Make(op, args...)) }
func (c *Code) Update(op string, args ...Operand) {
	c.Emit(&Instr{Op: op, Args: args, Writes: 1, Reads: true})
}
func (c *Code) Effect(op string, args ...Operand) { c.Emit(&Instr{Op: op, Args: args}) }

// Clobber writes an instruction that reads and writes all its registers except bases and indices of memory.
func (c *Code) Clobber(op string, args ...Operand) {
	c.Emit(&Instr{Op: op, Args: args, Writes: len(args), Reads: true})
}

// Scatter writes an instruction that stores its first operand, and clears its second one, a mask.
func (c *Code) Scatter(op string, args ...Operand) {
	c.Emit(&Instr{Op: op, Args: args, Writes: 2, Reads: true})
}

// Aside appends the instructions that f writes to another list.
func (c *Code) Aside(list *[]*Instr, f func()) {
	out := c.Out
	c.Out = list
	f()
	c.Out = out
}

// Label returns the name of a new label, and Mark writes a label.
func (c *Code) Label() string {
	c.labels++
	return fmt.Sprintf("l%d", c.labels)
}

func (c *Code) Mark(label string) *Instr {
	i := &Instr{Label: label}
	c.Emit(i)
	return i
}

// Jump writes a jump that a condition decides on, Go one that is always taken, and End the last instruction of a way.
func (c *Code) Jump(op, label string) *Instr {
	i := &Instr{Op: op, Args: []Operand{Imm(label)}, jumps: true}
	c.Emit(i)
	return i
}

func (c *Code) Go(op, label string) *Instr {
	i := c.Jump(op, label)
	i.ends = true
	return i
}

func (c *Code) End(op string) { c.Emit(&Instr{Op: op, ends: true}) }
