package amd64

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"
)

// Rows of a plane differ in one coordinate, which grows by one from row to row. Where all that a row
// needs is linear in it, the function runs several rows in one call: it adds to its arguments what they grow by.
// A row of 40 points of a stencil takes as long as to find it, to ask for its indices and to call.

// A grown is an argument, or the address that a register holds, that grows from row to row by an argument.
type grown struct {
	of *argument
	in *Reg
	by *argument
}

// A base is an address in a register: that of an element of a memory.
type base struct {
	r    *Reg
	at   poly // number of the element
	size int  // of one, in bytes
	made []*Instr
}

// rowCost is about as many items as take as long as what there is to do for a row.
const rowCost = 32

// outer is the coordinate that grows from row to row.
func outer(k *ir.Kernel) int { return k.Index.Rank - 2 }

// growing finds what grows from row to row, and whether the function can run several rows. It is asked for once all
// arguments are there, and adds some.
func (e *Emitter) growing(lists ...[]*Instr) (list []grown, ok bool) {
	k := e.k
	if k.Index.Rank == 0 || k.Index.Row || k.Index.Dim == 0 || len(k.Accs) > 0 || e.stops > 0 {
		return nil, false
	}
	for _, c := range k.Checks {
		if !e.growsEvenly(c) {
			return nil, false
		}
	}
	for _, c := range e.costs {
		if !c.sameInRows(k) {
			return nil, false
		}
	}
	var of []*argument
	var growths []poly
	for _, a := range e.args {
		for _, v := range k.Setup.Values {
			if !strings.Contains(a.value, valueMark(v)) {
				continue
			}
			by, ok := perRow(k, v)
			if !ok || len(by) > 0 && a.value != "int("+valueMark(v)+")" {
				return nil, false
			}
			if len(by) > 0 {
				of, growths = append(of, a), append(growths, by)
			}
		}
	}
	if list, ok = e.addresses(of, lists); !ok {
		for n, a := range of {
			list = append(list, grown{of: a, by: e.growth(growths[n])})
		}
	}
	e.argument("rows", "int", 8, "1")
	return list, true
}

// addresses returns the addresses that grow, if nothing else is made of the arguments that do: these stay as they are then.
func (e *Emitter) addresses(grows []*argument, lists [][]*Instr) (all []grown, ok bool) {
	if len(e.latch) > 0 {
		return nil, false
	}
	var by []poly
	made := map[*Instr]bool{}
	for _, b := range e.bases {
		p, ok := perRowOf(e.k, b.at)
		if !ok {
			return nil, false
		}
		by = append(by, p.times(poly{{int64(b.size), nil}}))
		for _, i := range b.made {
			made[i] = true
		}
	}
	holds := map[*Reg]bool{} // such an argument
	for _, i := range slices.Concat(append(lists, e.before)...) {
		for _, o := range i.args {
			if o.arg != nil && slices.Contains(grows, o.arg) {
				holds[i.args[len(i.args)-1].r] = true
				if !made[i] {
					return nil, false
				}
			}
		}
	}
	for _, i := range slices.Concat(append(lists, e.before)...) {
		elsewhere := false
		i.each(func(o *Operand, reads, writes bool) { elsewhere = elsewhere || holds[o.r] && !made[i] })
		if elsewhere {
			return nil, false
		}
	}
	for n, b := range e.bases {
		if len(by[n]) > 0 {
			all = append(all, grown{in: b.r, by: e.growth(by[n])})
		}
	}
	return all, true
}

// growth returns the argument that others grow by.
func (e *Emitter) growth(by poly) *argument {
	n := 0
	for _, a := range e.args {
		if a.growth == nil {
			continue
		}
		if a.growth.key() == by.key() {
			return a
		}
		n++
	}
	a := e.argument(fmt.Sprintf("growth%d", n), "int", 8, "0")
	a.growth = by
	return a
}

// growsEvenly reports whether a condition on the index is one on a number that grows by the same from row to row.
func (e *Emitter) growsEvenly(c ir.SpanCheck) bool {
	for _, v := range []*ir.Value{c.Step, c.Limit} {
		if by, ok := perRow(e.k, v); !ok || len(by) > 0 || !written(v) {
			return false
		}
	}
	_, ok := perRow(e.k, c.Base)
	return ok && (c.When == nil || !differs(e.k, c.When))
}

// sameInRows reports whether loops have as many rounds in all rows.
func (c cost) sameInRows(k *ir.Kernel) bool {
	for _, l := range c.inner {
		if differs(k, l.from) || differs(k, l.to) || !l.sameInRows(k) {
			return false
		}
	}
	return true
}

// differs reports whether a value of the setup is not the same for all rows of a plane.
func differs(k *ir.Kernel, v *ir.Value) bool {
	return v.Op == ir.Coord && v.Index == outer(k) || slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return differs(k, a) })
}

// perRow returns what a value of the setup grows by from row to row, if that is the same for all: a sum of products
// of scalars and coordinates.
func perRow(k *ir.Kernel, v *ir.Value) (by poly, ok bool) {
	if !differs(k, v) {
		return nil, true
	}
	p, ok := sumOf(v)
	if !ok {
		return nil, false
	}
	return growthOf(k, p)
}

