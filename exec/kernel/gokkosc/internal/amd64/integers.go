// Package amd64 is the machine of vectors on amd64. It has the integer registers and their instructions, the
// text of registers and addresses, and the instructions that AVX2 and AVX-512 share.
package amd64

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/vector"
)

// A Base is the part of a [vector.Set] that AVX2 and AVX-512 share.
type Base struct{}

// Machine implements [vector.Set].
func (Base) Machine(code *asm.Code) vector.Machine { return integers{code} }

// StoreFirst implements [vector.Set].
func (Base) StoreFirst(e *vector.Emitter, t ir.Type, x *asm.Reg, to asm.Operand) {
	e.Effect(map[int]string{4: "VMOVSS", 8: "VMOVSD"}[t.Bytes()], asm.Part(x, 16), to)
}

// Extends are the instructions that load vectors of integers of 8 and 16 bits.
var Extends = map[ir.Type]string{ir.I8: "VPMOVSXBD", ir.U8: "VPMOVZXBD", ir.I16: "VPMOVSXWD", ir.U16: "VPMOVZXWD"}

// registers are the names of the registers for integers.
var registers = []string{"AX", "BX", "CX", "DX", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13", "R15"}

// Register is the text of a register, see [asm.Registers].
func Register(kind asm.Kind, n, bytes int) string {
	switch kind {
	case asm.Integers:
		return registers[n]
	case asm.Masks:
		return fmt.Sprintf("K%d", 1+n) // K0 stands for no mask
	}
	return fmt.Sprintf("%s%d", map[int]string{16: "X", 32: "Y", 64: "Z"}[bytes], n)
}

// Address is the text of a place in memory, see [asm.Registers].
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

// Frame is the text of a place in the frame, see [asm.Registers].
func Frame(offset int) string { return fmt.Sprintf("%d(SP)", offset) }

// Slow returns the number of simple instructions that take as long as an instruction, less one.
func Slow(op string) int {
	switch {
	case strings.HasPrefix(op, "VGATHER"), strings.HasPrefix(op, "VSCATTER"):
		return 12
	case strings.HasPrefix(op, "VDIV"), strings.HasPrefix(op, "VSQRT"):
		return 10
	}
	return 0
}

// integers implements [vector.Machine].
type integers struct{ *asm.Code }

func (c integers) Fetch(from asm.Operand, r *asm.Reg) *asm.Instr {
	return asm.Make("MOVQ", from, asm.R(r))
}

func (c integers) Move(from, to asm.Operand) {
	if to.IsRegister() {
		c.Do("MOVQ", from, to)
	} else {
		c.Effect("MOVQ", from, to)
	}
}

func (c integers) Clear(r *asm.Reg) { c.Do("XORQ", asm.R(r), asm.R(r)) }

// moves are the instructions that load an element into an integer, and that store one. In a vector integers of 8 and 16
// bits have 32.
var moves = map[ir.Type]struct{ load, store string }{
	ir.I8: {"MOVBLSX", "MOVB"}, ir.U8: {"MOVBLZX", "MOVB"}, ir.I16: {"MOVWLSX", "MOVW"}, ir.U16: {"MOVWLZX", "MOVW"},
	ir.I32: {"MOVL", "MOVL"}, ir.F32: {"MOVL", "MOVL"}, ir.I64: {"MOVQ", "MOVQ"}, ir.F64: {"MOVQ", "MOVQ"},
}

func (c integers) LoadElement(t ir.Type, from asm.Operand, r *asm.Reg) {
	c.Do(moves[t].load, from, asm.R(r))
}
func (c integers) StoreElement(t ir.Type, r *asm.Reg, to asm.Operand) {
	c.Effect(moves[t].store, asm.R(r), to)
}

// modify writes an instruction that changes a register or memory.
func (c integers) modify(op string, x, to asm.Operand) {
	if to.IsRegister() {
		c.Update(op, x, to)
	} else {
		c.Effect(op, x, to)
	}
}

func (c integers) Add(x, to asm.Operand)              { c.modify("ADDQ", x, to) }
func (c integers) Subtract(x, to asm.Operand)         { c.modify("SUBQ", x, to) }
func (c integers) And(x asm.Operand, r *asm.Reg)      { c.Update("ANDQ", x, asm.R(r)) }
func (c integers) Multiply(x asm.Operand, r *asm.Reg) { c.Update("IMULQ", x, asm.R(r)) }
func (c integers) ShiftLeft(bits int, r *asm.Reg)     { c.Update("SHLQ", asm.Const(bits), asm.R(r)) }
func (c integers) ShiftRight(bits int, r *asm.Reg)    { c.counts("SHRQ", asm.Const(bits), asm.R(r)) }
func (c integers) Decrement(n asm.Operand)            { c.counts("DECQ", n) }

func (c integers) Scale(factor int64, x, r *asm.Reg) {
	if x == r {
		c.Update("IMUL3Q", asm.Const(factor), asm.R(x), asm.R(r))
	} else {
		c.Do("IMUL3Q", asm.Const(factor), asm.R(x), asm.R(r))
	}
}

// counts writes an instruction for whose flags [integers.Branch] may ask.
func (c integers) counts(op string, args ...asm.Operand) {
	i := &asm.Instr{Op: op, Args: args, Flags: true}
	if args[len(args)-1].IsRegister() {
		i.Writes, i.Reads = 1, true
	}
	c.Emit(i)
}

func (c integers) Max(x, r *asm.Reg, unsigned bool) {
	c.Effect("CMPQ", asm.R(x), asm.R(r))
	c.Update(map[bool]string{false: "CMOVQGT", true: "CMOVQHI"}[unsigned], asm.R(x), asm.R(r))
}

// conditions are the jumps behind a comparison.
var conditions = [...]string{vector.Equal: "JEQ", vector.NotEqual: "JNE", vector.Less: "JLT", vector.AtMost: "JLE", vector.AtLeast: "JGE", vector.NotBelow: "JCC", vector.Above: "JHI"}

func (c integers) Branch(a asm.Operand, is vector.Condition, b asm.Operand, label string) *asm.Instr {
	switch {
	case b != asm.Const(0):
		c.Effect("CMPQ", a, b)
	case !c.flagsOf(a):
		c.Effect("TESTQ", a, a)
	}
	return c.Jump(conditions[is], label)
}

// flagsOf reports whether the flags belong to a number that the instruction before has computed.
func (c integers) flagsOf(a asm.Operand) bool {
	n := len(*c.Out) - 1
	if n < 0 {
		return false
	}
	i := (*c.Out)[n]
	return (i.Flags || i.Op == "SUBQ") && i.Args[len(i.Args)-1] == a
}

func (c integers) BranchBits(r *asm.Reg, bits uint32, any bool, label string) {
	if bits == vector.AllBits {
		c.Effect("TESTL", asm.R(r), asm.R(r))
	} else {
		c.Effect("TESTL", asm.Const(int(bits)), asm.R(r))
	}
	c.Jump(map[bool]string{true: "JNE", false: "JEQ"}[any], label)
}

func (c integers) Goto(label string) *asm.Instr { return c.Go("JMP", label) }

func (c integers) Return(next *asm.Reg) {
	c.Effect("MOVQ", asm.R(next), asm.Arg(&asm.Argument{Name: "next"}))
	c.Effect("VZEROUPPER")
	c.End("RET")
}
