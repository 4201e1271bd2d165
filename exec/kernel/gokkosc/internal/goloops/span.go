// Package goloops writes kernels as plain Go loops, which run on every target. The loops make no call for
// each item, and have accumulators in variables. If indices count up with the items, bounds are checked once
// for many items.
package goloops

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A Loop is the text of a Span method.
type Loop struct {
	Text string
	Uses map[string]bool // "math", "kernel" and "policy", packages; and "data", "divide", "mulhigh", "overlap", "touch" and "cells", see [DataText], [DivideText], [HighText], [OverlapText], [TouchText] and [CellsText]
}

// Span returns the method Span of a type, whose fields are the parameters of the kernel. Span returns an
// error, with a position, if there can be no such loop.
func Span(kernel *ir.Kernel, typeName string) (*Loop, error) {
	return made(kernel, nil, func(w *writer) { w.span(typeName) })
}

// made returns the loop that a function writes of a kernel.
func made(kernel *ir.Kernel, calls []*Call, write func(w *writer)) (*Loop, error) {
	k := kernel.Clone()
	called := callsIn(k, calls)
	of, access := windows(k, loggedStores(k), called)
	w := newWriter(k)
	w.calls = called
	w.windowsOf, w.accesses = of, access
	for _, list := range of {
		for _, x := range list {
			w.uses[x.base] += 2
		}
	}
	w.findForced()
	w.findJournal(k.Body, nil, nil)
	w.logAll()
	write(w)
	if w.err != nil {
		return nil, w.err
	}
	return &Loop{w.b.String(), w.imports}, nil
}

// Lanes returns the parameters of Span that are the lanes of a kernel's accumulators: "lanes []float64",
// and the names of these.
func Lanes(k *ir.Kernel) (params string, names []string) {
	if k.Team != ir.NoTeam { // accumulators of members are memory of the team
		return "", nil
	}
	for n, a := range k.Lanes {
		name := "lanes"
		if n > 0 {
			name = fmt.Sprintf("lanes%d", n+1)
		}
		names = append(names, name)
		params += fmt.Sprintf(", %s []%s", name, a.GoType)
	}
	return params, names
}

func (w *writer) span(typeName string) {
	params, lanes := w.lanes()
	w.line("func (k *%s) Span(begin, end int%s) (next int) {", typeName, params)
	w.prologue()
	if w.k.Index.Row { // a span is one item
		w.stop = w.none
		w.item(lanes, "")
	} else {
		w.items(lanes, "return begin + %s", "return %s")
	}
	w.line("return end\n}")
}

// lanes returns the parameters for accumulators, and the names of their lanes.
func (w *writer) lanes() (params string, lanes []string) {
	params, lanes = Lanes(w.k)
	for _, name := range lanes {
		w.names.taken[name] = true
	}
	if len(lanes) > 0 {
		params = ", item int" + params
	}
	return params, lanes
}

// items writes the loop over the items begin to end. Statements stop in front of the item begin+n, and
// in front of item i.
func (w *writer) items(lanes []string, stopBehind, stopAt string) {
	item := itemOf(w.k)
	ws := w.windowsOf[nil]
	number := "" // of the item, in a reduction
	if w.logs {
		w.declareLog()
	}
	if len(ws) > 0 {
		w.slices(ws, "begin", "end")
		n := w.rangeOver(ws, item, "begin", item != nil && w.uses[item] > 0)
		w.access(ws, n)
		w.stop = fmt.Sprintf(stopBehind, n)
		number = fmt.Sprintf("item + %s", n)
	} else {
		name := "i"
		if item != nil {
			name = item.Name
		}
		name = w.names.free(name)
		if item != nil {
			w.text[item] = name
		}
		w.line("for %s := begin; %s < end; %s++ {", name, name, name)
		w.stop = fmt.Sprintf(stopAt, name)
		number = fmt.Sprintf("item + %s - begin", name)
	}
	if w.logs {
		w.line("%s = %[1]s[:0]", w.noted)
		w.stop = w.back + "()\n" + w.stop
	}
	w.clearScratch()
	w.item(lanes, number)
	w.line("}")
	if w.logs {
		w.line("%s = %s", w.logOfTeam(), w.noted)
	}
}

