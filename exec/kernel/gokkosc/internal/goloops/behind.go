package goloops

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Values behind pointers are loaded once for many items. The closure runs all items if a pointer is nil, or
// leads to memory that items may store to as elements of a slice.

// behind stops where pointers are nil.
func (w *writer) behind() {
	for _, p := range w.k.Pointers() {
		w.line("if %s == nil {\n %s\n}", w.k.Expr(p.Param, p.Path), w.none)
	}
}

// apart stops where a number or an array behind a pointer is part of a memory that items store to.
func (w *writer) apart() {
	stored := map[int]bool{}
	w.k.Body.Walk(func(v *ir.Value) {
		if v.Writes() {
			stored[v.Index] = true
		}
	})
	for _, a := range w.k.Shared() {
		for n, m := range w.k.Captured() { // the front end has refused stores to others that may touch it
			if stored[n] && m.Elem.Value() == a.Elem && (m.IsFlat() || !a.Flat) {
				w.imports["touch"] = true
				w.line("if %s(&%s, %s) {\n %s // items store to it\n}", TouchFunc, w.k.Expr(a.Param, a.Path), w.mems[n], w.none)
			}
		}
	}
}

// separate stops where memories overlap that are taken to be apart.
func (w *writer) separate() {
	for _, pair := range w.k.Apart {
		w.imports["overlap"] = true
		w.line("if %s(%s, %s) {\n %s // items may load what they store\n}", OverlapFunc, w.mems[pair[0]], w.mems[pair[1]], w.none)
	}
}

// OverlapFunc is the name of the function of a generated file that compares memories.
const OverlapFunc = "kernelOverlap"

// OverlapText is that function.
const OverlapText = `
// kernelOverlap reports whether slices have bytes in common.
func kernelOverlap[A, B any](a []A, b []B) bool {
	p, q := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return p < q+uintptr(cap(b))*unsafe.Sizeof(*new(B)) && q < p+uintptr(cap(a))*unsafe.Sizeof(*new(A))
}
`

// TouchFunc is the name of the function of a generated file that looks for a variable in memory.
const TouchFunc = "kernelTouch"

// TouchText is that function.
const TouchText = `
// kernelTouch reports whether a variable and a memory have bytes in common.
func kernelTouch[A, T any](variable *A, memory []T) bool {
	a, m := uintptr(unsafe.Pointer(variable)), uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	return a < m+uintptr(cap(memory))*unsafe.Sizeof(*new(T)) && m < a+unsafe.Sizeof(*variable)
}
`
