package goloops

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A loop contributes to a scatter by the methods that the functor calls, which the Go compiler inlines.

// accessesOf declares pointers to the parts of the item's accumulators that take contributions.
func (w *writer) accessesOf(lanes, lane []string, number string) {
	used := map[int]bool{}
	w.k.Body.Walk(func(v *ir.Value) { used[v.Index] = used[v.Index] || v.Op == ir.Combine })
	w.combined = make([]string, len(w.k.Accesses))
	for n, a := range w.k.Accesses {
		if used[n] {
			w.combined[n] = w.names.free("access")
			w.line("%s := &%s%s", w.combined[n], w.laneOf(a.Lanes, lanes, lane, number), ir.PartString(a.Path))
		}
	}
}

// combine writes a contribution.
func (w *writer) combine(v *ir.Value) {
	a, n := w.k.Accesses[v.Index], ir.IndexOf(v.Func)
	var args []string
	for _, i := range v.Args[:n] {
		args = append(args, w.typed(i))
	}
	for _, x := range v.Args[n:] {
		args = append(args, w.accumulator(ir.Acc{GoType: a.GoElem}, x))
	}
	w.line("%s.%s(%s)", w.combined[v.Index], v.Func, strings.Join(args, ", "))
}

// cells returns an extent of the cells that all lanes of an accumulator contribute to.
func (w *writer) cells(v *ir.Value) string {
	w.imports["cells"] = true
	a := w.k.Accesses[v.Index]
	_, lanes := Lanes(w.k)
	d, rank := v.Extent()
	access := fmt.Sprintf("&%s[0]%s", lanes[a.Lanes], ir.PartString(a.Path))
	return fmt.Sprintf("%s(unsafe.Pointer(%s), %d, %d, %d, %d)", CellsFunc, access, a.Layout.Scatter, a.Layout.Rank, rank, a.Layout.Extents+8*d)
}

// CellsFunc is the name of the function of a generated file that returns an extent of the cells of a scatter.
const CellsFunc = "kernelCells"

// CellsText is that function.
const CellsText = `
// kernelCells returns an extent of the cells that access contributes to, or 0 if they have another rank.
func kernelCells(access unsafe.Pointer, scatter, rankAt, rank, extentAt int) int {
	of := *(*unsafe.Pointer)(unsafe.Add(access, scatter))
	if of == nil || *(*int)(unsafe.Add(of, rankAt)) != rank {
		return 0
	}
	return *(*int)(unsafe.Add(of, extentAt))
}
`
