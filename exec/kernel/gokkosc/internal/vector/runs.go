package vector

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Kernels over points and rows of boxes have a method Runs, and one for runs along the first dimension. Both
// call the function in assembly for each run. Values that are the same for all runs are computed once.

// lanesOf returns the parameters for accumulators, the arguments that pass them on, and their names.
func lanesOf(k *ir.Kernel) (params, args string, names []string) {
	for n, a := range k.Lanes {
		name := string(rune('a' + n))
		names = append(names, name)
		params += fmt.Sprintf(", %s []%s", name, a.GoType)
	}
	if len(names) > 0 {
		params, args = ", item, leaf int"+params, ", item, leaf, "+strings.Join(names, ", ")
	}
	return params, args, names
}

// runs is the method that calls the function for each run.
func (w *writer) runs(call string) {
	k := w.e.k
	params, args, lanes := lanesOf(k)
	method := "Runs"
	if w.Left {
		method = goloops.Left
	}
	other := fmt.Sprintf("(*%s%s)(k).%s", w.Base, w.Other, method)
	w.imports["policy"] = true
	fmt.Fprintf(&w.b, "func (k *%s%s) %s(runs []policy.Run%s) (done, items int) {\n", w.Base, w.shape.Level, method, params)
	if !w.Left {
		fmt.Fprintf(&w.b, "if runs[0].Dim != %d {\nreturn k.%s(runs%s)\n}\n", k.Index.Dim, goloops.Left, args)
	}
	if !k.Index.Row { // in front of the memories, which the other loop asks for as well
		w.few(&w.b, lanes, fmt.Sprintf("return %s(runs%s)", other, args))
	}
	var head, each strings.Builder
	switch {
	case k.Index.Row:
		w.apartOr(&head, fmt.Sprintf("return %s(runs%s)", other, args))
		w.pieces(&each, fmt.Sprintf("rest, n := %s(runs[done:]%s)\nreturn done + rest, n", other, args))
		w.piecesOfRow(&each, call)
	default:
		w.separateOr(&head, fmt.Sprintf("return %s(runs%s)", other, args))
		if len(w.e.apart) > 0 {
			fmt.Fprintf(&head, "apart := %s\n", strings.Join(w.areApart(w.e.apart), " && "))
		}
		w.ofRun(&each, call, other, lanes)
	}
	w.partsOf("", "runs", head.String(), each.String())
	if w.e.plane && !w.Left {
		w.planes()
	}
}

// few leaves to the other loop runs of few lanes, and reductions over short runs: to call takes as long as such a run. The first
// one and the last one may be parts of rows.
func (w *writer) few(b *strings.Builder, lanes []string, leave string) {
	if len(lanes) == 0 {
		return
	}
	cond := fmt.Sprintf("len(a) < %d || runs[len(runs)/2].Len < %d", w.e.Width, fewItems)
	for _, n := range lanes[1:] {
		cond += fmt.Sprintf(" || len(%s) != len(a)", n)
	}
	fmt.Fprintf(b, "if %s {\n%s\n}\n", cond, leave)
}

// fewItems is the least number of items of a run that a reduction runs in vectors.
const fewItems = 16

// ofRun runs the items of a run, in a reduction leaf by leaf. A call that runs not even a vector leaves that to the other
// loop, as in leaving.
func (w *writer) ofRun(b *strings.Builder, call, other string, lanes []string) {
	at := fmt.Sprintf("run.At[%d]", w.e.k.Index.Dim)
	_, args, _ := lanesOf(w.e.k)
	w.pieces(b, fmt.Sprintf("rest, n := %s(runs[done:]%s)\nreturn done + rest, n", other, args))
	next, advance := w.next(call), ""
	if len(lanes) > 0 {
		w.imports["kernel"] = true
		next = strings.Replace(next, "piece-skip)", "piece-skip, leaf-item&(leaf-1))", 1)
		advance = "if item += next - begin; item&(leaf-1) == 0 {\n"
		for _, name := range lanes {
			advance += fmt.Sprintf("%s = kernel.NextLeaf(%[1]s)\n", name)
		}
		advance += "}\n"
	}
	masked := ""
	if len(w.e.apart) > 0 {
		masked = fmt.Sprintf("if n > %d && !apart { // no item is run twice\nn &^= %d\n}\n", w.e.Width, w.e.Width-1)
	}
	stop := fmt.Sprintf("if next != begin+n {\nreturn done, next - %s\n}\n", at)
	if w.e.fuel != nil {
		stop = fmt.Sprintf("if next == begin {\npart := [1]policy.Run{*run}\n%s, part[0].Len = begin, min(n, %d)\nif whole, n := %s(part[:]%s); whole == 0 {\nreturn done, begin - %s + n\n}\nnext = begin + part[0].Len\n}\n",
			strings.Replace(at, "run", "part[0]", 1), w.e.Width, other, args, at)
	}
	next = strings.Replace(next, "next :=", masked+"next :=", 1)
	fmt.Fprintf(b, "for begin < end {\n%s%s%sbegin = next\n}\n", next, stop, advance)
	if len(w.e.k.Checks) > 0 {
		fmt.Fprintf(b, "if n := end - %s; n < run.Len {\nreturn done, n\n}\n", at)
	}
}
