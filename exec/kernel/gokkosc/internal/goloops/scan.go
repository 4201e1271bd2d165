package goloops

import (
	"fmt"
	"maps"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A leaf of a scan has one accumulator, which its items join into one after the other. It is a variable
// around the loop over the items. Each item waits for the item before it, so several leaves take turns.

// Scan returns the method Scan of a type, and the functions that it calls for the first pass and for the last one.
// Fields of the type are the parameters of a scan's kernel.
func Scan(first, last *ir.Kernel, typeName string) (*Loop, error) {
	all := &Loop{Uses: map[string]bool{}}
	for _, pass := range []struct {
		kernel *ir.Kernel
		name   string
	}{{first, typeName + "First"}, {last, typeName + "Last"}} {
		for _, write := range []func(w *writer){
			func(w *writer) { w.ofLeaf(typeName, pass.name) },
			func(w *writer) { w.inStep(typeName, pass.name+"InStep") },
		} {
			loop, err := made(pass.kernel, nil, write)
			if err != nil {
				return nil, err
			}
			all.Text += loop.Text + "\n"
			maps.Copy(all.Uses, loop.Uses)
		}
	}
	all.Text = fmt.Sprintf(scanText, typeName, first.Lanes[0].GoType) + all.Text
	return all, nil
}

const scanText = `func (k *%[1]s) Scan(begin, rounds, leaf int, a []%[2]s, final bool) (done int) {
	switch {
	case len(a) == 1 && final:
		return %[1]sLast(k, begin, begin+rounds, &a[0]) - begin
	case len(a) == 1:
		return %[1]sFirst(k, begin, begin+rounds, &a[0]) - begin
	case final:
		return %[1]sLastInStep(k, begin, rounds, leaf, (*[4]%[2]s)(a))
	}
	return %[1]sFirstInStep(k, begin, rounds, leaf, (*[4]%[2]s)(a))
}

`

// ofLeaf writes the function that runs the items of one leaf.
func (w *writer) ofLeaf(typeName, name string) {
	w.take("acc")
	w.line("func %s(k *%s, begin, end int, acc *%s) (next int) {", name, typeName, w.k.Lanes[0].GoType)
	w.prologue()
	c := w.chain("(*acc)")
	item, ws := itemOf(w.k), w.windowsOf[nil]
	if len(ws) > 0 {
		w.slices(ws, "begin", "end")
		n := w.rangeOver(ws, item, "begin", w.uses[item] > 0)
		w.access(ws, n)
		w.stop = fmt.Sprintf("%sreturn begin + %s", c.settled(), n)
	} else {
		i := w.names.free("i")
		if item != nil {
			w.text[item] = i
		}
		w.line("for %s := begin; %[1]s < end; %[1]s++ {", i)
		w.stop = fmt.Sprintf("%sreturn %s", c.settled(), i)
	}
	w.chained(c)
	w.line("}\n%sreturn end\n}", c.settled())
}

// steps is the number of leaves that take turns.
const steps = 4

// inStep writes the function that runs the items of several leaves in turn.
func (w *writer) inStep(typeName, name string) {
	w.take("acc", "a", "rounds", "leaf", "all", "done")
	w.line("func %s(k *%s, begin, rounds, leaf int, a *[%d]%s) (done int) {", name, typeName, steps, w.k.Lanes[0].GoType)
	w.none = "return 0"
	if len(w.k.Checks) > 0 {
		w.line("end := begin + %d*leaf + rounds\nall := end", steps-1)
	}
	w.prologue()
	if len(w.k.Checks) > 0 {
		w.line("if end < all {\n return 0\n}")
	}
	if w.isShort() {
		w.written()
	} else {
		w.byLeaf()
	}
	w.line("return %d * rounds\n}", steps)
}

// maxWritten is the greatest number of values of a body that is written for each of the leaves.
const maxWritten = 24

// isShort reports whether the body is written for each leaf that takes its turn.
func (w *writer) isShort() bool {
	loops := false
	w.k.Body.Walk(func(v *ir.Value) { loops = loops || v.Op == ir.Loop })
	return !loops && w.k.Body.Count() <= maxWritten
}

// written writes a loop over the rounds with the body of each leaf.
func (w *writer) written() {
	item, ws := itemOf(w.k), w.windowsOf[nil]
	var chains [steps]chain
	var rows [steps][]string
	settled := ""
	for leaf := range steps {
		chains[leaf] = w.chain(fmt.Sprintf("a[%d]", leaf))
		settled += chains[leaf].settled()
		for n, x := range ws {
			rows[leaf] = append(rows[leaf], w.names.free(w.mems[x.mem]+"Row"))
			to := "[:rounds]"
			if leaf+n > 0 {
				to = fmt.Sprintf("[:len(%s)]", rows[0][0])
			}
			w.line("%s := %s[%s:]%s", rows[leaf][n], w.mems[x.mem], w.plus(x.base, fmt.Sprintf("begin+%d*leaf", leaf)), to)
		}
	}
	n, over := w.names.free("n"), "rounds"
	if len(ws) > 0 {
		over = rows[0][0]
	}
	w.line("for %s := range %s {", n, over)
	if len(ws) == 0 && (item == nil || w.uses[item] == 0) {
		w.line("_ = %s // of a round, if one may stop", n)
	}
	for leaf := range steps {
		text, inline := maps.Clone(w.text), maps.Clone(w.inline)
		w.line("{")
		if item != nil && w.uses[item] > 0 {
			w.declare(item, fmt.Sprintf("begin + %d*leaf + %s", leaf, n))
		}
		for k, x := range ws {
			x.name = rows[leaf][k]
		}
		w.access(ws, n)
		w.stop = fmt.Sprintf("%sreturn %d*%s + %d", settled, steps, n, leaf)
		w.chained(chains[leaf])
		w.line("}")
		w.text, w.inline = text, inline
	}
	w.line("}\n%s", settled)
}

// byLeaf writes a loop over the rounds, with one over the leaves in it.
func (w *writer) byLeaf() {
	item, ws := itemOf(w.k), w.windowsOf[nil]
	n, l, i := w.names.free("n"), w.names.free("l"), w.names.free("i")
	w.line("for %s := range rounds {\nfor %s := range a {", n, l)
	if len(ws) > 0 || item != nil && w.uses[item] > 0 {
		w.line("%s := begin + %s*leaf + %s", i, l, n)
	} else {
		w.line("_ = %s // of a round, if one may stop", n)
	}
	if item != nil {
		w.text[item] = i
	}
	for v, x := range w.accesses {
		for _, y := range ws {
			if x == y {
				w.window[v] = w.elementAt(x.mem, w.plus(x.base, i))
			}
		}
	}
	c := w.chain(fmt.Sprintf("a[%s]", l))
	w.stop = fmt.Sprintf("%sreturn %d*%s + %s", c.settled(), steps, n, l)
	w.chained(c)
	w.line("%s}\n}", c.settled())
}

// A chain is the variables of an accumulator's numbers, and where these are.
type chain struct{ sums, at []string }

// chain declares them.
func (w *writer) chain(whole string) (c chain) {
	for _, a := range w.k.Accs {
		name, at := w.names.free(a.Name+"Sum"), partAt(whole, a)
		w.line("%s := %s", name, at)
		c.sums, c.at = append(c.sums, name), append(c.at, at)
	}
	return c
}

// settled returns the statements that store the variables.
func (c chain) settled() (s string) {
	for n, at := range c.at {
		s += fmt.Sprintf("%s = %s\n", at, c.sums[n])
	}
	return s
}

// chained writes the body of an item, which joins into the variables.
func (w *writer) chained(c chain) {
	w.plan(w.k.Body)
	w.declareKept()
	for n, p := range w.k.Body.Params {
		y := w.k.Body.Yield[n]
		if w.uses[p] == 0 || w.uses[p] == 1 && (y == p || w.adds(p, y) && w.k.Accs[n].GoType == p.Type.Go()) {
			continue
		}
		w.declare(p, w.convert(c.sums[n], w.k.Accs[n].GoType, p.Type.Go()))
	}
	w.block(w.k.Body)
	for n, p := range w.k.Body.Params {
		y := w.k.Body.Yield[n]
		switch {
		case y == p:
		case w.text[p] == "" && w.adds(p, y):
			w.text[p] = c.sums[n]
			w.line("%s %s", c.sums[n], w.sum(p, y))
		default:
			w.line("%s = %s", c.sums[n], w.accumulator(w.k.Accs[n], y))
		}
	}
}

// take keeps names from variables.
func (w *writer) take(names ...string) {
	for _, name := range names {
		w.names.taken[name] = true
	}
}
