package goloops

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A Prologue is the beginning of a Span method of any back end. It sets local variables to the memories and
// the values of the setup. It ends the span in front of an index for which a condition fails. The text uses
// the variables k, begin and end, and returns begin.
//
// The prologue of a method Runs has two parts: one for all runs, and one for a run. See [Runs].
type Prologue struct {
	Text  string
	Run   string               // the text for each run, in a loop over runs
	Value map[*ir.Value]string // Go expressions of the values of the setup
	Mem   []string             // names of the slices of memories; for an array, its index
	Uses  map[string]bool      // packages: "math", "kernel"; and functions, see [Loop.Uses]
}

// NewPrologue writes the prologue of a kernel. Its variables have none of the names given.
func NewPrologue(k *ir.Kernel, taken ...string) (*Prologue, error) {
	w := newWriter(k, taken...)
	w.findForced()
	w.prologue()
	run := ""
	if k.Index.Rank > 0 {
		before := w.b.Len()
		w.runPrologue()
		run = w.b.String()[before:]
		w.b.Truncate(before)
	}
	if w.err != nil {
		return nil, w.err
	}
	return &Prologue{w.b.String(), run, w.text, w.mems, w.imports}, nil
}

// prologue writes the statements that run once for a span, or for several runs.
func (w *writer) prologue() {
	w.behind()
	for _, m := range w.k.Mems {
		w.memory(m)
	}
	w.apart()
	w.separate()
	w.ranks()
	w.stop = w.none
	w.plan(w.k.Setup)
	for _, v := range w.k.Setup.Values {
		for _, a := range v.Args {
			if w.perRun[v] && !w.perRun[a] {
				w.inline[a] = false // computed once
			}
		}
	}
	for _, v := range w.k.Setup.Values {
		if !w.perRun[v] {
			w.value(v, w.k.Setup)
		}
	}
	if w.k.Index.Rank > 0 {
		return
	}
	for n, c := range w.k.Checks {
		same := func(m int) bool { return m >= 0 && m < len(w.k.Checks) && w.k.Checks[m].When == c.When }
		if c.When != nil && !same(n-1) {
			w.line("if %s {", w.use(c.When))
		}
		w.reach(c)
		if c.When != nil && !same(n+1) {
			w.line("}")
		}
	}
	if len(w.k.Checks) > 0 {
		w.line("if begin >= end {\n %s\n}", w.none)
	}
}

// memory makes a memory a local variable.
func (w *writer) memory(m ir.Mem) {
	if m.Far {
		w.mems, w.bases = append(w.mems, ""), append(w.bases, "")
		return
	}
	if m.Local > 0 {
		name := w.names.free(m.Name)
		w.line("var %s [%d]%s", name, m.Local, m.GoElem)
		w.mems, w.bases = append(w.mems, name), append(w.bases, name)
		return
	}
	if m.Table != nil {
		name := w.names.free(m.Name)
		w.line("%s := &%s", name, tableName(m))
		w.mems, w.bases = append(w.mems, name), append(w.bases, name)
		return
	}
	of, _ := m.Whole()
	name := w.names.free(pathName(w.k, m.Param, of))
	path := w.k.Expr(m.Param, of)
	switch {
	case m.Rank > 0:
		w.imports["data"] = true
		ok := w.names.free("ok")
		w.line("%s, %s := %s(%s.View)", name, ok, DataFunc, path)
		w.line("if !%s {\n %s // the memory is not the host's, or there is none\n}", ok, w.none)
	case m.Array:
		w.line("%s := &%s", name, path)
	case w.resliced(m): // a slice of it may reach beyond its length
		w.line("%s := %s[:cap(%s)]", name, path, path)
	default:
		w.line("%s := %s", name, path)
	}
	w.bases = append(w.bases, name)
	if m.IsFlat() {
		w.imports["flat"] = true
		numbers := w.names.free(name + "Numbers")
		w.line("%s := %s[%s](%s)", numbers, FlatFunc, m.GoElem, name)
		if !w.touches(len(w.mems)) {
			w.line("_ = %s // its length alone is asked for", numbers)
		}
		name = numbers
	}
	w.mems = append(w.mems, name)
}

