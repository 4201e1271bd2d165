package vector

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/asm"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// An Emitter writes the instructions of a kernel: an item in each lane of a vector. Each part of its state is one idea.
type Emitter struct {
	*asm.Code     // where instructions are written
	Machine       // writes instructions of integers
	Width     int // items of a vector, or of half of one

	items int // of a vector
	Set   Set
	shape *Shape

	subject
	prelude
	current
	nest
	estimate
	demands
}

// A subject is the kernel, and the roles of its values in vectors.
type subject struct {
	k     *ir.Kernel
	setup map[*ir.Value]bool
	index *ir.Value // the counter of the lanes: an Item, or the counter of row
	row   *ir.Value // the loop whose rounds are in vectors, or nil if items are
}

// A prelude is the values that are made once, in front of the loop over vectors.
type prelude struct {
	args   []*asm.Argument
	data   asm.Table           // constants in memory
	before []*asm.Instr        // in front of the loop over vectors
	latch  []*asm.Instr        // at the end of each round of it
	fixed  map[string]*asm.Reg // made there, by their keys
	bases  []base              // addresses that are made there
	item   *asm.Reg            // index of the first item of the vector
}

// A current is the vector that is being written.
type current struct {
	vectors map[*ir.Value]*asm.Reg   // the values of lanes, of masks too
	results map[*ir.Value][]*asm.Reg // of Ifs and Loops
	mask    *asm.Reg                 // lanes that are run, or nil for all
	whole   *asm.Reg                 // mask where the body begins
	shift   int                      // number of items from item to the begin of the vector
	jam     bool                     // several vectors run loops side by side
	stored  bool                     // something has been stored
	stops   int                      // checks so far
	sums    int                      // that grow by a constant from vector to vector, so far
	carry   map[string]*asm.Reg      // registers that go on from the vector before, by their keys; nil: none
}

// A nest is the loops around the current place.
type nest struct {
	loop       *loop              // the innermost one that counts
	lanesLeave int                // loops whose lanes leave one by one
	leaving    map[*ir.Value]bool // all such loops
	grows      map[*ir.Value]poly // carried values that are linear in the number of rounds
	fuel       *asm.Reg           // fuel left for their rounds, or nil
}

// An estimate is the cost of vectors.
type estimate struct {
	costs     []cost               // of the loops around the current position
	singles   map[*ir.Value]singly // loads and stores of single elements
	accInstrs int                  // of a vector, to load and store accumulators
	accCost   int                  // of these
}

// A demands is the work that the function leaves to the method in Go that calls it.
type demands struct {
	apart     [][2]int               // memories that must not overlap
	separate  [][2]int               // memories that must not overlap, or else the other loop runs all items
	distances []distance             // that rows must not be longer than
	helpers   map[string]bool        // functions of the generated file that arguments call
	leaves    []int                  // lanes of leaves of which several are run in one call
	joins     ir.Op                  // of the lanes of such leaves, or ir.Invalid
	plane     bool                   // one call runs several rows of a plane
	growths   []grown                // values that differ in these
	growthsOf map[*asm.Argument]poly // arguments that are the growth of others from row to row
}

// newEmitter returns the emitter of a kernel with width items in a vector.
func newEmitter(set Set, k *ir.Kernel, width int) *Emitter {
	code := &asm.Code{}
	e := &Emitter{Code: code, Machine: set.Machine(code), Width: width, items: width, Set: set, shape: set.Shape()}
	e.subject = subject{k: k, setup: map[*ir.Value]bool{}}
	e.prelude = prelude{data: asm.Table{}, fixed: map[string]*asm.Reg{}}
	e.leaving, e.singles = map[*ir.Value]bool{}, map[*ir.Value]singly{}
	e.helpers, e.growthsOf = map[string]bool{}, map[*asm.Argument]poly{}
	for _, v := range k.Setup.Values {
		e.setup[v] = true
	}
	k.Body.Walk(func(v *ir.Value) {
		if v.Op == ir.Item {
			e.index = v
		}
	})
	if e.index == nil {
		e.index = k.NewValue(ir.Item, ir.I64)
	}
	return e
}

// A cost is the number of instructions that a loop runs in a round, and the number of rounds.
type cost struct {
	n        int
	from, to *ir.Value
	inner    []cost
}

// A loop is one whose rounds are counted, the same for all items.
type loop struct {
	count    pass.Count
	outer    *loop
	entry    []*asm.Instr // in front of the first round
	latch    []*asm.Instr // at the end of each round
	pointers map[string]*asm.Reg
	current  *asm.Reg // the counter, if something needs it
}

// A grown is an argument, or the address that a register holds, that grows from row to row by an argument.
type grown struct {
	of *asm.Argument
	in *asm.Reg
	by *asm.Argument
}

// A singly is how lanes load or store elements that do not lie one behind the other.
type singly int

const (
	together singly = iota // they do lie so
	strided                // loads of elements that lie equally far apart
	spread                 // stores of such elements
	anywhere               // loads and stores of others
	bytewise               // loads of bytes, each in a branch of its own
)

// A base is the address of an element of a memory, in a register.
type base struct {
	r    *asm.Reg
	at   poly // number of the element
	size int  // of one, in bytes
	made []*asm.Instr
}
