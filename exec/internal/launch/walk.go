package launch

import (
	"reflect"
	"time"
	"unsafe"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
)

// A Walk is the state of one worker in a launch: its place and its lanes. All that the worker changes is
// here, in cache lines of its own.
type Walk struct {
	Place
	Worker  int                           // number of the worker
	*Ending                               // of the launch
	Lanes   [MaxAccumulators]reduce.Lanes // by column, the lanes that the loop joins items into
	looks
	_ [LineBytes]byte
}

// At puts the worker at the leaves of a node, outside of the functor.
func (w *Walk) At(n Node) { w.Node, w.Form = n, Nowhere }

// MaxAccumulators is the most accumulators of a functor.
const MaxAccumulators = 4

// NextLeaf moves the worker's lanes of the first n accumulators on by that many leaves.
func (w *Walk) NextLeaf(leaves, n int) {
	if leaves == 0 {
		return
	}
	for k := range n {
		w.Lanes[k] = w.Lanes[k].Next(leaves)
	}
}

// looks counts the items that a worker may run before it looks whether the launch is cancelled.
//
// The time of an item is measured from look to look, anew in each launch, as items may be heavier than
// before. The first look is before the first item and the second behind it. The third is at the end of that
// item's row of lanes at the latest.
type looks struct {
	until int           // items until the next look
	items int           // items from the last look to the next, 0 before the first
	last  time.Duration // time of the last look; 0: none
}

func AtPoints[I any](w *Walk) { w.Form, w.elem = atPoint, reflect.TypeFor[I]() }

func (w *Walk) AtRows(rank int) { w.Form, w.Rank = atRow, rank }

func (w *Walk) AtBlock(b Block) { w.Form, w.block = atElement, b }

// LeaveBlock ends AtBlock. It drops the indices, which may refer to memory.
func (w *Walk) LeaveBlock() { w.Form, w.block = Nowhere, Block{} }

// PointAt puts the worker at the first point of a run. It returns the point as an index, and the coordinate
// that grows, both in w. I must have the rank of the run.
func PointAt[I any](w *Walk, r *policy.Run) (at *I, x *int) {
	w.Point = r.At
	return (*I)(unsafe.Pointer(&w.Point)), &w.Point[r.Dim]
}