// touches reports whether an item loads from a memory, or stores there.
func (w *writer) touches(mem int) (found bool) {
	w.k.Body.Walk(func(v *ir.Value) { found = found || (v.Op == ir.Load || v.Writes()) && v.Index == mem })
	return found
}

// FlatFunc is the name of the function of a generated file that returns the elements of a slice of structs as numbers.
const FlatFunc = "kernelFlat"

// FlatText is that function.
const FlatText = `
// kernelFlat returns the memory of a slice of structs, up to its capacity, as numbers of one of the types in them.
func kernelFlat[E, T any](s []T) []E {
	n := uintptr(cap(s)) * unsafe.Sizeof(*new(T)) / unsafe.Sizeof(*new(E))
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(s))), n)
}
`

// resliced reports whether a kernel asks for the capacity of a slice: where that is taken a slice of.
func (w *writer) resliced(m ir.Mem) bool {
	return slices.ContainsFunc(w.k.Scalars, func(s ir.Scalar) bool {
		n := len(s.Path) - 1
		return n >= 0 && s.Path[n].Kind == ir.Cap && s.Param == m.Param && slices.Equal(s.Path[:n], m.Path)
	})
}

// ranks stops for zero views, which have neither extents nor strides, where nothing is loaded from them.
func (w *writer) ranks() {
	asked := map[string]bool{}
	for _, s := range w.k.Scalars {
		n := len(s.Path) - 1
		if n < 0 || s.Path[n].Kind != ir.Extent && s.Path[n].Kind != ir.Stride {
			continue
		}
		name := w.k.Expr(s.Param, s.Path[:n])
		hasMemory := slices.ContainsFunc(w.k.Mems, func(m ir.Mem) bool { return m.Param == s.Param && slices.Equal(m.Path, s.Path[:n]) })
		if !hasMemory && !asked[name] {
			asked[name] = true
			w.line("if %s.Rank() == 0 {\n %s\n}", name, w.none)
		}
	}
}

// DataFunc is the name of the function of a generated file that returns the memory of a view.
const DataFunc = "kernelData"

// DataText is that function.
const DataText = `
// kernelData returns the memory of a view from its first element to its last one, if it has any that
// the host can touch now.
func kernelData[T any](v views.View[T]) (data []T, ok bool) {
	guard, first := v.MemorySpace().Guard(), v.Address()
	if first == nil || guard == nil || !guard.Open() {
		return nil, false
	}
	n := 1
	for d := range v.Rank() {
		n += (v.Extent(d) - 1) * v.Stride(d)
	}
	return unsafe.Slice((*T)(first), n), true
}
`

// reach writes a condition on the index. One that is the same for all items is an if.
func (w *writer) reach(c ir.SpanCheck) {
	if c.Step.Op == ir.Const && c.Step.Bits == 0 {
		w.line("if %s >= %s {\n %s\n}", w.unsigned(c.Base), w.unsigned(c.Limit), w.none)
		return
	}
	w.imports["kernel"] = true
	w.line("end = kernel.Reach(begin, end, %s, %s, %s)", w.use(c.Base), w.use(c.Step), w.use(c.Limit))
}

// scalar returns the Go expression of a scalar, of the type that its value has.
func (w *writer) scalar(s ir.Scalar) string {
	text := w.path(s.Param, s.Path)
	if s.GoType != s.Type.Go() {
		text = fmt.Sprintf("%s(%s)", s.Type.Go(), text)
	}
	return text
}

// path returns a part of a parameter in Go. The length of a view's memory is the length of the local
// variable.
func (w *writer) path(param int, path []ir.Step) string {
	n := len(path)
	if n == 0 || path[n-1].Kind != ir.Len && path[n-1].Kind != ir.Cap {
		return w.k.Expr(param, path)
	}
	name := w.k.Expr(param, path[:n-1])
	for m, mem := range w.k.Mems {
		if whole, _ := mem.Whole(); mem.Param != param || !slices.Equal(whole, path[:n-1]) {
			continue
		}
		if mem.Rank > 0 {
			return "len(" + w.bases[m] + ")"
		}
		if !w.resliced(mem) {
			name = w.bases[m]
		}
	}
	if path[n-1].Kind == ir.Cap {
		return "cap(" + name + ")"
	}
	return "len(" + name + ")"
}
