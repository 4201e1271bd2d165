package asm

import (
	"fmt"
	"slices"
	"strings"
)

// A constant without a register is made in front of each instruction that reads it. An instruction that can read a vector from
// memory reads the constant there instead, at no cost.

// A Table is the constants that the instructions of a function refer to, by their symbols.
type Table map[string][]uint64

// symbolEnd ends symbols of constants, as the Go assembler writes symbols of one file.
const symbolEnd = "<>(SB)"

// Symbol returns the symbol of constants, as an operand.
func (t Table) Symbol(values []uint64) string {
	name := tableName(values)
	t[name] = values
	return name + symbolEnd
}

func tableName(values []uint64) string {
	first := values[0]
	if len(values) > 1 && !slices.ContainsFunc(values, func(v uint64) bool { return v != first }) {
		return fmt.Sprintf("bits%d_%x", len(values), first)
	}
	name := "bits"
	for _, v := range values {
		name += fmt.Sprintf("_%x", v)
	}
	return name
}

// values returns the constants of a symbol.
func (t Table) values(symbol string) ([]uint64, bool) {
	name, ok := strings.CutSuffix(symbol, symbolEnd)
	return t[name], ok && t[name] != nil
}

// fromMemory makes constants without a register operands in memory, for instructions that can have one.
func (f *Function) fromMemory() {
	for _, i := range f.list {
		if n, ok := f.registers.FromMemory[i.Op]; ok {
			f.constantAt(i, n)
			if f.registers.Commutes[i.Op] && i.Args[n].R != nil && f.constantAt(i, n+1) {
				i.Args[n], i.Args[n+1] = i.Args[n+1], i.Args[n]
			}
		}
	}
}

// constantAt makes an operand memory if it is a constant without a register, and reports whether it did.
func (f *Function) constantAt(i *Instr, n int) bool {
	r := i.Args[n].R
	if i.Args[n].mem || r == nil || r.at >= 0 || r.Remade == nil || len(r.Remade.Args) != 2 {
		return false
	}
	values, ok := f.data.values(r.Remade.Args[0].text)
	if !ok {
		return false
	}
	if len(values) == 1 {
		values = slices.Repeat(values, f.registers.Bytes/8)
	}
	i.Args[n] = Imm(f.data.Symbol(values))
	return true
}

// unread removes constants that no instruction refers to.
func (f *Function) unread() {
	read := map[string]bool{}
	for _, i := range f.list {
		for _, o := range i.Args {
			read[strings.TrimSuffix(o.text, symbolEnd)] = true
		}
	}
	for name := range f.data {
		if !read[name] {
			delete(f.data, name)
		}
	}
}
