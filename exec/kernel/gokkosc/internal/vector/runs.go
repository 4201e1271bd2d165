package vector

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
)

// Kernels over points and rows of boxes: a method Runs, and one for runs along the first dimension, which call
// the function in assembly for each run. What is the same for all runs is made once.

// kernelOf compiles a kernel. Where it has runs along the first dimension that have no vector code, those are
// left to the other loop.
func (t Target) kernelOf(k *target.Kernel, line func(token.Position) string) (all []*Compiled, err error) {
	c, names, err := t.compile(k, line)
	if err == nil && !slices.Contains(k.Made, goloops.Target{}.Name()) {
		err = &Refusal{k.IR.Pos, "it has no Go loop, which would run what vectors leave"}
	}
	if err != nil || k.IR.Index.Rank == 0 {
		return []*Compiled{c}, err
	}
	names.Left = true
	left, err := Compile(t.Set, k.Left(), names, t.Slow, line)
	if err != nil {
		c.Go += "\n" + leaveLeft(k.IR, names, t.Set.Shape())
		return []*Compiled{c}, nil
	}
	return []*Compiled{c, left}, nil
}

// leaveLeft is the method for runs along the first dimension that leaves them to the other loop.
func leaveLeft(k *ir.Kernel, names Names, shape *Shape) string {
	params, args, _ := lanesOf(k)
	return fmt.Sprintf("func (k *%s%s) %s(runs []policy.Run%s) (done, items int) {\nreturn (*%s%s)(k).%[3]s(runs%[7]s)\n}\n", names.Base, shape.Level, goloops.Left, params, names.Base, names.Other, args)
}

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

// fewItems is how many items a run has for which a reduction is run in vectors.
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

// partsOf writes the parts of the method behind its first line: over a list, with that beginning of its loop, or
// that over runs.
func (w *writer) partsOf(loop, list, head, each string) {
	launch, run := w.p.Text, w.p.Run
	var ofLaunch, ofRun string
	for _, name := range w.unused(launch+run, head+each) {
		line := fmt.Sprintf("_ = %s\n", name)
		if words(launch, name) > 0 {
			ofLaunch += line
		} else {
			ofRun += line
		}
	}
	if loop == "" {
		loop = goloops.RangeOver(run + each)
	}
	w.b.WriteString(launch + ofLaunch + head + loop + run + ofRun + each + "}\nreturn len(" + list + "), 0\n}\n")
}
