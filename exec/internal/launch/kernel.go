package launch

import (
	"reflect"

	"github.com/gokkos/gokkos/exec/space"
)

// A Kernel is what a pattern makes of a functor: the loop over the items of leaves.
type Kernel interface {
	Open(workers int, g space.Grid)
	// Span returns the most leaves that RunNode reduces into a slot in one call; 0: it takes leaves InLanes alone.
	Span(g space.Grid) int
	// RunNode reduces items begin to end-1, the leaves of the worker's node, into a slot. A leaf has leaf
	// items. If a leaf panics, the worker is then at that leaf. Leaves past a fault need not run, and then
	// the slot is not used. If the slot is InLanes, the node is one leaf, and its lanes are not joined. Fewer
	// items run if the launch is cancelled.
	RunNode(w *Walk, slot, begin, end, leaf int)
	// About fills a for this launch.
	About(a *About)
	// Key returns the address of the functor's code, or 0: spaces remember nothing of it then. It is not a part of
	// About, which takes 40 ns to fill, as Goroutines asks for it in each launch.
	Key() uintptr
	// Release drops all that the caller gave, so that the kernel may serve another launch.
	Release()
}

// InLanes stands for a slot if a leaf stays in the lanes of its worker.
const InLanes = -1

// CodeOf returns the address of a function's code, which identifies a functor.
func CodeOf(f any) uintptr { return reflect.ValueOf(f).Pointer() }
