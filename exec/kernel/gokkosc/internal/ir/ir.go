// Package ir is the intermediate representation of kernels: static single assignment in structured regions.
// Its README explains each part.
package ir

import (
	"go/token"
	"slices"
)

// A Kernel is the work of one item: a function of the item's index, the parameters of the kernel's
// constructor, and the accumulators.
type Kernel struct {
	Name     string // of the constructor
	Doc      string // its comment, lines with // and without directives
	Pos      token.Position
	Params   []Param  // of the constructor
	Scalars  []Scalar // numbers that are the same for all items
	Mems     []Mem    // memory that items load from or store to
	Lanes    []Lanes  // the functor's pointers to accumulators of a reduction; none if it is a loop
	Accs     []Acc    // the numbers that these are made of, in order
	Accesses []Access // parts of accumulators that take contributions to cells
	Index    Index    // of an item
	Team     TeamForm
	Scan     bool   // items join into one accumulator, one after the other; the last parameter, a bool, says in which pass, see pass.OfPass
	Meets    int    // how often members meet in the source
	Rounds   bool   // items are rounds of a loop, and store: a back end finds out whether they depend on one another
	Room     [3]int // words that a team needs: per member, per vector lane of one member, and per vector lane of all

	// Setup has the values that are the same for all items, or for all items of a run if the index has
	// several coordinates. Setup has no parameters, yields nothing and has no effects. If a check fails, no
	// item runs. Its values can be used in Checks and in Body.
	Setup *Block

	// Apart are pairs of memories, the lower one first. If the two memories of a pair overlap, no item runs.
	Apart [][2]int

	// Checks are the conditions on the item's index without which an item stops. Each is asked for many items
	// at a time.
	Checks []SpanCheck

	// Body is run once for each item. Its parameters are the accumulators of the item's lane before the item,
	// and its yields are the accumulators after the item.
	Body *Block

	Inlined []string // functions that are part of the body, sorted
	values  int
}

// An Index is the form of the index of an item. The zero value is the form for a func(i int).
//
// Items whose index has several coordinates come in runs. Along a run, one coordinate grows by one from item
// to item. That coordinate is an Item in the representation, and the others are values of the setup, each a
// Coord. If a functor gets rows, a run is one item: there is no Item, but a Coord of each dimension, and a
// Stop.
type Index struct {
	Rank  int    // number of coordinates, or 0 if it is an int
	Dim   int    // the dimension that runs go along, or NoDim
	Row   bool   // the functor gets rows, or with a rank of 0 spans of integers
	Lanes bool   // the functor owns the loop over its items, and gets integers together with their accumulators
	Type  string // in Go, "policy.Span", "exec.Lanes[float64]", "policy.Index2" or "policy.Row[policy.Index2]"; "" of an int
}

// NoDim is the dimension of runs of a kernel that no pass has seen. Such a kernel has a Coord of each
// dimension, and an Item is the coordinate along a run of unknown direction. In a row, that coordinate
// belongs to the first point.
const NoDim = -1

// IsRow reports whether values are the bounds of the row that an item is, which has at least one point.
func (k *Kernel) IsRow(from, to *Value) bool {
	return k.Index.Row && from.Op == Coord && from.Index == k.Index.Dim && to.Op == Stop
}

// A Returned is the signature of a functor that returns a value: func(x T) V.
//
// Its kernel has further parameters behind the constructor's. A func(i int) V has "first" and "dst", and item
// i sets dst[i-first]. So has a functor of points, for the items of one run. Other kernels have "src" and
// "dst": item k sets dst[k] to the value for src[k]. The slices have room for all items.
type Returned struct {
	Index bool   // x is an index: T is int, or a point
	Of    string // T
	Type  string // V
}

// A SpanCheck is a condition on the index i of an item: 0 <= Base + Step*i < Limit, unless When
// is there and false.
type SpanCheck struct {
	Base, Step, Limit *Value // of type i64, in Setup
	When              *Value // of type bool, in Setup; or nil
	Pos               token.Position
}