// clearScratch clears the scratch memory that a team uses.
func (w *writer) clearScratch() {
	for level := range 2 {
		uses := func(m ir.Mem) bool {
			return m.Own && m.Local == 0 && len(m.Path) > 1 && m.Path[0].Field == "Scratch" && m.Path[1].N == level
		}
		if n := slices.IndexFunc(w.k.Mems, uses); n >= 0 {
			w.line("clear(%s)", w.k.Expr(w.k.Mems[n].Param, w.k.Mems[n].Path[:2]))
		}
	}
}

func itemOf(k *ir.Kernel) (item *ir.Value) {
	k.Body.Walk(func(v *ir.Value) {
		if v.Op == ir.Item {
			item = v
		}
	})
	return item
}

// item writes the body, with the accumulators of the item's lane.
func (w *writer) item(lanes []string, number string) {
	w.plan(w.k.Body)
	w.declareKept()
	at := make([]string, len(w.k.Accs))
	lane := make([]string, len(lanes))
	w.accessesOf(lanes, lane, number)
	for n, p := range w.k.Body.Params {
		of := w.k.Accs[n].Lanes
		y := w.k.Body.Yield[n]
		if y == p && w.uses[p] == 1 {
			continue // nothing reads or sets it
		}
		at[n] = partAt(w.laneOf(of, lanes, lane, number), w.k.Accs[n])
		if w.uses[p] == 1 && w.adds(p, y) && w.k.Accs[n].GoType == p.Type.Go() {
			continue
		}
		if w.uses[p] > 0 {
			w.declare(p, w.convert(at[n], w.k.Accs[n].GoType, p.Type.Go()))
		}
	}
	w.block(w.k.Body)
	for n, p := range w.k.Body.Params {
		y := w.k.Body.Yield[n]
		switch {
		case y == p:
		case w.text[p] == "" && w.adds(p, y):
			w.text[p] = at[n]
			w.line("%s %s", at[n], w.sum(p, y))
		default:
			w.line("%s = %s", at[n], w.accumulator(w.k.Accs[n], y))
		}
	}
}

// laneOf returns the accumulator of the item's lane.
func (w *writer) laneOf(of int, lanes, lane []string, number string) string {
	if lane[of] == "" && !w.k.Index.Row {
		lane[of] = w.names.free("lane")
		w.line("%s := (%s) & (len(%s) - 1)", lane[of], number, lanes[of])
	}
	return fmt.Sprintf("%s[%s]", lanes[of], cmp.Or(lane[of], "0"))
}

// accumulator returns a value in the type of an accumulator. A constant that may be beyond it is converted as
// a variable: the compiler would refuse it.
func (w *writer) accumulator(a ir.Acc, v *ir.Value) string {
	s := w.typed(v)
	beyond := v.Op == ir.Const && v.Type.IsInt() && w.text[v] == "" && uint64(v.Int()) > math.MaxInt8
	if a.GoType != v.Type.Go() && beyond {
		name := w.names.free("constant")
		w.line("%s := %s", name, s)
		s = name
	}
	return w.convert(s, v.Type.Go(), a.GoType)
}

// partAt returns a part of an accumulator: one that only its own package sees by its place.
func partAt(whole string, a ir.Acc) string {
	if a.Address {
		return fmt.Sprintf("int(uintptr(unsafe.Pointer(&%s)))", whole)
	}
	if a.Hidden {
		return fmt.Sprintf("*(*%s)(unsafe.Add(unsafe.Pointer(&%s), %d))", a.GoType, whole, a.Offset)
	}
	return whole + ir.PartString(a.Path)
}

// adds reports whether y is written as p + x, where it is used.
func (w *writer) adds(p, y *ir.Value) bool {
	return w.inline[y] && (y.Op == ir.Add || y.Op == ir.Sub) && y.Args[0] == p && y.Args[1] != p
}

// convert returns an expression of one type as one of another.
func (w *writer) convert(s, from, to string) string {
	if from == to {
		return s
	}
	return fmt.Sprintf("%s(%s)", to, s)
}