// perRowOf is perRow of a sum of values of the setup.
func perRowOf(k *ir.Kernel, p poly) (by poly, ok bool) {
	var all []term
	for _, t := range p {
		product := poly{{t.c, nil}}
		for _, f := range t.f {
			q, ok := sumOf(f)
			if !ok && differs(k, f) {
				return nil, false
			}
			if !ok {
				q = poly{{1, []*ir.Value{f}}}
			}
			product = product.times(q)
		}
		all = append(all, product...)
	}
	return growthOf(k, sum(all...))
}

// growthOf is perRow of a sum of products of scalars and coordinates.
func growthOf(k *ir.Kernel, p poly) (by poly, ok bool) {
	for _, t := range p {
		n := slices.IndexFunc(t.f, func(f *ir.Value) bool { return differs(k, f) })
		if n < 0 {
			continue
		}
		f := slices.Delete(slices.Clone(t.f), n, n+1)
		if slices.ContainsFunc(f, func(f *ir.Value) bool { return differs(k, f) }) {
			return nil, false
		}
		by = append(by, term{t.c, f})
	}
	return sum(by...), true
}

// sumOf returns an integer of the setup as a sum of products of scalars and coordinates.
func sumOf(v *ir.Value) (p poly, ok bool) {
	switch {
	case v.Type != ir.I64:
		return nil, false
	case v.Op == ir.Const:
		return sum(term{v.Int(), nil}), true
	case v.Op == ir.Uniform, v.Op == ir.Coord:
		return poly{{1, []*ir.Value{v}}}, true
	case v.Op != ir.Add && v.Op != ir.Sub && v.Op != ir.Neg && v.Op != ir.Mul:
		return nil, false
	}
	var of [2]poly
	for n, a := range v.Args {
		if of[n], ok = sumOf(a); !ok {
			return nil, false
		}
	}
	minus := poly{{-1, nil}}
	switch v.Op {
	case ir.Add:
		return sum(slices.Concat(of[0], of[1])...), true
	case ir.Sub:
		return sum(slices.Concat(of[0], of[1].times(minus))...), true
	case ir.Neg:
		return of[0].times(minus), true
	}
	return of[0].times(of[1]), true
}

// written reports whether a value of the setup can be written in Go anywhere.
func written(v *ir.Value) bool {
	_, ok := sumOf(v)
	return ok
}

// ofRows splits what is made before the loop over items: what is the same for all rows, and what is made for each,
// as it depends on what grows, or on one of some registers or what lists of instructions change.
func ofRows(before []*Instr, list []grown, some []*Reg, changing ...[]*Instr) (same, each []*Instr) {
	changes := map[*Reg]bool{}
	for _, r := range some {
		changes[r] = true
	}
	for _, some := range changing {
		for _, i := range some {
			i.each(func(o *Operand, reads, writes bool) { changes[o.r] = changes[o.r] || writes })
		}
	}
	reads := func(i *Instr) (yes bool) {
		for _, o := range i.args {
			yes = yes || o.arg != nil && slices.ContainsFunc(list, func(g grown) bool { return g.of == o.arg })
		}
		i.each(func(o *Operand, reads, writes bool) { yes = yes || changes[o.r] })
		return yes
	}
	for more := true; more; {
		more = false
		for _, i := range before {
			if reads(i) {
				i.each(func(o *Operand, reads, writes bool) {
					more = more || writes && !changes[o.r]
					changes[o.r] = changes[o.r] || writes
				})
			}
		}
	}
	for _, i := range before {
		if reads(i) {
			each = append(each, i)
		} else {
			same = append(same, i)
		}
	}
	return same, each
}

// nextRow goes on with the next row, if there is one.
func (e *Emitter) nextRow(first *Instr, list []grown) {
	by := map[*argument]*Reg{}
	for _, g := range list {
		if by[g.by] == nil {
			by[g.by] = e.Integer()
			e.Do("MOVQ", ofArgument(g.by), R(by[g.by]))
		}
		if g.in != nil {
			e.add(g.in, by[g.by])
		} else {
			e.Effect("ADDQ", R(by[g.by]), ofArgument(g.of))
		}
	}
	e.Effect("DECQ", ofArgument(e.argument("rows", "", 0, "")))
	e.loops = append(e.loops, loopRange{first, e.Jump("JNE", first.label)})
}

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
	k, grows := w.e.k, map[*argument]poly{}
	for _, a := range w.e.args {
		for _, v := range k.Setup.Values {
			if a.value == "int("+valueMark(v)+")" {
				grows[a], _ = perRow(k, v)
			}
		}
	}
	var values []string
	for _, a := range w.e.args {
		value := w.value(a)
		switch {
		case a.name == "rows":
			value = "rows"
		case a.growth != nil:
			value = w.sum(a.growth)
		case len(grows[a]) > 0:
			value += "+row*" + w.factor(grows[a])
		}
		values = append(values, value)
	}
	return fmt.Sprintf("%s(%s)", w.name(), strings.Join(values, ", "))
}

// reachRows asks for the indices of all rows, given that those of the first one are in range as far as end.
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
