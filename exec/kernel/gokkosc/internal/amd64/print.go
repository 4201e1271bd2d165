package amd64

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
)

// A writer writes a function as text.
type writer struct {
	Names
	shape   *Shape
	e       *Emitter
	f       *function
	p       *goloops.Prologue
	line    func(token.Position) string
	imports map[string]bool
	cost    cost
	b       strings.Builder

	hasLeaves bool // the method Leaves is there
}

// layout gives arguments their places, and returns that of the result.
func (w *writer) layout() (result int) {
	at := 0
	for _, a := range w.e.args {
		at = (at + a.size - 1) / a.size * a.size
		a.offset = at
		at += a.size
	}
	return (at + 7) &^ 7
}

// minFrame is the size of a frame from which on the assembler has a function look at the stack when it is called:
// that is where a loop over calls can be preempted.
const minFrame = 128

func (w *writer) name() string {
	if w.Left {
		return w.Base + "Left" + w.shape.Suffix
	}
	return w.Base + "Vectors" + w.shape.Suffix
}

func (w *writer) assembly() string {
	result := w.layout()
	w.b.Reset()
	fmt.Fprintf(&w.b, "// %s runs the items of kernel %s.\nTEXT ·%s(SB), 0, $%d-%d\n\tNO_LOCAL_POINTERS\n", w.name(), w.e.k.Name, w.name(), max(w.f.frame+7, minFrame)&^7, result+8)
	at := 0
	for _, i := range w.f.list {
		if i.label != "" {
			fmt.Fprintf(&w.b, "%s:\n", i.label)
			continue
		}
		if i.pos.Line != at && i.pos.IsValid() {
			at = i.pos.Line
			w.comment(i.pos)
		}
		var args []string
		for _, a := range i.args {
			args = append(args, w.operand(a, result))
		}
		fmt.Fprintf(&w.b, "\t%s\n", strings.TrimSpace(i.op+" "+strings.Join(args, ", ")))
	}
	return w.b.String()
}

// comment writes a line of Go above its instructions.
func (w *writer) comment(pos token.Position) {
	text := ""
	if w.line != nil {
		if text = strings.TrimSpace(w.line(pos)); text != "" {
			text = ": " + text
		}
	}
	name := pos.Filename[strings.LastIndexByte(pos.Filename, '/')+1:]
	fmt.Fprintf(&w.b, "\t// %s:%d%s\n", name, pos.Line, text)
}

// operand is one as the assembler reads it.
func (w *writer) operand(o Operand, result int) string {
	switch {
	case o.text != "":
		return o.text
	case o.arg != nil && o.arg.name == "next":
		return fmt.Sprintf("next+%d(FP)", result)
	case o.arg != nil:
		return fmt.Sprintf("%s+%d(FP)", o.arg.name, o.arg.offset)
	case o.mem && o.r == nil:
		return fmt.Sprintf("%d(SP)", o.disp)
	case o.mem:
		s := fmt.Sprintf("(%s)", w.shape.Register(o.r.kind, o.r.at, w.shape.Bytes))
		if o.disp != 0 {
			s = fmt.Sprint(o.disp) + s
		}
		if o.index != nil {
			s += fmt.Sprintf("(%s*%d)", w.shape.Register(o.index.kind, o.index.at, w.shape.Bytes), o.scale)
		}
		return s
	}
	if o.bytes == 0 {
		o.bytes = w.shape.Bytes
	}
	return w.shape.Register(o.r.kind, o.r.at, o.bytes)
}

// unused returns the variables of the prologue that neither it nor the rest reads.
func (w *writer) unused(prologue, rest string) (list []string) {
	names := map[string]bool{}
	for _, n := range w.p.Mem {
		names[n] = true
	}
	for _, s := range w.p.Value {
		if token.IsIdentifier(s) {
			names[s] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if words(prologue, name) < 2 && words(rest, name) == 0 {
			list = append(list, name)
		}
	}
	return list
}

// words counts how often a name is in a text, as a word and no field.
func words(text, name string) (n int) {
	letter := func(r byte) bool {
		return r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= 0x80
	}
	for at := 0; ; {
		k := strings.Index(text[at:], name)
		if k < 0 {
			return n
		}
		at += k
		end := at + len(name)
		if (at == 0 || !letter(text[at-1]) && text[at-1] != '.') && (end == len(text) || !letter(text[end])) {
			n++
		}
		at = end
	}
}

// assemblyFile returns the assembly of several kernels.
func assemblyFile(header string, all []*Compiled) string {
	var b strings.Builder
	b.WriteString(header)
	b.WriteString("\n#include \"textflag.h\"\n#include \"funcdata.h\"\n\n")
	data := map[string][]uint64{}
	for _, c := range all {
		maps.Copy(data, c.Data)
	}
	for _, name := range slices.Sorted(maps.Keys(data)) {
		for n, v := range data[name] {
			fmt.Fprintf(&b, "DATA %s<>+%d(SB)/8, $%#x\n", name, 8*n, v)
		}
		fmt.Fprintf(&b, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n\n", name, 8*len(data[name]))
	}
	for _, c := range all {
		b.WriteString(c.Asm)
		b.WriteString("\n")
	}
	return b.String()
}
