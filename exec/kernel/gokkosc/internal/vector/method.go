package vector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// method is the declaration of the function, and the method that calls it.
func (w *writer) method() string {
	k, e := w.e.k, w.e
	var params, values []string
	for _, a := range e.args {
		params = append(params, a.Name+" "+a.GoType)
		values = append(values, w.value(a))
	}
	w.imports["unsafe"] = true
	w.b.Reset()
	fmt.Fprintf(&w.b, "// %s runs vectors·%d+left items from begin on, and returns the first that it has not run.\n//\n//go:noescape\nfunc %s(%s) (next int)\n\n", w.name(), e.Width, w.name(), strings.Join(params, ", "))
	if !w.Left {
		fmt.Fprintf(&w.b, "type %s%s %s\n\n", w.Base, w.shape.Level, w.Type)
		if len(k.Accs) == 0 && !k.Index.Row && e.row == nil { // lanes of a vector are items, and leaves may be cut
			fmt.Fprintf(&w.b, "func (*%s%s) Lanes() int { return %d }\n\n", w.Base, w.shape.Level, e.Width)
		}
	}
	call := fmt.Sprintf("%s(%s)", w.name(), strings.Join(values, ", "))
	if k.Index.Rank > 0 {
		w.runs(call)
		return w.b.String()
	}
	lanes := ""
	var accs, names []string
	for n, a := range k.Lanes {
		names = append(names, string(rune('a'+n)))
		accs = append(accs, names[n]+" []"+a.GoType)
		lanes = ", item int, " + strings.Join(accs, ", ")
	}
	fmt.Fprintf(&w.b, "func (k *%s%s) Span(begin, end int%s) (next int) {\n", w.Base, w.shape.Level, lanes)
	text := w.p.Text
	otherSpan := fmt.Sprintf("(*%s%s)(k).Span(begin, end)", w.Base, w.Other)
	var tail strings.Builder
	if len(accs) > 0 {
		otherSpan = fmt.Sprintf("(*%s%s)(k).Span(begin, end, item, %s)", w.Base, w.Other, strings.Join(names, ", "))
		w.fewLanes(&tail, names, otherSpan)
	}
	if e.row != nil {
		w.rows(&tail, otherSpan, call)
		w.finish(text, tail.String())
		return w.b.String()
	}
	w.apartOr(&tail, "return "+otherSpan)
	w.separateOr(&tail, "return "+otherSpan)
	w.pieces(&tail, "return "+otherSpan)
	if e.fuel != nil {
		w.leaving(&tail, otherSpan, call)
	} else {
		fmt.Fprintf(&tail, "for begin < end {\n%sif next != begin+n {\nreturn next\n}\nbegin = next\n", w.next(call))
		if len(accs) > 0 {
			tail.WriteString("item += n\n")
		}
		tail.WriteString("}\nreturn end\n}\n")
	}
	w.finish(text, tail.String())
	w.hasLeaves = w.leaves(text)
	return w.b.String()
}

// leaving writes the loop over calls that may run out of fuel. If a call does not run even its first vector, the other
// loop runs it. Such a vector takes too long here, or one of its items fails a check.
func (w *writer) leaving(b *strings.Builder, otherSpan, call string) {
	item := ""
	if len(w.e.k.Accs) > 0 {
		item = "item += next - begin\n"
	}
	fmt.Fprintf(b, `for begin < end {
%sif next == begin {
n = min(end-begin, %d)
next = %s
if next != begin+n {
return next
}
}
%sbegin = next
}
return end
}
`, w.next(call), w.e.Width, strings.Replace(otherSpan, "begin, end", "begin, begin+n", 1), item)
}

// leaves is the method that runs several leaves, each of which is short enough for one call.
func (w *writer) leaves(prologue string) (has bool) {
	k, e := w.e.k, w.e
	if len(k.Lanes) != 1 {
		return false
	}
	other := "begin"
	if w.OtherLeaves {
		other = fmt.Sprintf("(*%s%s)(k).Leaves(begin, end, leaf, lanes, a, sums)", w.Base, w.Other)
	}
	joins := fmt.Sprintf("\nfunc (k *%s%s) Joins() kernel.Op { ", w.Base, w.shape.Level)
	head := fmt.Sprintf("\nfunc (k *%s%s) Leaves(begin, end, leaf, lanes int, a, sums []%s) (next int) {\n", w.Base, w.shape.Level, k.Lanes[0].GoType)
	switch _, loops := w.rounds(w.cost); {
	case !loops && len(e.leaves) > 0:
	case w.OtherLeaves:
		fmt.Fprintf(&w.b, "%sreturn (*%s%s)(k).Joins() }\n%sreturn %s\n}\n", joins, w.Base, w.Other, head, other)
		return true
	default:
		return false
	}
	of := map[string]string{"vectors": fmt.Sprintf("leaf/%d", e.Width), "left": "0", "lane": "0", "lanes": "lanes-1", "leaves": "n", "begin": "begin", "skip": "0", "head": "0", "accA": "unsafe.Pointer(&a[:used][0])", "sums": "joined"}
	var values []string
	for _, a := range e.args {
		v, ok := of[a.Name]
		if !ok {
			v = w.value(a)
		}
		values = append(values, v)
	}
	fmt.Fprintf(&w.b, "%sreturn %q }\n%s", joins, joinNames[e.joins], head)
	rest := fmt.Sprintf("const piece = %d\n", w.leafPiece())
	if w.OtherLeaves {
		rest += fmt.Sprintf("if %s {\nreturn %s\n}\nif ", e.otherLanes(), other)
	} else {
		rest += fmt.Sprintf("if %s || ", e.otherLanes())
	}
	call := fmt.Sprintf("begin = %s(%s)", w.name(), strings.Join(values, ", "))
	rest += fmt.Sprintf(`leaf %% %d != 0 || leaf > piece {
	return begin
}
for end-begin >= leaf {
	n := min((end-begin)/leaf, piece/leaf)
	used := n*lanes
%s}
return begin
}
`, roundItems, w.advancing(call))
	w.finish(prologue, rest)
	return true
}

// otherLanes is the condition that leaves have as many lanes as there is no loop for.
func (e *Emitter) otherLanes() string {
	var all []string
	for _, lanes := range slices.Sorted(slices.Values(e.leaves)) {
		all = append(all, fmt.Sprintf("lanes != %d", lanes))
	}
	return strings.Join(all, " && ")
}

// advancing writes the call for n leaves, and goes on to the lanes or to the sums of those behind.
func (w *writer) advancing(call string) string {
	if w.e.joins == ir.Invalid {
		return call + "\na = a[used:]\n"
	}
	return fmt.Sprintf(`var joined unsafe.Pointer
if sums != nil {
	used, joined = lanes, unsafe.Pointer(&sums[:n][0])
	sums = sums[n:]
}
%s
if joined == nil {
	a = a[used:]
}
`, call)
}

// finish writes the prologue and the rest of a method.
func (w *writer) finish(prologue, rest string) {
	w.b.WriteString(prologue)
	for _, name := range w.unused(prologue, rest) {
		fmt.Fprintf(&w.b, "_ = %s\n", name)
	}
	w.b.WriteString(rest)
}

// fewLanes leaves spans of few lanes to the other loop.
func (w *writer) fewLanes(b *strings.Builder, names []string, otherSpan string) {
	width := w.e.Width
	cond := fmt.Sprintf("len(a) < %d", width)
	for _, n := range names[1:] {
		cond += fmt.Sprintf(" || len(%s) != len(a)", n)
	}
	fmt.Fprintf(b, "if %s {\nreturn %s\n}\n", cond, otherSpan)
}
