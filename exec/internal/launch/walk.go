package launch

import (
	"reflect"
	"time"
	"unsafe"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
)

// A Walk is where a worker of a launch is, and what it works with. Everything that the worker changes is here, in
// lines of the cache of its own.
type Walk struct {
	Place
	Worker  int
	*Ending                               // of the launch
	columns int                           // of the launch
	Lanes   [MaxAccumulators]reduce.Lanes // that the loop over a leaf joins items into, of each reduction
	looks
	_ [LineBytes]byte
}

// At lets the worker be at the leaves of a node, and in no functor.
func (w *Walk) At(n Node) { w.Node, w.Form = n, Nowhere }

// MaxAccumulators is how many accumulators a functor may have.
const MaxAccumulators = 4

// NextLeaf gives the worker the lanes of the leaf that comes so many behind the one that it has the lanes of.
func (w *Walk) NextLeaf(leaves int) {
	if leaves == 0 {
		return
	}
	for k := range w.columns {
		w.Lanes[k] = w.Lanes[k].Next(leaves)
	}
}

// looks says how many items a worker may run before it looks whether the launch is cancelled.
//
// What an item takes is measured from look to look, and anew in each launch, as the functor
// may have heavier items than in the one before. The first look is before the first item,
// the second one behind it, the third one behind its row of lanes.
type looks struct {
	until int // items until the next look
	items int // items from the last look to the next, 0 before the first
	last  time.Duration
}

func AtPoints[I any](w *Walk) { w.Form, w.elem = atPoint, reflect.TypeFor[I]() }

func (w *Walk) AtRows(rank int) { w.Form, w.Rank = atRow, rank }

func (w *Walk) AtBlock(b Block) { w.Form, w.block = atElement, b }

// LeaveBlock ends AtBlock. It lets go of the indices, which may refer to memory.
func (w *Walk) LeaveBlock() { w.Form, w.block = Nowhere, Block{} }

// PointAt lets the worker be at the first point of a run, and returns the point as an index, and the coordinate that grows.
// I has the rank of the run.
func PointAt[I any](w *Walk, r *policy.Run) (at *I, x *int) {
	w.Point = r.At
	return (*I)(unsafe.Pointer(&w.Point)), &w.Point[r.Dim]
}