// A Param is a parameter of the constructor, or a variable that a functor captures.
type Param struct {
	Name   string
	Type   string // as the package of the constructor writes it
	NotNil bool   // the address of a variable
}

// Lanes are the targets of a pointer of the functor: one accumulator for each lane.
type Lanes struct {
	Name   string
	GoType string // of one: a number, or a flat struct or array of numbers
	Basic  string // the type without a name that it is: "uint64"
	Size   int    // of one, in bytes, on 64-bit machines
}

// An Acc is a number that accumulators have: one of its own, or a part of a struct or an array.
type Acc struct {
	Name   string
	Lanes  int // index of Kernel.Lanes
	Path   []Step
	Offset int // of the part, in bytes
	Type   Type
	Elem   Type // in memory; Type, unless it is narrower
	GoType string
	Basic  string // the type without a name that it is: "uint8"; "" of words that items do not change
	Hidden bool   // only its own package sees it

	// Address says that the number is the address of the accumulator, which items do not change.
	Address bool
}

// Structured reports whether an accumulator is a struct or an array.
func (k *Kernel) Structured() bool {
	return slices.ContainsFunc(k.Accs, func(a Acc) bool { return len(a.Path) > 0 })
}

// A Scalar is a number that is a part of a parameter.
type Scalar struct {
	Param  int
	Path   []Step
	Type   Type
	GoType string // of the part; [Type.Go] of Type or a type that converts to it
}

// IsLengthOf reports whether a scalar is the number of elements of a memory.
func (s Scalar) IsLengthOf(m Mem) bool {
	path, _ := m.Whole()
	n := len(path)
	return s.Param == m.Param && len(s.Path) == n+1 && s.Path[n].Kind == Len && slices.Equal(s.Path[:n], path)
}

// A Mem is the memory of a slice, a view or an array that is a part of a parameter. Memories
// whose elements have the same type may overlap, and may be the same.
type Mem struct {
	Param  int
	Path   []Step
	Rank   int // of a view, whose memory reaches from its first element to its last one; 0 of others
	Elem   Type
	GoElem string // type of an element
	Array  bool   // nothing is stored there
	Own    bool   // of the worker alone: an item that stops may have stored there
	Name   string // for messages

	// Table has the elements of an array of constants, as bits of values. Such an array is no part of a
	// parameter, so Param is -1. Tables stand behind the other memories.
	Table []uint64

	// Far is all memory of the process, which elements behind pointers in memory are in. Far is no part of a
	// parameter. An index counts elements from address 0. Of each type there is one.
	Far bool

	// Local is the number of elements of an array that the functor declares; 0 for other memories. Such an
	// array is Own, no part of a parameter, and overlaps with no other memory.
	Local int
}

// IsFlat reports whether the elements are numbers in a slice or a view of structs.
func (m Mem) IsFlat() bool { return len(m.Path) > 0 && m.Path[len(m.Path)-1].Kind == Flat }

// Whole returns the path of the slice or view that a memory is of, and the bytes of its elements.
func (m Mem) Whole() (path []Step, bytes int) {
	if m.IsFlat() {
		n := len(m.Path) - 1
		return m.Path[:n], m.Path[n].N * m.Elem.Bytes()
	}
	return m.Path, m.Elem.Bytes()
}

// A Step leads from a part of a parameter to a part of that.
type Step struct {
	Kind  StepKind
	Field string // of a field, and of a method
	N     int    // of an element of an array, and of a dimension; of Flat how many such numbers are as large as a struct, or 0
}

// StepKind is the kind of a [Step].
type StepKind uint8

// The kinds of steps.
const (
	Field  StepKind = iota // of a struct
	Elem                   // of an array
	Len                    // of a slice, or of the memory of a view
	Cap                    // of a slice
	Stride                 // of a view in a dimension
	Extent                 // of a view in a dimension
	Method                 // the result of the method named by Field, without arguments
	Deref                  // the target of a pointer
	Whole                  // all elements of an array, as a slice
	Flat                   // the elements of a slice of structs as numbers of the type that Field names
	NotNil                 // whether a pointer or a slice is not nil
	Real                   // part of a complex number
	Imag                   // part of a complex number
)

