package goloops

import (
	"fmt"
	"maps"
	"regexp"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Left is the name of the method that [Runs] writes for runs along the first dimension.
const Left = "left"

// Runs returns the method Runs of a type, for runs along the last dimension, and a method for runs along the
// first one. The fields of the type are the parameters of the kernel. Each method has:
//
//	memories, and what is the same for all runs
//	for each run
//		its outer coordinates, and what is the same for its items
//		its conditions
//		the items
//
// Runs returns an error if there can be no loop along the last dimension. If there can be none along the
// first one, the functor runs the runs along it.
func Runs(kernel, left *ir.Kernel, typeName string) (*Loop, error) {
	loop, err := made(kernel, nil, func(w *writer) { w.runs(typeName, "Runs", true) })
	if err != nil {
		return nil, err
	}
	other, err := made(left, nil, func(w *writer) { w.runs(typeName, Left, false) })
	if err != nil {
		other = &Loop{Text: LeaveLeft(left, typeName)}
	}
	loop.Text += "\n" + other.Text
	maps.Copy(loop.Uses, other.Uses)
	return loop, nil
}

// LeaveLeft returns the method for runs along the first dimension that leaves them to the functor.
func LeaveLeft(k *ir.Kernel, typeName string) string {
	params, names := Lanes(k)
	runs := ""
	if len(names) > 0 {
		runs, params = "_ ", ", _, _ int"+params
		for _, name := range names {
			params = strings.Replace(params, ", "+name+" ", ", _ ", 1)
		}
	}
	return fmt.Sprintf("func (k *%s) %s(%s[]policy.Run%s) (done, items int) { return 0, 0 }\n", typeName, Left, runs, params)
}

// runNames are the names that a method Runs has for other things than variables of kernels.
var runNames = []string{"runs", "run", "done", "items", "leaf", "policy"}

// perRun returns the values of the setup that differ from run to run.
func perRun(k *ir.Kernel) map[*ir.Value]bool {
	set := map[*ir.Value]bool{}
	for _, v := range k.Setup.Values {
		set[v] = k.Index.Rank > 0 && (v.Op == ir.Coord || v.Op == ir.Stop)
		for _, a := range v.Args {
			set[v] = set[v] || set[a]
		}
	}
	return set
}

func (w *writer) runs(typeName, method string, dispatch bool) {
	w.imports["policy"] = true
	params, lanes := w.lanes()
	args := ""
	if len(lanes) > 0 {
		args = ", item, leaf, " + strings.Join(lanes, ", ")
		params = strings.Replace(params, "item", "item, leaf", 1)
	}
	w.line("func (k *%s) %s(runs []policy.Run%s) (done, items int) {", typeName, method, params)
	if dispatch {
		w.line("if runs[0].Dim != %d {\n return k.%s(runs%s)\n}", w.k.Index.Dim, Left, args)
	}
	w.prologue()
	before := w.b.String()
	w.b.Reset()
	w.runPrologue()
	if w.k.Index.Row {
		w.stop = w.none
		w.item(lanes, "")
	} else {
		if len(lanes) > 0 {
			w.line("end = begin + min(end-begin, leaf-item&(leaf-1))")
		}
		w.items(lanes, "return done, %s", "return done, %s - begin")
		if len(lanes) > 0 || len(w.k.Checks) > 0 {
			w.line("if end-begin < run.Len {\n return done, end - begin\n}")
		}
		w.nextLeaf(lanes)
	}
	each := w.b.String()
	w.b.Reset()
	w.b.WriteString(before)
	w.line("%s%s}\nreturn len(runs), 0\n}", RangeOver(each), each)
}

// nextLeaf goes on behind a run. The run may have reached the end of a leaf: a longer run stops there.
func (w *writer) nextLeaf(lanes []string) {
	if len(lanes) == 0 {
		return
	}
	w.imports["kernel"] = true
	w.line("if item += run.Len; item&(leaf-1) == 0 {")
	for _, name := range lanes {
		w.line("%s = kernel.NextLeaf(%[1]s)", name)
	}
	w.line("}")
}

var (
	usesRun  = regexp.MustCompile(`(^|[^.\w])run\.`)
	usesDone = regexp.MustCompile(`(^|[^.\w])done\b`)
)

// RangeOver begins the loop over runs that does the given statements for each run, with the variables done
// and run if the statements use them.
func RangeOver(each string) string {
	switch {
	case usesRun.MatchString(each):
		return "for done := range runs {\nrun := &runs[done]\n"
	case usesDone.MatchString(each):
		return "for done := range runs {\n"
	}
	return "for range runs {\n"
}

// runPrologue writes the statements that run once for a run.
func (w *writer) runPrologue() {
	w.none, w.stop = "return done, 0", "return done, 0"
	if d := w.k.Index.Dim; !w.k.Index.Row {
		w.line("begin, end := run.At[%d], run.At[%d]+run.Len", d, d)
	}
	for _, v := range w.k.Setup.Values {
		if w.perRun[v] {
			w.value(v, w.k.Setup)
		}
	}
	w.reaches()
}

// A group is conditions on the index of a run that are asked at once: base + i < limit, for several bases.
type group struct {
	limit, when *ir.Value
	bases       []*ir.Value
}

// reaches writes the conditions on the indices of a run.
func (w *writer) reaches() {
	var groups []*group
	ends := false
	for _, c := range w.k.Checks {
		if c.Step.Op != ir.Const || c.Step.Int() != 1 {
			ends = ends || c.Step.Op != ir.Const || c.Step.Bits != 0
			w.when(c.When, func() { w.reach(c) })
			continue
		}
		ends = true
		var of *group
		for _, g := range groups {
			if g.limit == c.Limit && g.when == c.When {
				of = g
			}
		}
		if of == nil {
			of = &group{limit: c.Limit, when: c.When}
			groups = append(groups, of)
		}
		of.bases = append(of.bases, c.Base)
	}
	for _, g := range groups {
		w.imports["kernel"] = true
		w.when(g.when, func() {
			lo, hi, limit := w.extreme("min", g.bases), w.extreme("max", g.bases), w.use(g.limit)
			if !w.isLength(g.limit) {
				w.line("end = kernel.Reach(begin, kernel.Reach(begin, end, %s, 1, %s), %s, 1, %s)", lo, limit, hi, limit)
				return
			}
			w.line("end = kernel.ReachAll(begin, end, %s, %s, %s)", lo, hi, limit)
		})
	}
	if ends {
		w.line("if begin >= end {\n %s\n}", w.none)
	}
}

// isLength reports whether a value is plainly not negative.
func (w *writer) isLength(v *ir.Value) bool {
	if v.Op == ir.Const {
		return v.Int() >= 0
	}
	if v.Op != ir.Uniform {
		return false
	}
	path := w.k.Scalars[v.Index].Path
	if len(path) == 0 {
		return false
	}
	kind := path[len(path)-1].Kind
	return kind == ir.Len || kind == ir.Cap || kind == ir.Extent
}

// when writes something under a condition, which can be nil.
func (w *writer) when(cond *ir.Value, write func()) {
	if cond == nil {
		write()
		return
	}
	w.line("if %s {", w.use(cond))
	write()
	w.line("}")
}

// extreme returns the least or the greatest of values.
func (w *writer) extreme(name string, values []*ir.Value) string {
	var list []string
	for _, v := range values {
		list = append(list, w.use(v))
	}
	if len(list) == 1 {
		return list[0]
	}
	return fmt.Sprintf("%s(%s)", name, strings.Join(list, ", "))
}
