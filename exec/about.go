package exec

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/tools"
)

// about is all that spaces, listeners and other processes may ask of a kernel, beside to run items. The kernel fills it
// once for each launch, before anything runs; its own answers are the methods of the interfaces here. A nil field is
// a question that it has no answer to.
type about struct {
	key     uintptr    // tells functors apart, whatever they have captured; 0 if nothing is to be remembered of one
	source  uintptr    // the code of the functor, for listeners; 0 if there is no functor
	functor any        // that the items are given to, or nil
	kind    tools.Kind // of the event: For is also said of reductions
	bytes   int        // of the values that it reads, if that is known
	pass    space.Parts
	cuts    bool // leaves may be shorter than the rule has them: the functor does not see where one ends
	runs    bool // nodes are more than the values of columns: they must run

	items itemsOf     // which items they are
	order scheduler   // lanes can take their items in another order
	folds folder      // the values are in memory
	scans scanner     // the values are in memory, and are scanned
	nodes nodeCarrier // the kernel keeps the nodes of the launch itself
	teams observable  // an item is a team
}

// itemsOf tells which items a kernel runs.
type itemsOf interface {
	// policyName returns the type of their policy, or "".
	policyName() string
	// appendItems appends text that differs where items have other indices.
	appendItems(buf []byte) []byte
	// indexOf returns the index of an item as text, or "" if it is not known: see [Panic].
	indexOf(item int) string
	// box returns the box whose points are their indices, or nil.
	box() *space.Box
}

// A scheduler lets the lanes of a leaf take their items in another order.
type scheduler interface {
	// schedule sets the order for the leaf that comes next. It reports whether the lanes move: the k-th that takes an item has
	// the k-th place then.
	schedule(order []int) (moved bool)
}

// A folder reduces values in memory.
type folder interface {
	// fold tells of items begin to end-1, and returns whether their values are in the memory of this
	// process.
	fold(f *space.Fold, begin, end int) bool
}

// A scanner scans values in memory.
type scanner interface {
	// values tells which.
	values(x *space.Scan)
	// acceptAll takes the sum of all.
	acceptAll(n node, value []byte) error
}

// A nodeCarrier keeps the nodes of its launch itself.
type nodeCarrier interface {
	// carried returns the column whose values the nodes have.
	carried() column
	// appendNode appends the value of a node. *at is what the worker is working on.
	appendNode(buf []byte, n node, at *place) ([]byte, error)
	setNode(n node, data []byte) (rest []byte, err error)
}

// An observable tells what its teams do.
type observable interface {
	observe(o space.TeamObserver)
}
