package goloops

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// loop writes a loop. Carried values are variables that are declared in front of it.
func (w *writer) loop(v *ir.Value, b *ir.Block) {
	c, counts := countOf(b, v)
	rs := results(b, v)
	for n, p := range v.Head().Params {
		if counts && n == c.Place {
			continue
		}
		if p.Name == "" {
			p.Name = nameOf(rs, n)
		}
		w.declare(p, w.typed(v.Args[n]))
	}
	for _, r := range rs {
		w.text[r] = w.text[v.Head().Params[r.Index]]
	}
	switch call := w.calls[v]; {
	case call != nil:
		w.inner(call, func() { w.counted(v, c) })
	case counts:
		w.counted(v, c)
	default:
		w.general(v)
	}
}

func nameOf(rs []*ir.Value, n int) string {
	for _, r := range rs {
		if r.Index == n {
			return r.Name
		}
	}
	return ""
}

// general writes a loop whose head is a part of each round.
func (w *writer) general(v *ir.Value) {
	w.plan(v.Head())
	if cond := v.Head().Yield[0]; w.silent(v.Head()) {
		w.line("for %s {", w.bare(cond))
	} else {
		w.line("for {")
		w.block(v.Head())
		w.line("if %s {\n break\n}", w.not(cond))
	}
	w.block(v.LoopBody())
	w.next(v, -1)
	w.line("}")
}

// silent reports whether all of a block is written where it is used.
func (w *writer) silent(b *ir.Block) bool {
	for _, v := range b.Values {
		if !w.inline[v] {
			return false
		}
	}
	return true
}

// counted writes a loop that counts.
func (w *writer) counted(v *ir.Value, c pass.Count) {
	ws := w.windowsOf[v]
	if len(ws) == 0 {
		name := w.names.free(c.Index.Name)
		w.text[c.Index] = name
		w.line("for %s := %s; %s < %s; %s++ {", name, w.use(c.From), name, w.use(c.To), name)
		w.block(v.LoopBody())
		w.next(v, c.Place)
		w.line("}")
		return
	}
	always := w.k.IsRow(c.From, c.To)
	if !always {
		w.line("if %s < %s {", w.use(c.From), w.use(c.To))
	}
	w.slices(ws, w.use(c.From), w.use(c.To))
	used := w.uses[c.Index] > 2 || w.uses[v.LoopBody().Yield[c.Place]] > 1 // by more than the head and the count of rounds
	n := w.rangeOver(ws, c.Index, w.use(c.From), used)
	w.access(ws, n)
	w.block(v.LoopBody())
	w.next(v, c.Place)
	w.line("}")
	if !always {
		w.line("}")
	}
}

// slices declares windows, all of one length as the compiler sees it.
func (w *writer) slices(ws []*window, begin, end string) {
	for n, x := range ws {
		x.name = w.names.free(w.mems[x.mem] + "Row")
		same := ""
		if n > 0 {
			same = fmt.Sprintf("[:len(%s)]", ws[0].name)
		}
		w.line("%s := %s[%s:%s]%s", x.name, w.mems[x.mem], w.plus(x.base, begin), w.plus(x.base, end), same)
	}
}

// plus returns the sum of a value and an expression.
func (w *writer) plus(x *ir.Value, y string) string {
	if x.Op == ir.Const && w.text[x] == "" {
		switch n := x.Int(); {
		case n == 0:
			return y
		case y == "0":
			return w.use(x)
		case n < 0:
			return fmt.Sprintf("%s-%d", y, -n)
		}
	}
	if y == "0" {
		return w.use(x)
	}
	return fmt.Sprintf("%s+%s", w.use(x), y)
}

// rangeOver begins a loop over windows, and returns the name of its variable, which counts from 0. The
// index of the loop is one, too, if it is used.
func (w *writer) rangeOver(ws []*window, index *ir.Value, from string, used bool) string {
	if from == "0" {
		name := w.names.free(index.Name)
		w.text[index] = name
		w.line("for %s := range %s {", name, ws[0].name)
		return name
	}
	n := w.names.free("n")
	w.line("for %s := range %s {", n, ws[0].name)
	if used {
		w.declare(index, fmt.Sprintf("%s + %s", from, n))
	}
	return n
}

// access says which elements loads and stores are of.
func (w *writer) access(ws []*window, n string) {
	for v, x := range w.accesses {
		for _, y := range ws {
			if x == y {
				w.window[v] = fmt.Sprintf("%s[%s]", x.name, n)
			}
		}
	}
}

// next writes the assignments at the end of a round, without the one to the index.
func (w *writer) next(v *ir.Value, index int) {
	var left, right []string
	for n, p := range v.Head().Params {
		y := v.LoopBody().Yield[n]
		if n == index || y == p {
			continue
		}
		left, right = append(left, w.text[p]), append(right, w.sum(p, y))
	}
	if len(left) > 1 && dependent(left, right) {
		for n, r := range right {
			if op, rest, ok := strings.Cut(r, "= "); ok && (op == "+" || op == "-") {
				right[n] = fmt.Sprintf("%s %s (%s)", left[n], op, rest)
			} else {
				right[n] = strings.TrimPrefix(r, "= ")
			}
		}
		w.line("%s = %s", strings.Join(left, ", "), strings.Join(right, ", "))
		return
	}
	for n := range left {
		w.line("%s %s", left[n], right[n])
	}
}

// sum returns an assignment of y to the variable p without its left side: "+= x" if y is p + x.
func (w *writer) sum(p, y *ir.Value) string {
	if w.inline[y] && (y.Op == ir.Add || y.Op == ir.Sub) && y.Args[0] == p {
		return fmt.Sprintf("%s= %s", binary[y.Op], w.bare(y.Args[1]))
	}
	return "= " + w.bare(y)
}

// dependent reports whether a variable is set before another assignment reads it.
func dependent(left, right []string) bool {
	for n, l := range left {
		for _, r := range right[n+1:] {
			if mentions(r, l) {
				return true
			}
		}
	}
	return false
}

// mentions reports whether an expression has a name in it.
func mentions(expr, name string) bool {
	for at := 0; ; {
		n := strings.Index(expr[at:], name)
		if n < 0 {
			return false
		}
		at += n
		before := at == 0 || !isWord(expr[at-1])
		at += len(name)
		if before && (at == len(expr) || !isWord(expr[at])) {
			return true
		}
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