// A Value is an operation, and its result.
type Value struct {
	ID       int
	Op       Op
	Type     Type
	Args     []*Value
	Index    int      // of Uniform, Coord, Arg, Result, Call, Load, Store, Atomic and Combine; of Each and Fold their [Level], of Prefix its [Scan]
	Bits     uint64   // of Const: of a float its bits, of an integer its value, of a bool 0 or 1
	Unsigned bool     // of integers in Div, Rem, Min, Max, Shr, Lt, Le, Conv, Atomic
	Blocks   []*Block // of If: then and else; of Loop: head and body; of Each and Fold: one for each item
	Func     string   // of Call: "math.Exp", "math/bits.Len64"; of Atomic: "add"; of Combine: "Combine1"; of Fold, Gather and Prefix: see [Value.Joints]
	Name     string   // of the variable in Go that it is the value of, or ""
	Pos      token.Position
}

// A Block is a sequence of values.
//
// The blocks of an If have no parameters. Each of the blocks yields one value for each result.
//
// The parameters of the head of a Loop are the carried values. The head yields whether to run the body. The
// body has no parameters of its own: it sees the parameters and the values of the head. It yields the next
// carried values. The results of the Loop are the parameters of the head when that yields false.
type Block struct {
	Params []*Value
	Values []*Value
	Yield  []*Value
}

// NewValue returns a value with an ID of its own, which stands in no block yet.
func (k *Kernel) NewValue(op Op, t Type, args ...*Value) *Value {
	k.values++
	return &Value{ID: k.values, Op: op, Type: t, Args: args}
}

// NumValues returns a number that exceeds all IDs.
func (k *Kernel) NumValues() int { return k.values + 1 }

// Carries returns the number of values that a Loop carries.
func (v *Value) Carries() int { return len(v.Args) }

// Then, Else, Head and LoopBody return blocks of an If and a Loop.
func (v *Value) Then() *Block { return v.Blocks[0] }

// Else returns the second block of an If.
func (v *Value) Else() *Block { return v.Blocks[1] }

// Head returns the block of a Loop that decides whether its body is run.
func (v *Value) Head() *Block { return v.Blocks[0] }

// LoopBody returns the second block of a Loop.
func (v *Value) LoopBody() *Block { return v.Blocks[1] }

// Results returns the types of the results of an If or a Loop.
func (v *Value) Results() []Type {
	from := v.Args
	switch v.Op {
	case If:
		from = v.Then().Yield
	case Fold:
		from = v.Args[1:]
	}
	types := make([]Type, len(from))
	for n, x := range from {
		types[n] = x.Type
	}
	return types
}

// Captured returns the memories that are parts of parameters, which those behind them are not.
func (k *Kernel) Captured() []Mem {
	for n, m := range k.Mems {
		if m.Param < 0 {
			return k.Mems[:n]
		}
	}
	return k.Mems
}

// Walk calls f for all values of the block, and for the values in their blocks, in order. A value comes
// before the values in its blocks.
func (b *Block) Walk(f func(v *Value)) {
	for _, v := range b.Values {
		f(v)
		for _, inner := range v.Blocks {
			inner.Walk(f)
		}
	}
}

// Inside returns the values of blocks and of the blocks in these, and the parameters of all of them.
func Inside(blocks ...*Block) map[*Value]bool {
	all := map[*Value]bool{}
	note := func(b *Block) {
		for _, p := range b.Params {
			all[p] = true
		}
	}
	for _, b := range blocks {
		note(b)
		b.Walk(func(v *Value) {
			all[v] = true
			for _, inner := range v.Blocks {
				note(inner)
			}
		})
	}
	return all
}

// Count returns the number of values in the block and in blocks of these.
func (b *Block) Count() (n int) {
	b.Walk(func(*Value) { n++ })
	return n
}
