package launch

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/tools"
)

// About is all that spaces, listeners and other processes may ask of a kernel, beside to run items. The kernel fills it
// once in a launch, when somebody asks first; its own answers are the methods of the interfaces here. A nil field is a
// question that it has no answer to.
type About struct {
	Key     uintptr    // tells functors apart, whatever they have captured; 0 if nothing is to be remembered of one
	Functor any        // that the items are given to, or nil
	Kind    tools.Kind // of the event: For is also said of reductions
	Bytes   int        // of the values that it reads, if that is known
	Kernel  string     // what devices call it, or ""
	Before  string     // what a device has to do before, as one more kernel, or ""
	Cuts    bool       // leaves may be shorter than the rule has them: the functor does not see where one ends
	Runs    bool       // nodes are more than the values of columns: they must run

	Items ItemsOf     // which items they are
	Order Scheduler   // lanes can take their items in another order
	Folds Folder      // the values are in memory
	Scans Scanner     // the values are in memory, and are scanned
	Nodes NodeCarrier // the kernel keeps the nodes of the launch itself
	Teams Observable  // an item is a team
}

// ItemsOf tells which items a kernel runs.
type ItemsOf interface {
	// PolicyName returns the type of their policy, or "".
	PolicyName() string
	// AppendItems appends text that differs where items have other indices.
	AppendItems(buf []byte) []byte
	// IndexOf returns the index of an item as text, or "" if it is not known: see [Panic].
	IndexOf(item int) string
	// Box returns the box whose points are their indices, or nil.
	Box() *space.Box
}

// A Scheduler lets the lanes of a leaf take their items in another order.
type Scheduler interface {
	// Schedule sets the order for the leaf that comes next. It reports whether the lanes move: the k-th that takes an item has
	// the k-th place then.
	Schedule(order []int) (moved bool)
}

// A Folder reduces values in memory.
type Folder interface {
	// Fold tells of items begin to end-1, and returns whether their values are in the memory of this
	// process.
	Fold(f *space.Fold, begin, end int) bool
}

// A Scanner scans values in memory.
type Scanner interface {
	// Values tells which.
	Values(x *space.Scan)
	// AcceptAll takes the sum of all.
	AcceptAll(n Node, value []byte) error
}

// A NodeCarrier keeps the nodes of its launch itself.
type NodeCarrier interface {
	// Carried returns the column whose values the nodes have.
	Carried() Column
	// AppendNode appends the value of a node. *at is what the worker is working on.
	AppendNode(buf []byte, n Node, at *Place) ([]byte, error)
	SetNode(n Node, data []byte) (rest []byte, err error)
}

// An Observable runs teams of a shape, and tells what they do.
type Observable interface {
	Shape() space.TeamShape
	Observe(o space.TeamObserver)
}

// An Owner lets go of what a launch has given it.
type Owner interface{ Release() }
