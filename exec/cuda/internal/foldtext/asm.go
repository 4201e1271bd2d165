package foldtext

import (
	"fmt"
	"strings"
)

// A class is a kind of registers.
type class int

const (
	f64 class = iota
	f32
	b64
	b32
	b16
	pred
	classes
)

var (
	classNames = [classes]string{"f64", "f32", "b64", "b32", "b16", "pred"}
	prefixes   = [classes]string{"%fd", "%f", "%rd", "%r", "%h", "%p"}
)

func (c class) bytes() int { return [classes]int{8, 4, 8, 4, 2, 1}[c] }

// moved returns the type that moves, loads and stores have of a class.
func (c class) moved() string { return [classes]string{"f64", "f32", "b64", "b32", "b16", "pred"}[c] }

// stored returns the type that loads and stores have.
func (c class) stored() string { return [classes]string{"f64", "f32", "u64", "u32", "u16", ""}[c] }

// An asm writes the instructions of an entry.
type asm struct {
	text   strings.Builder
	count  [classes]int
	labels int
	tile   int // bytes of the array tile, in shared memory
}

func (a *asm) fresh(c class) string {
	a.count[c]++
	return fmt.Sprintf("%s%d", prefixes[c], a.count[c])
}

func (a *asm) op(format string, args ...any) { fmt.Fprintf(&a.text, "\t"+format+";\n", args...) }

// to writes an instruction whose result is in a fresh register, which it returns.
func (a *asm) to(c class, name string, operands ...string) string {
	r := a.fresh(c)
	a.op("%s %s, %s", name, r, strings.Join(operands, ", "))
	return r
}

func (a *asm) newLabel(what string) string {
	a.labels++
	return fmt.Sprintf("$%s%d", what, a.labels)
}

func (a *asm) label(l string) { fmt.Fprintf(&a.text, "%s:\n", l) }

// param loads a parameter, each of which has 64 bits.
func (a *asm) param(name string) string { return a.to(b64, "ld.param.u64", "["+name+"]") }

// address loads a parameter that is an address.
func (a *asm) address(name string) string { return a.to(b64, "cvta.to.global.u64", a.param(name)) }

// special returns a special register as 64 bits.
func (a *asm) special(name string) string {
	return a.to(b64, "cvt.u64.u32", a.to(b32, "mov.u32", name))
}

// entry returns the text of an entry with these parameters.
func (a *asm) entry(name string, params []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n.visible .entry %s(\n\t.param .u64 %s\n)\n{\n", name, strings.Join(params, ",\n\t.param .u64 "))
	for c, n := range a.count {
		if n > 0 {
			fmt.Fprintf(&b, "\t.reg .%s %s<%d>;\n", classNames[c], prefixes[c], n+1)
		}
	}
	if a.tile > 0 {
		fmt.Fprintf(&b, "\t.shared .align 8 .b8 tile[%d];\n", a.tile)
	}
	return b.String() + a.text.String() + "}\n"
}

// down returns what the lane that is h above has in a register.
func (a *asm) down(c class, x, h string) string { return a.shuffle("down", c, x, h) }

// of returns what a lane has in a register.
func (a *asm) of(c class, x, lane string) string { return a.shuffle("idx", c, x, lane) }

func (a *asm) shuffle(mode string, c class, x, by string) string {
	half := func(x string) string { return a.to(b32, "shfl.sync."+mode+".b32", x, by, "31", "-1") }
	switch c {
	case f64, b64:
		low, high := a.halves(x)
		return a.to(c, "mov.b64", fmt.Sprintf("{%s, %s}", half(low), half(high)))
	case f32:
		return a.to(f32, "mov.b32", half(a.to(b32, "mov.b32", x)))
	}
	return half(x)
}
