package launch

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/tools"
)

// About is what spaces, listeners and other processes may ask of a kernel, besides running its items. The
// kernel fills it once per launch, at the first question. A nil field means that the kernel has no answer.
type About struct {
	Functor any        // called for the items; nil: none
	Kind    tools.Kind // kind of event; reductions leave it For
	Bytes   int        // bytes of the values that the kernel reads; 0: unknown
	Kernel  string     // name on devices; "": "range"
	Before  string     // name of one more kernel that a device runs first; "": none
	Least   int        // fewest items of a leaf shorter than the rule's; 0: the functor sees where a leaf ends

	Items ItemsOf     // the items; nil: unknown
	Order Scheduler   // reorders the items of lanes; nil: impossible
	Folds Folder      // describes a fold of values in memory; nil: no fold
	Scans Scanner     // describes a scan; nil: no scan
	Nodes NodeCarrier // keeps the nodes of the launch in the kernel; nil: the columns have them
	Teams Observable  // the teams that are the items; nil: items are no teams
}

// ItemsOf describes the items of a kernel.
type ItemsOf interface {
	// PolicyName returns the type of the policy, or "".
	PolicyName() string
	// AppendItems appends text that differs if items have other indices.
	AppendItems(buf []byte) []byte
	// IndexOf returns the index of an item as text, or "" if it is not known: see [space.Panic].
	IndexOf(item int) string
	// Box returns the box whose points are the indices, or nil.
	Box() *device.Box
}

// A Scheduler reorders the items that the lanes of a leaf take.
type Scheduler interface {
	// Schedule sets the order of lanes for the next leaf; nil restores the ascending order. moved reports
	// whether place k then holds lane order[k].
	Schedule(order []int) (moved bool)
}

// A Folder reduces values in memory.
type Folder interface {
	// Fold describes items begin to end-1 in f, and reports whether their values are in the memory of this
	// process.
	Fold(f *device.Fold, begin, end int) bool
}

// A Scanner scans values in memory, or those that a functor makes.
type Scanner interface {
	// Values describes the scanned values in x, and reports whether they are in memory.
	Values(x *device.Scan) bool
	// AcceptAll takes the sum of node n, which must be all leaves.
	AcceptAll(n Node, value []byte) error
}

// A NodeCarrier keeps the nodes of its launch itself, as scans do.
type NodeCarrier interface {
	// Carried returns the column whose type of value the nodes have.
	Carried() Column
	// AppendNode appends the value of node n. It keeps *at at the leaves that a panic would be in.
	AppendNode(buf []byte, n Node, at *Place) ([]byte, error)
	// SetNode takes the value of node n from data, and returns the rest of data.
	SetNode(n Node, data []byte) (rest []byte, err error)
}

// An Observable runs teams of one shape and reports their events to an observer.
type Observable interface {
	Shape() space.TeamShape
	Observe(o device.TeamObserver)
}

// An Owner drops in Release what a launch has given it.
type Owner interface{ Release() }
