package vector

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A leaf may have half as many lanes as a vector has items. Values that do not depend on the accumulators are computed for a
// whole vector then, whose halves are joined one after the other. Vectors of half the size, the rejected way, divide half as
// many numbers in the same time.

// splits reports whether accumulators may be joined in halves of vectors.
func (e *Emitter) splits() bool {
	if !e.shape.Halves {
		return false
	}
	for n, a := range e.k.Accs {
		if a.Elem == ir.Bool || a.Elem.IsNarrow() || !e.isNumber(n) {
			return false
		}
	}
	depends := e.dependent()
	for _, v := range e.k.Body.Values {
		if depends[v] && (!v.Op.Pure() || v.Op == ir.Conv || v.Op == ir.Div || v.Op == ir.Rem) {
			return false
		}
	}
	return true
}

// dependent returns the values that depend on the accumulators.
func (e *Emitter) dependent() map[*ir.Value]bool {
	all := map[*ir.Value]bool{}
	for _, p := range e.k.Body.Params {
		all[p] = true
	}
	does := func(v *ir.Value) bool { return all[v] }
	for _, v := range e.k.Body.Values {
		all[v] = slices.ContainsFunc(v.Args, does)
		for _, b := range v.Blocks {
			all[v] = all[v] || slices.ContainsFunc(b.Yield, does)
			b.Walk(func(w *ir.Value) { all[v] = all[v] || slices.ContainsFunc(w.Args, does) })
			b.Walk(func(w *ir.Value) {
				for _, b := range w.Blocks {
					all[v] = all[v] || slices.ContainsFunc(b.Yield, does)
				}
			})
		}
	}
	return all
}

// ofWidth runs f with vectors of half the width, or of all of it.
func (e *Emitter) ofWidth(half bool, f func()) {
	if half {
		e.Width /= 2
		defer func() { e.Width *= 2 }()
	}
	f()
}

// splitInto is vectorInto with accumulators of half the width.
func (e *Emitter) splitInto(accs []*asm.Reg) {
	e.vectors, e.stored = map[*ir.Value]*asm.Reg{}, false
	depends := e.dependent()
	var steps, shared []*ir.Value
	need := func(v *ir.Value) { // is not the same in both halves
		if !depends[v] && v.Op != ir.Const && !e.setup[v] && !slices.Contains(shared, v) {
			shared = append(shared, v)
		}
	}
	for _, v := range e.k.Body.Values {
		if !depends[v] {
			e.value(v)
			continue
		}
		steps = append(steps, v)
		for _, x := range v.Args {
			need(x)
		}
	}
	for _, v := range e.k.Body.Yield {
		need(v)
	}
	for _, v := range shared {
		e.vectors[v] = e.vector(v)
	}
	for half := range 2 {
		for _, v := range shared {
			if half == 1 {
				e.vectors[v] = e.Set.Upper(e, v.Type, e.Width, e.vectors[v])
			}
		}
		e.ofWidth(true, func() {
			for n, p := range e.k.Body.Params {
				e.vectors[p] = accs[n]
			}
			for _, v := range steps {
				e.value(v)
			}
			e.yieldInto(accs)
		})
	}
}

// yieldInto sets accumulators in registers to the values that the body yields.
func (e *Emitter) yieldInto(accs []*asm.Reg) {
	var next []*asm.Reg
	for n, v := range e.k.Body.Yield {
		r := e.vector(v)
		if slices.Contains(accs, r) && r != accs[n] {
			r = e.Copied(v.Type, r)
		}
		next = append(next, r)
	}
	for n, v := range e.k.Body.Yield {
		if next[n] != accs[n] {
			e.Copy(v.Type, next[n], accs[n])
		}
	}
}
