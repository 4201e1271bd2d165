package asm

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// layout gives arguments their places, and returns the place of the result.
func layout(args []*Argument) (result int) {
	at := 0
	for _, a := range args {
		at = (at + a.Size - 1) / a.Size * a.Size
		a.offset = at
		at += a.Size
	}
	return (at + 7) &^ 7
}

// minFrame is the size of a frame, in bytes, from which on the assembler lets a function check the stack when it is
// called. A loop over calls can be preempted at that check.
const minFrame = 128

// Text returns the function of a name in assembly, with arguments, and the lines of Go that instructions are of. The
// function line may be nil.
func (f *Function) Text(name, doc string, args []*Argument, line func(token.Position) string) string {
	result := layout(args)
	var b strings.Builder
	fmt.Fprintf(&b, "// %s %s\nTEXT ·%s(SB), 0, $%d-%d\n\tNO_LOCAL_POINTERS\n", name, doc, name, max(f.frame+7, minFrame)&^7, result+8)
	at := 0
	for _, i := range f.list {
		if i.Label != "" {
			fmt.Fprintf(&b, "%s:\n", i.Label)
			continue
		}
		if i.pos.Line != at && i.pos.IsValid() {
			at = i.pos.Line
			b.WriteString(comment(i.pos, line))
		}
		var args []string
		for _, a := range i.Args {
			args = append(args, f.operand(a, result))
		}
		fmt.Fprintf(&b, "\t%s\n", strings.TrimSpace(i.Op+" "+strings.Join(args, ", ")))
	}
	return b.String()
}

// comment returns the line of Go above its instructions.
func comment(pos token.Position, line func(token.Position) string) string {
	text := ""
	if line != nil {
		if text = strings.TrimSpace(line(pos)); text != "" {
			text = ": " + text
		}
	}
	name := pos.Filename[strings.LastIndexByte(pos.Filename, '/')+1:]
	return fmt.Sprintf("\t// %s:%d%s\n", name, pos.Line, text)
}

// operand is one as the assembler reads it.
func (f *Function) operand(o Operand, result int) string {
	switch {
	case o.text != "":
		return o.text
	case o.Arg != nil && o.Arg.Name == "next":
		return fmt.Sprintf("next+%d(FP)", result)
	case o.Arg != nil:
		return fmt.Sprintf("%s+%d(FP)", o.Arg.Name, o.Arg.offset)
	case o.mem && o.R == nil:
		return f.registers.Frame(o.disp)
	case o.mem:
		index := ""
		if o.index != nil {
			index = f.register(o.index, 0)
		}
		return f.registers.Address(f.register(o.R, 0), o.disp, index, o.scale)
	}
	return f.register(o.R, o.bytes)
}

// register returns the text of a register, given the number of its bytes that are used, or all.
func (f *Function) register(r *Reg, bytes int) string {
	if bytes == 0 {
		bytes = f.registers.Bytes
	}
	return f.registers.Text(r.Kind, r.at, bytes)
}

// Source returns the file of functions with the constants that they refer to, by their symbols.
func Source(header string, functions []string, data map[string][]uint64) string {
	var b strings.Builder
	b.WriteString(header)
	b.WriteString("\n#include \"textflag.h\"\n#include \"funcdata.h\"\n\n")
	for _, name := range slices.Sorted(maps.Keys(data)) {
		for n, v := range data[name] {
			fmt.Fprintf(&b, "DATA %s<>+%d(SB)/8, $%#x\n", name, 8*n, v)
		}
		fmt.Fprintf(&b, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n\n", name, 8*len(data[name]))
	}
	for _, f := range functions {
		b.WriteString(f + "\n")
	}
	return b.String()
}
