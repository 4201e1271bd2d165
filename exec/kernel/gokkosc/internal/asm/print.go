package asm

import (
	"fmt"
	"strings"
)

// String returns the function as text, an instruction on a line. Virtual registers are numbered in the order in which
// they appear: n1 is an integer, v1 a vector, k1 a mask. v1.16 is the lower 16 bytes of a vector. A jump that closes a
// loop says so.
func (f *Function) String() string {
	p := f.printer()
	closes := map[*Instr]bool{}
	for _, l := range f.loops {
		closes[l.last] = true
	}
	var b strings.Builder
	for _, i := range f.list {
		b.WriteString(p.instr(i))
		if closes[i] {
			b.WriteString(" // closes the loop")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// A printer knows the names of virtual registers.
type printer struct {
	f     *Function
	names map[*Reg]string
	count [kinds]int
}

// printer returns one that has named all registers of a function.
func (f *Function) printer() *printer {
	p := &printer{f: f, names: map[*Reg]string{}}
	for _, i := range f.list {
		i.Each(func(r *Reg, _, _ bool) { p.name(r) })
	}
	return p
}

func (p *printer) name(r *Reg) string {
	if p.names[r] == "" {
		p.count[r.Kind]++
		p.names[r] = fmt.Sprintf("%c%d", "nvk"[r.Kind], p.count[r.Kind])
	}
	return p.names[r]
}

func (p *printer) instr(i *Instr) string {
	if i.Label != "" {
		return i.Label + ":"
	}
	var args []string
	for _, o := range i.Args {
		args = append(args, p.operand(o))
	}
	return strings.TrimRight("\t"+i.Op+" "+strings.Join(args, ", "), " ")
}

func (p *printer) operand(o Operand) string {
	switch {
	case o.text != "":
		return o.text
	case o.Arg != nil:
		return o.Arg.Name
	case o.mem && o.R == nil:
		return fmt.Sprintf("%d(frame)", o.disp)
	case o.R == nil:
		return "nothing"
	case o.mem:
		index := ""
		if o.index != nil {
			index = p.name(o.index)
		}
		return p.f.registers.Address(p.name(o.R), o.disp, index, o.scale)
	case o.bytes != 0 && o.bytes != p.f.registers.Bytes:
		return fmt.Sprintf("%s.%d", p.name(o.R), o.bytes)
	}
	return p.name(o.R)
}
