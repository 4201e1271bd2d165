package amd64

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A Base is what AVX2 and AVX-512 have in common: integers, and the text of registers.
type Base struct{}

// Machine implements [Set].
func (Base) Machine(code *Code) Machine { return integers{code} }

// StoreFirst implements [Set].
func (Base) StoreFirst(e *Emitter, t ir.Type, x *Reg, to Operand) {
	e.Effect(map[int]string{4: "VMOVSS", 8: "VMOVSD"}[t.Bytes()], Part(x, 16), to)
}

// Extends are the instructions that load vectors of integers of 8 and 16 bits.
var Extends = map[ir.Type]string{ir.I8: "VPMOVSXBD", ir.U8: "VPMOVZXBD", ir.I16: "VPMOVSXWD", ir.U16: "VPMOVZXWD"}

// registers are those of integers.
var registers = []string{"AX", "BX", "CX", "DX", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13", "R15"}

// Register is the text of a register, see [Shape].
func Register(kind Kind, n, bytes int) string {
	switch kind {
	case Integers:
		return registers[n]
	case Masks:
		return fmt.Sprintf("K%d", 1+n) // K0 stands for no mask
	}
	return fmt.Sprintf("%s%d", map[int]string{16: "X", 32: "Y", 64: "Z"}[bytes], n)
}

// Address is the text of a place in memory, see [Registers].
func Address(base string, offset int, index string, scale int) string {
	s := fmt.Sprintf("(%s)", base)
	if offset != 0 {
		s = fmt.Sprint(offset) + s
	}
	if index != "" {
		s += fmt.Sprintf("(%s*%d)", index, scale)
	}
	return s
}

// Slow returns how many simple instructions take as long as an instruction, but for one.
func Slow(op string) int {
	switch {
	case strings.HasPrefix(op, "VGATHER"), strings.HasPrefix(op, "VSCATTER"):
		return 12
	case strings.HasPrefix(op, "VDIV"), strings.HasPrefix(op, "VSQRT"):
		return 10
	}
	return 0
}

// integers implements [Machine].
type integers struct{ *Code }

func (c integers) Fetch(from Operand, r *Reg) *Instr { return Make("MOVQ", from, R(r)) }

func (c integers) Move(from, to Operand) {
	if to.IsRegister() {
		c.Do("MOVQ", from, to)
	} else {
		c.Effect("MOVQ", from, to)
	}
}

func (c integers) Clear(r *Reg) { c.Do("XORQ", R(r), R(r)) }

// moves are the instructions that load an element into an integer, and that store one. In a vector integers of 8 and 16
// bits have 32.
var moves = map[ir.Type]struct{ load, store string }{
	ir.I8: {"MOVBLSX", "MOVB"}, ir.U8: {"MOVBLZX", "MOVB"}, ir.I16: {"MOVWLSX", "MOVW"}, ir.U16: {"MOVWLZX", "MOVW"},
	ir.I32: {"MOVL", "MOVL"}, ir.F32: {"MOVL", "MOVL"}, ir.I64: {"MOVQ", "MOVQ"}, ir.F64: {"MOVQ", "MOVQ"},
}

func (c integers) LoadElement(t ir.Type, from Operand, r *Reg) { c.Do(moves[t].load, from, R(r)) }
func (c integers) StoreElement(t ir.Type, r *Reg, to Operand)  { c.Effect(moves[t].store, R(r), to) }

// modify writes an instruction that changes a register or memory.
func (c integers) modify(op string, x, to Operand) {
	if to.IsRegister() {
		c.Update(op, x, to)
	} else {
		c.Effect(op, x, to)
	}
}

func (c integers) Add(x, to Operand)           { c.modify("ADDQ", x, to) }
func (c integers) Subtract(x, to Operand)      { c.modify("SUBQ", x, to) }
func (c integers) And(x Operand, r *Reg)       { c.Update("ANDQ", x, R(r)) }
func (c integers) Multiply(x Operand, r *Reg)  { c.Update("IMULQ", x, R(r)) }
func (c integers) ShiftLeft(bits int, r *Reg)  { c.Update("SHLQ", Const(bits), R(r)) }
func (c integers) ShiftRight(bits int, r *Reg) { c.counts("SHRQ", Const(bits), R(r)) }
func (c integers) Decrement(n Operand)         { c.counts("DECQ", n) }

func (c integers) Scale(factor int64, x, r *Reg) {
	if x == r {
		c.Update("IMUL3Q", Const(factor), R(x), R(r))
	} else {
		c.Do("IMUL3Q", Const(factor), R(x), R(r))
	}
}

// counts writes an instruction for whose flags [integers.Branch] may ask.
func (c integers) counts(op string, args ...Operand) {
	i := &Instr{op: op, args: args, flags: true}
	if args[len(args)-1].IsRegister() {
		i.writes, i.reads = 1, true
	}
	c.emit(i)
}

func (c integers) Max(x, r *Reg, unsigned bool) {
	c.Effect("CMPQ", R(x), R(r))
	c.Update(map[bool]string{false: "CMOVQGT", true: "CMOVQHI"}[unsigned], R(x), R(r))
}

// conditions are the jumps behind a comparison.
var conditions = [...]string{Equal: "JEQ", NotEqual: "JNE", Less: "JLT", AtMost: "JLE", AtLeast: "JGE", NotBelow: "JCC", Above: "JHI"}

func (c integers) Branch(a Operand, is Condition, b Operand, label string) *Instr {
	switch {
	case b != Const(0):
		c.Effect("CMPQ", a, b)
	case !c.flagsOf(a):
		c.Effect("TESTQ", a, a)
	}
	return c.Jump(conditions[is], label)
}

// flagsOf reports whether the flags are those of a number, as the instruction before has computed it.
func (c integers) flagsOf(a Operand) bool {
	n := len(*c.out) - 1
	if n < 0 {
		return false
	}
	i := (*c.out)[n]
	return (i.flags || i.op == "SUBQ") && i.args[len(i.args)-1] == a
}

func (c integers) BranchBits(r *Reg, bits uint32, any bool, label string) {
	if bits == AllBits {
		c.Effect("TESTL", R(r), R(r))
	} else {
		c.Effect("TESTL", Const(int(bits)), R(r))
	}
	c.Jump(map[bool]string{true: "JNE", false: "JEQ"}[any], label)
}

func (c integers) Goto(label string) *Instr { return c.Jump("JMP", label) }

func (c integers) Return(next *Reg) {
	c.Effect("MOVQ", R(next), ofArgument(&argument{name: "next"}))
	c.Effect("VZEROUPPER")
	c.Effect("RET")
}
