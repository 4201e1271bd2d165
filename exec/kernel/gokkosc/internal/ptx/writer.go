package ptx

import (
	"fmt"
	"go/token"
	"math"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/ptxtext"
)

// A writer writes the body of an entry.
type writer struct {
	ptxtext.Writer
	k       *ir.Kernel
	reg     map[*ir.Value]string   // registers of values
	results map[*ir.Value][]string // and of the results of an If or a Loop
	stops   []Stop                 // by number
	number  map[Stop]int
	stored  map[ir.Type]bool // the types that the kernel stores
	mems    []string         // addresses of memories
	box     *box
	ofRows  bool              // the functor gets rows
	plain   bool              // all boxes are plain
	ofItem  []*ir.Value       // values of the setup that depend on the index
	item    *ir.Value         // stands for the index
	away    int               // distance of the current item from the index, in sums
	sums    map[string]string // registers of sums, by key
	numbers *numbers
	team    *teamBlock
	lanes   bool     // members have several threads
	accs    []column // accumulators of the members of teams
	err     error
}

func newWriter(k *ir.Kernel, n *numbers) *writer {
	w := &writer{k: k, numbers: n, reg: map[*ir.Value]string{}, results: map[*ir.Value][]string{}, number: map[Stop]int{}, stored: map[ir.Type]bool{}, sums: map[string]string{}}
	k.Body.Walk(func(v *ir.Value) {
		if v.Writes() && !k.Mems[v.Index].Own {
			w.stored[k.Mems[v.Index].Elem] = true
		}
	})
	return w
}

// A class is a type of registers.
type class = ptxtext.Class

const (
	f64  class = "f64"
	f32  class = "f32"
	b64  class = "b64"
	b32  class = "b32"
	pred class = "pred"
)

// classOf returns the class of registers that values of a type are in.
func (w *writer) classOf(t ir.Type) class {
	switch t {
	case ir.F64:
		return f64
	case ir.F32:
		return f32
	case ir.I64:
		return b64
	case ir.I32:
		return b32
	case ir.Bool:
		return pred
	}
	w.refuse(token.Position{}, "values of type %v have no registers", t)
	return b64
}

func (w *writer) refuse(pos token.Position, format string, a ...any) {
	if w.err == nil {
		w.err = &Refusal{pos, fmt.Sprintf(format, a...)}
	}
}

// kind returns the type that instructions have of arithmetic: "f64", "s32", "u64".
func kind(t ir.Type, unsigned bool) string {
	switch {
	case t.IsFloat():
		return t.String()
	case unsigned:
		return fmt.Sprintf("u%d", 8*t.Bytes())
	}
	return fmt.Sprintf("s%d", 8*t.Bytes())
}

// raw returns the type that instructions have of bits.
func raw(t ir.Type) string {
	if t == ir.Bool {
		return "pred"
	}
	return fmt.Sprintf("b%d", 8*t.Bytes())
}

// movable returns the type that moves and selections have.
func movable(t ir.Type) string {
	if t.IsFloat() {
		return t.String()
	}
	return raw(t)
}

// literal returns the constant of a type that has these bits.
func literal(t ir.Type, bits uint64) string {
	switch t {
	case ir.F64:
		return fmt.Sprintf("0d%016X", bits)
	case ir.F32:
		return fmt.Sprintf("0f%08X", uint32(bits))
	case ir.Bool:
		return []string{"0", "-1"}[bits&1]
	case ir.I32:
		return fmt.Sprint(int32(bits))
	}
	if x := int64(bits); x >= math.MinInt32 && x <= math.MaxInt32 {
		return fmt.Sprint(x)
	}
	return fmt.Sprintf("0x%x", bits)
}

// use returns a value as an operand: a register, or a constant.
func (w *writer) use(v *ir.Value) string {
	if v.Op == ir.Const {
		return w.constant(v.Type, v.Bits)
	}
	if r := w.reg[v]; r != "" {
		return r
	}
	w.refuse(v.Pos, "%s is not in a register", v)
	return "%none"
}

// constant returns a constant as an operand. An instruction of a card has room for the upper half of a
// float64. Other constants are loaded at their use: a card loads one in an instruction, and makes one in two.
func (w *writer) constant(t ir.Type, bits uint64) string {
	if t != ir.F64 || uint32(bits) == 0 {
		return literal(t, bits)
	}
	n := slices.Index(w.numbers.bits, bits)
	if n < 0 {
		n, w.numbers.bits = len(w.numbers.bits), append(w.numbers.bits, bits)
	}
	return w.To(f64, "ld.const.f64", fmt.Sprintf("[%s+%d]", numbersName, 8*n))
}

// numbers are the constants that the entries of a text load.
type numbers struct{ bits []uint64 }

// numbersName is the name of their array.
const numbersName = "numbers"

// table returns its declaration.
func (n *numbers) table() string {
	if len(n.bits) == 0 {
		return ""
	}
	return tableOf(numbersName, 8, n.bits) + "\n"
}

// in returns the register that a value is in, as operands must be that can be no constants.
func (w *writer) in(v *ir.Value) string {
	x := w.use(v)
	if v.Op != ir.Const && v.Type != ir.Bool || w.reg[v] != "" || x[0] == '%' {
		return x
	}
	return w.To(w.classOf(v.Type), "mov."+movable(v.Type), x)
}

// move writes moves that happen all at once.
func (w *writer) move(types []ir.Type, dst, src []string) {
	written := map[string]bool{}
	for n, d := range dst {
		if d != src[n] {
			written[d] = true
		}
	}
	src = append([]string(nil), src...)
	for n, s := range src {
		if written[s] && s != dst[n] {
			src[n] = w.To(w.classOf(types[n]), "mov."+movable(types[n]), s)
		}
	}
	for n, d := range dst {
		if d != src[n] {
			w.Op("mov.%s %s, %s", movable(types[n]), d, src[n])
		}
	}
}

// A box has the registers of an entry that indices are made in.
type box struct {
	rank          int
	plain, narrow string // of one tile, and of less than 2³¹ points
	left, across  string // the first dimension varies fastest, and the other one from tile to tile
	begin         string
	mul           [6][3]string // size, multiplier and shift by position
	leaf          string       // items of a leaf, of rows
	last          string       // the item behind the last

	x    [6]string // where coordinates of an item are put, from 0 on, by position
	at   string    // of a row: how far the item lies behind the beginning of the row in its tile,
	rest string    // number of points left there
}

// A column has the registers of an accumulator.
type column struct {
	acc, identity string
	out, root     string // addresses of the values of leaves, and of the value of all
	join          string // how values are joined
}

// tableOf returns the declaration of an array of constants, whose elements have so many bytes.
func tableOf(name string, size int, elements []uint64) string {
	var words []string
	for _, bits := range elements {
		words = append(words, fmt.Sprintf("0x%x", bits&(1<<(8*size-1)<<1-1)))
	}
	return fmt.Sprintf("\n.const .align 8 .b%d %s[%d] = {%s};", 8*size, name, len(words), strings.Join(words, ", "))
}
