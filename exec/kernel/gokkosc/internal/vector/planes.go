package vector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Rows of a plane differ in one coordinate, which grows by one from row to row, and items that are rows in
// their index. If all numbers that a row needs are linear in the row, the function runs several rows in one
// call. The function adds its growth to each argument. To find a row, to check its indices and to call
// take as long as 40 points of a stencil.

// rowCost is the cost of the work for a row, in items, about.
const rowCost = 32

// growing finds the arguments that grow from row to row, and finds out whether the function can run several
// rows. The caller has added all other arguments before; growing adds some.
func (e *Emitter) growing(lists ...[]*asm.Instr) (list []grown, ok bool) {
	k := e.k
	if e.stops > 0 || !e.itemsAreRows() && (k.Index.Rank == 0 || k.Index.Row || k.Index.Dim == 0 || len(k.Accs) > 0) {
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
	var of []*asm.Argument
	var growths []poly
	for _, a := range e.args {
		for v := range e.setup {
			if !strings.Contains(a.Value, valueMark(v)) {
				continue
			}
			by, ok := perRow(k, v)
			if !ok || len(by) > 0 && a.Value != "int("+valueMark(v)+")" {
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

// itemsAreRows reports whether each of several items is a row. Indices have been checked for all of them.
func (e *Emitter) itemsAreRows() bool {
	isItem := func(v *ir.Value) bool { return v.Op == ir.Item }
	return e.row != nil && e.k.Index.Rank == 0 && slices.ContainsFunc(e.k.Body.Values, isItem)
}

// addresses returns the addresses that grow, if nothing else is made of the arguments that do: these stay as they are then.
func (e *Emitter) addresses(grows []*asm.Argument, lists [][]*asm.Instr) (all []grown, ok bool) {
	if len(e.latch) > 0 {
		return nil, false
	}
	var by []poly
	made := map[*asm.Instr]bool{}
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
	holds := map[*asm.Reg]bool{} // such an argument
	for _, i := range slices.Concat(append(lists, e.before)...) {
		for _, o := range i.Args {
			if o.Arg != nil && slices.Contains(grows, o.Arg) {
				holds[i.Args[len(i.Args)-1].R] = true
				if !made[i] {
					return nil, false
				}
			}
		}
	}
	for _, i := range slices.Concat(append(lists, e.before)...) {
		elsewhere := false
		i.Each(func(r *asm.Reg, reads, writes bool) { elsewhere = elsewhere || holds[r] && !made[i] })
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
func (e *Emitter) growth(by poly) *asm.Argument {
	n := 0
	for _, a := range e.args {
		if e.growthsOf[a] == nil {
			continue
		}
		if e.growthsOf[a].key() == by.key() {
			return a
		}
		n++
	}
	a := e.argument(fmt.Sprintf("growth%d", n), "int", 8, "0")
	e.growthsOf[a] = by
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

// ofRows splits the instructions before the loop over items into those that are the same for all rows and
// those for each row. An instruction is for each row if it depends on a growing argument or on some
// registers. So is an instruction that depends on a register which changing instructions write.
func ofRows(before []*asm.Instr, list []grown, some []*asm.Reg, changing ...[]*asm.Instr) (same, each []*asm.Instr) {
	changes := map[*asm.Reg]bool{}
	for _, r := range some {
		changes[r] = true
	}
	for _, some := range changing {
		for _, i := range some {
			i.Each(func(r *asm.Reg, reads, writes bool) { changes[r] = changes[r] || writes })
		}
	}
	reads := func(i *asm.Instr) (yes bool) {
		for _, o := range i.Args {
			yes = yes || o.Arg != nil && slices.ContainsFunc(list, func(g grown) bool { return g.of == o.Arg })
		}
		i.Each(func(r *asm.Reg, reads, writes bool) { yes = yes || changes[r] })
		return yes
	}
	for more := true; more; {
		more = false
		for _, i := range before {
			if reads(i) {
				i.Each(func(r *asm.Reg, reads, writes bool) {
					more = more || writes && !changes[r]
					changes[r] = changes[r] || writes
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
func (e *Emitter) nextRow(first *asm.Instr, list []grown) {
	by := map[*asm.Argument]*asm.Reg{}
	for _, g := range list {
		if by[g.by] == nil {
			by[g.by] = e.Integer()
			e.Move(asm.Arg(g.by), asm.R(by[g.by]))
		}
		if g.in != nil {
			e.add(g.in, by[g.by])
		} else {
			e.Add(asm.R(by[g.by]), asm.Arg(g.of))
		}
	}
	rows := asm.Arg(e.argument("rows", "", 0, ""))
	e.Decrement(rows)
	e.Closes(first, e.Branch(rows, NotEqual, asm.Const(0), first.Label))
}
