package vector

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// The method in Go that calls a function for the rows of planes.

// planes is the method that runs planes: as many rows in a call as may take the time of one. It leaves a plane of
// which an index is out of range, and where rows of views with something in common need care.
func (w *writer) planes() {
	k := w.e.k
	w.imports["kernel"] = true
	fmt.Fprintf(&w.b, "\n// Planes runs several rows in a call.\nfunc (k *%s%s) Planes(planes []policy.Plane) (done, rows int) {\n", w.Base, w.shape.Level)
	var head, each strings.Builder
	fmt.Fprintf(&head, "if planes[0].Dim != %d || planes[0].Outer != %d {\nreturn 0, 0\n}\n", k.Index.Dim, outer(k))
	w.apartOr(&head, "return 0, 0")
	w.reachRows(&each)
	w.pieces(&each, "return done, 0")
	fmt.Fprintf(&each, `for row := 0; row < run.Rows; {
rows := max(1, min(run.Rows-row, piece/(run.Len+%d)))
for begin := begin; begin < end; {
n := min(end-begin, piece)
begin = %s
}
row += rows
}
`, rowCost, w.callOfRows())
	w.partsOf("for done := range planes {\nrun := &planes[done]\n", "planes", head.String(), each.String())
}

// callOfRows is the call of the function for several rows.
func (w *writer) callOfRows() string {
	k, grows := w.e.k, map[*asm.Argument]poly{}
	for _, a := range w.e.args {
		for _, v := range k.Setup.Values {
			if a.Value == "int("+valueMark(v)+")" {
				grows[a], _ = perRow(k, v)
			}
		}
	}
	var values []string
	for _, a := range w.e.args {
		value := w.value(a)
		switch {
		case a.Name == "rows":
			value = "rows"
		case w.e.growthsOf[a] != nil:
			value = w.sum(w.e.growthsOf[a])
		case len(grows[a]) > 0:
			value += "+row*" + w.factor(grows[a])
		}
		values = append(values, value)
	}
	return fmt.Sprintf("%s(%s)", w.name(), strings.Join(values, ", "))
}

// reachRows checks the indices of all rows, given that the first row is in range up to end.
func (w *writer) reachRows(b *strings.Builder) {
	k := w.e.k
	if len(k.Checks) == 0 {
		return
	}
	b.WriteString("if end != run.At[" + strconv.Itoa(k.Index.Dim) + "]+run.Len {\nreturn done, 0\n}\n")
	type group struct {
		ir.SpanCheck
		by    poly
		bases []string
	}
	var groups []*group
	for _, c := range k.Checks {
		by, _ := perRow(k, c.Base)
		if len(by) == 0 {
			continue // asked for the first row
		}
		same := func(g *group) bool {
			return isOne(c.Step) && isOne(g.Step) && c.Limit == g.Limit && c.When == g.When && by.key() == g.by.key()
		}
		n := slices.IndexFunc(groups, same)
		if n < 0 {
			n = len(groups)
			groups = append(groups, &group{c, by, nil})
		}
		groups[n].bases = append(groups[n].bases, w.goOf(c.Base))
	}
	for _, g := range groups {
		lo, hi := g.bases[0], g.bases[0]
		if len(g.bases) > 1 {
			all := strings.Join(g.bases, ", ")
			lo, hi = "min("+all+")", "max("+all+")"
		}
		when := ""
		if g.When != nil && w.p.Value[g.When] != "" {
			when = w.p.Value[g.When] + " && "
		}
		fmt.Fprintf(b, "if %s!kernel.ReachRows(begin, end, %s, %s, %s, %s, %s, run.Rows) {\nreturn done, 0\n}\n", when, lo, hi, w.goOf(g.Step), w.goOf(g.Limit), w.sum(g.by))
	}
}

func isOne(v *ir.Value) bool { return v.Op == ir.Const && v.Bits == 1 }

// goOf is a value of the setup in Go.
func (w *writer) goOf(v *ir.Value) string {
	if text := w.p.Value[v]; text != "" {
		return text
	}
	p, _ := sumOf(v)
	return w.sum(p)
}

// factor is a sum in Go that something is multiplied by.
func (w *writer) factor(p poly) string {
	if len(p) == 1 {
		return w.sum(p)
	}
	return "(" + w.sum(p) + ")"
}

// sum is a sum in Go.
func (w *writer) sum(p poly) string {
	var terms []string
	for _, t := range p {
		var factors []string
		if t.c != 1 || len(t.f) == 0 {
			factors = append(factors, strconv.FormatInt(t.c, 10))
		}
		for _, f := range t.f {
			text := w.p.Value[f]
			if f.Op == ir.Coord {
				text = fmt.Sprintf("run.At[%d]", f.Index)
			}
			factors = append(factors, text)
		}
		terms = append(terms, strings.Join(factors, "*"))
	}
	if len(terms) == 0 {
		return "0"
	}
	return strings.Join(terms, " + ")
}
