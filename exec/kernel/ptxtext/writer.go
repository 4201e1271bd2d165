// Package ptxtext writes PTX, the assembly of NVIDIA's cards: registers, labels, entries, and the reduction
// tree.
//
// gokkosc writes compiled kernels with it, and the space of package cuda folds of values. So the order in
// which a card joins partial results is in one place, see docs/determinism.md.
package ptxtext

import (
	"cmp"
	"fmt"
	"strings"
)

// Module returns a module of some declarations and entries, for the oldest version of PTX and the oldest card
// that have all that is written.
func Module(texts ...string) string {
	return ".version 6.0\n.target sm_70\n.address_size 64\n" + strings.Join(texts, "")
}

// A Class is a type of registers, as PTX declares them: f64, f32, b64, b32, b16, or pred.
type Class string

// classes are all of them, in the order of their declarations.
var classes = []struct {
	class  Class
	prefix string // of names of registers
	bytes  int    // 0 of a class that memory does not have
}{
	{"f64", "%fd", 8}, {"f32", "%f", 4}, {"b64", "%rd", 8}, {"b32", "%r", 4}, {"b16", "%h", 2}, {"pred", "%p", 0},
}

// Bytes returns the bytes of a register in memory.
func (c Class) Bytes() int {
	for _, of := range classes {
		if of.class == c {
			return of.bytes
		}
	}
	return 0
}

// Stored returns the type that loads and stores of a register have.
func (c Class) Stored() string { return strings.Replace(string(c), "b", "u", 1) }

// A Writer writes the body of an entry. Its zero value is ready.
type Writer struct {
	Tile    int    // bytes of the array tile in the shared memory of a block, 0 for none
	Members string // the register with the threads of a warp that take part in shuffles; "" for all threads

	body, late strings.Builder // the body, and instructions behind its end
	fresh      map[Class]int   // registers by class
	labels     int
}

// Fresh returns a register that no instruction has.
func (w *Writer) Fresh(c Class) string {
	if w.fresh == nil {
		w.fresh = map[Class]int{}
	}
	w.fresh[c]++
	for _, of := range classes {
		if of.class == c {
			return fmt.Sprint(of.prefix, w.fresh[c])
		}
	}
	panic(fmt.Sprintf("ptxtext: registers of class %q, expected one of %v", c, classes))
}

// Op writes an instruction, without the semicolon.
func (w *Writer) Op(format string, a ...any) { fmt.Fprintf(&w.body, "\t"+format+";\n", a...) }

// To writes an instruction whose result is a fresh register, and returns that. Operands are registers and
// constants.
func (w *Writer) To(c Class, name string, operands ...any) string {
	r := w.Fresh(c)
	fmt.Fprintf(&w.body, "\t%s %s", name, r)
	for _, x := range operands {
		fmt.Fprintf(&w.body, ", %v", x)
	}
	w.body.WriteString(";\n")
	return r
}

// NewLabel returns a label that no instruction has. Its name begins with the noun.
func (w *Writer) NewLabel(noun string) string {
	w.labels++
	return fmt.Sprintf("$%s%d", noun, w.labels)
}

// Label puts a label before the next instruction.
func (w *Writer) Label(l string) { fmt.Fprintf(&w.body, "%s:\n", l) }

// Later puts the instructions that f writes behind the end of the body.
func (w *Writer) Later(f func()) {
	before := w.body.String()
	w.body.Reset()
	f()
	w.late.WriteString(w.body.String())
	w.body.Reset()
	w.body.WriteString(before)
}

// Entry returns the text of the entry, whose parameters have 64 bits each. A parameter may have a comment.
func (w *Writer) Entry(name string, params []string, comments map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n.visible .entry %s(", name)
	for n, p := range params {
		fmt.Fprintf(&b, "\n\t.param .u64 %s", p)
		if n < len(params)-1 {
			b.WriteString(",")
		}
		if c := comments[p]; c != "" {
			b.WriteString(" // " + c)
		}
	}
	b.WriteString("\n)\n{\n")
	for _, c := range classes {
		if n := w.fresh[c.class]; n > 0 {
			fmt.Fprintf(&b, "\t.reg .%s %s<%d>;\n", c.class, c.prefix, n+1)
		}
	}
	if w.Tile > 0 {
		fmt.Fprintf(&b, "\t.shared .align 8 .b8 tile[%d];\n", w.Tile)
	}
	return b.String() + "\n" + w.body.String() + w.late.String() + "}\n"
}

// Param loads a parameter.
func (w *Writer) Param(name string) string { return w.To("b64", "ld.param.u64", "["+name+"]") }

// Address loads a parameter that is an address in the memory of the card.
func (w *Writer) Address(name string) string { return w.To("b64", "cvta.to.global.u64", w.Param(name)) }

// Special returns the 32 bits of a special register, as "tid.x".
func (w *Writer) Special(name string) string { return w.To("b32", "mov.u32", "%"+name) }

// Wide extends an integer without a sign to 64 bits.
func (w *Writer) Wide(x string) string { return w.To("b64", "cvt.u64.u32", x) }

// Log returns the logarithm of a power of two of 64 bits.
func (w *Writer) Log(x string) string { return w.To("b32", "popc.b64", w.To("b64", "sub.s64", x, 1)) }

// Halves returns the lower and the upper 32 bits of 64, of a register or of a constant of class f64.
func (w *Writer) Halves(x string) (low, high string) {
	if x[0] != '%' {
		x = w.To("f64", "mov.f64", x)
	}
	low, high = w.Fresh("b32"), w.Fresh("b32")
	w.Op("mov.b64 {%s, %s}, %s", low, high, x)
	return low, high
}

// Shuffle returns the register x of another lane of the warp: "down" by so many, or "idx" that one. The
// threads that are Members take part.
func (w *Writer) Shuffle(mode string, c Class, x string, by any) string {
	half := func(x string) string {
		return w.To("b32", "shfl.sync."+mode+".b32", x, by, 31, cmp.Or(w.Members, "-1"))
	}
	switch c {
	case "f64", "b64":
		low, high := w.Halves(x)
		return w.To(c, "mov.b64", fmt.Sprintf("{%s, %s}", half(low), half(high)))
	case "f32":
		return w.To(c, "mov.b32", half(w.To("b32", "mov.b32", x)))
	case "pred":
		return w.To(c, "setp.ne.s32", half(w.To("b32", "selp.b32", 1, 0, x)), 0)
	}
	return half(x)
}
