package vector

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// piece returns the items, or rounds, that a call runs if each costs the same.
func (w *writer) piece() int { return w.pieceOf(w.cost.n) }

// leafPiece returns the items that a call runs of leaves, whose accumulators are in registers, and loaded for each leaf.
func (w *writer) leafPiece() int { return w.pieceOf(w.cost.n - w.e.accCost*3/4) }

func (w *writer) pieceOf(cost int) int {
	return max(leastItems, w.e.budget()/cost*w.e.Width&^(leastItems-1))
}

// pieces sets the number of items that a call runs.
func (w *writer) pieces(b *strings.Builder, leave string) {
	text, loops := w.rounds(w.cost)
	width := w.e.Width
	if !loops {
		fmt.Fprintf(b, "const piece = %d\n", w.piece())
		return
	}
	fmt.Fprintf(b, "cost := float64(%s)\npiece := %d * int(min(%d/cost, %d))\nif piece == 0 { // not to be preempted for too long\n%s\n}\n", text, width, w.e.budget(), 1<<15/width, leave)
}

// rounds returns the cost of a vector, as an expression of floats in Go.
func (w *writer) rounds(c cost) (text string, loops bool) {
	text = fmt.Sprintf("%d", c.n)
	for _, l := range c.inner {
		inner, _ := w.rounds(cost{n: l.n, inner: l.inner})
		text += fmt.Sprintf(" + max(0, %s)*(%s)", w.count(l), inner)
		loops = true
	}
	return text, loops
}

// count is the number of rounds of a loop: of floats, as integers could wrap around.
func (w *writer) count(c cost) string {
	value := func(v *ir.Value) string {
		if v.Op == ir.Const {
			return fmt.Sprint(v.Int())
		}
		return fmt.Sprintf("float64(%s)", w.p.Value[v])
	}
	if c.from.Op == ir.Const && c.from.Int() == 0 {
		return value(c.to)
	}
	return value(c.to) + " - " + value(c.from)
}

// value is an argument in Go.
func (w *writer) value(a *asm.Argument) string {
	switch a.Name {
	case "begin":
		switch {
		case w.e.row != nil:
			return "from"
		case len(w.e.k.Accs) > 0:
			return "begin-skip"
		}
		return "begin"
	case "vectors":
		return fmt.Sprintf("%s/%d", w.rest(), w.e.Width)
	case "left":
		return fmt.Sprintf("%s%%%d", w.rest(), w.e.Width)
	case "lane":
		return "(item-skip)&(len(a)-1)"
	case "skip", "head":
		return a.Name
	case "lanes":
		return "len(a)-1"
	case "leaves":
		return "1"
	case "accA", "accB", "accC", "accD":
		return fmt.Sprintf("unsafe.Pointer(&%s[0])", strings.ToLower(a.Name[3:]))
	}
	text := a.Value
	for v := range w.e.setup {
		text = strings.ReplaceAll(text, valueMark(v), w.p.Value[v])
	}
	for n, m := range w.e.k.Mems {
		pointer := fmt.Sprintf("unsafe.Pointer(unsafe.SliceData(%s))", w.p.Mem[n])
		switch {
		case m.Far:
			pointer = "unsafe.Pointer(nil)"
		case m.Array:
			pointer = fmt.Sprintf("unsafe.Pointer(%s)", w.p.Mem[n])
		}
		text = strings.ReplaceAll(text, memMark(n), pointer)
	}
	if strings.HasPrefix(text, "mask(") {
		w.imports["mask"] = true
		text = "kernelMask" + w.shape.Suffix + strings.TrimPrefix(text, "mask")
		if w.shape.Masks == asm.Masks {
			text += fmt.Sprintf("&%d", 1<<w.e.Width-1) // no bits other than the bits of lanes
		}
		return text
	}
	return text
}

// rest returns the items that the method gives to vectors, as an expression in Go.
func (w *writer) rest() string {
	if len(w.e.k.Accs) > 0 {
		return "rest"
	}
	return "n"
}

// next writes the call for the items from begin on, n at most. In a reduction the first lanes of the first vector are skipped, so
// that its items have the lanes that they lie in.
func (w *writer) next(call string) string {
	if len(w.e.k.Accs) == 0 {
		return fmt.Sprintf("n := min(end-begin, piece)\nnext := %s\n", call)
	}
	width := w.e.Width
	return fmt.Sprintf(`skip, head := item&%d, 0
n := min(end-begin, piece-skip)
if skip > 0 {
head = min(skip+n, %d)
}
rest := skip + n - head
next := max(begin, %s)
`, width-1, width, call)
}

// maskText is the function of a generated file that makes a bool a mask.
const maskText = `
// kernelMask%[1]s returns all bits if b.
func kernelMask%[1]s(b bool) int {
	if b {
		return -1
	}
	return 0
}
`
