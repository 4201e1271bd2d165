package vector

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
)

// A writer writes a function as text.
type writer struct {
	Names
	shape   *Shape
	e       *Emitter
	f       *asm.Function
	p       *goloops.Prologue
	line    func(token.Position) string
	imports map[string]bool
	cost    cost
	b       strings.Builder

	hasLeaves bool // the method Leaves is there
}

func (w *writer) name() string {
	if w.Left {
		return w.Base + "Left" + w.shape.Suffix
	}
	return w.Base + "Vectors" + w.shape.Suffix
}

// unused returns the variables of the prologue that neither it nor the rest reads.
func (w *writer) unused(prologue, rest string) (list []string) {
	names := map[string]bool{}
	for n, name := range w.p.Mem {
		if !w.e.k.Mems[n].Far {
			names[name] = true
		}
	}
	for _, s := range w.p.Value {
		if token.IsIdentifier(s) {
			names[s] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if words(prologue, name) < 2 && words(rest, name) == 0 {
			list = append(list, name)
		}
	}
	return list
}

// words counts how often a name is in a text, as a word and no field.
func words(text, name string) (n int) {
	letter := func(r byte) bool {
		return r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= 0x80
	}
	for at := 0; ; {
		k := strings.Index(text[at:], name)
		if k < 0 {
			return n
		}
		at += k
		end := at + len(name)
		if (at == 0 || !letter(text[at-1]) && text[at-1] != '.') && (end == len(text) || !letter(text[end])) {
			n++
		}
		at = end
	}
}

// Names are the names of a kernel in generated code.
type Names struct {
	Base  string // begins the names of loops: "axpy" of "axpyAVX2"
	Type  string // the type that loops are made of: "axpyKernel"
	Other string // ends the name of the loop that takes over where this one stops: "Go"
	Left  bool   // the code is for runs along the first dimension

	OtherLeaves bool // the other loops run several leaves in one call
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
