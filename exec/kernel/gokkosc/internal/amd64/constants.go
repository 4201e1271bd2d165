package amd64

import (
	"fmt"
	"slices"
	"strings"
)

// Constants without a register are made in front of each instruction that reads them, unless that can read them from
// memory, where a whole vector of them takes no instruction of its own.

// A table is the constants that the instructions of a function refer to, by their symbols.
type table map[string][]uint64

// symbol returns the symbol of constants, as an operand.
func (t table) symbol(values []uint64) string {
	name := tableName(values)
	t[name] = values
	return name + "<>(SB)"
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
func (t table) values(symbol string) ([]uint64, bool) {
	name, ok := strings.CutSuffix(symbol, "<>(SB)")
	return t[name], ok && t[name] != nil
}

// fromMemory lets instructions read constants without a register from memory, and forgets those that none refers to then.
func (f *function) fromMemory() {
	for _, i := range f.list {
		if n, ok := f.registers.FromMemory[i.op]; ok {
			f.constantAt(i, n)
			if f.registers.Commutes[i.op] && i.args[n].r != nil && f.constantAt(i, n+1) {
				i.args[n], i.args[n+1] = i.args[n+1], i.args[n]
			}
		}
	}
}

// constantAt lets an operand be memory if it is a constant without a register. It reports whether it is.
func (f *function) constantAt(i *Instr, n int) bool {
	r := i.args[n].r
	if i.args[n].mem || r == nil || r.at >= 0 || r.remade == nil || len(r.remade.args) != 2 {
		return false
	}
	values, ok := f.data.values(r.remade.args[0].text)
	if !ok {
		return false
	}
	if len(values) == 1 {
		values = slices.Repeat(values, f.registers.Bytes/8)
	}
	i.args[n] = Imm(f.data.symbol(values))
	return true
}

// unread removes constants that no instruction refers to.
func (f *function) unread() {
	read := map[string]bool{}
	for _, i := range f.list {
		for _, o := range i.args {
			read[strings.TrimSuffix(o.text, "<>(SB)")] = true
		}
	}
	for name := range f.data {
		if !read[name] {
			delete(f.data, name)
		}
	}
}
