package reduce

import (
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/internal/laws"
	"github.com/gokkos/gokkos/internal/modified"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A Column is one reduction of a launch: the partial results of its reducer, with the type of the values hidden. It is
// compiled once, and the little that knows the type, see values, for each type. Whoever schedules the launch speaks of
// slots and workers by number. Different workers may use different slots at one time.
//
// A leaf of the reduction tree is reduced in three steps: Begin hands the worker a set of lanes, the caller joins item k
// into lane k mod their number, and End joins the lanes into a slot.
//
// The reducer is set by [Slots.Reset].
type Column struct {
	values  values // of the reducer
	reducer any
	err     error
	place   any
	ordered bool // see concept.Traits
	exact   bool
	formed  bool // Layout has returned no error

	shape

	unit      unsafe.Pointer // the identity, if flat
	zero      bool           // its bytes are 0
	laneCount int            // lanes of a leaf
	slots     room
	open      int        // slots that are open
	lanes     []room     // by worker
	leaves    []room     // by worker: lanes of several leaves, or of one and the sums of several
	join      concept.Op // by which whatever reduces leaves joins their lanes, or none
	nodes     bool       // there may be calls of FoldNode
	scratch   []room     // by worker, for FoldNode
}

// values is what a column asks of the reducer of its values, which knows their type. The pointers are to values.
type values interface {
	make(n int) unsafe.Pointer // so many zero values
	clear(first unsafe.Pointer, n int)
	swap(a, b unsafe.Pointer)
	open(flat, rarely bool)
	forget()
	identity(val unsafe.Pointer)
	join(dst, src unsafe.Pointer)
	joinLanes(lanes unsafe.Pointer, n, used int) // into the first
	finish(val unsafe.Pointer)
	store(val unsafe.Pointer)
	form() (layout string, err error)
	append(buf []byte, val unsafe.Pointer) ([]byte, error)
	set(val unsafe.Pointer, data []byte) (rest []byte, err error)
	pointer(val unsafe.Pointer) any
}

// A room is memory for values that follow one another.
type room struct {
	at unsafe.Pointer
	n  int // values
}

// Lanes are lanes of a leaf, or values like them, in memory of a column. See [Of].
type Lanes struct {
	At   unsafe.Pointer
	N    int
	Room int     // values from At on, of which those behind N are lanes of the leaves that follow
	Size uintptr // of a value
}

// Of returns lanes as values of a type, which must be the type of the column's values. Its capacity is their room.
func Of[T any](l Lanes) []T { return All[T](l)[:l.N] }

// All returns all values of a type that lanes have room for.
func All[T any](l Lanes) []T { return unsafe.Slice((*T)(l.At), l.Room) }

// At returns the partial result in a slot of a column, which must have values of that type; see [Column.Holds].
func At[T any](c *Column, slot int) *T { return (*T)(c.slot(slot)) }

// Holds reports whether the column's values are of the type of what a pointer refers to.
func (c *Column) Holds(pointer any) bool { return c.pointer == typed.Of(pointer) }

// Err says why the reducer cannot be used, or nil.
func (c *Column) Err() error { return c.err }

// Place returns the result place of a reducer that can be used; see the function [Place].
func (c *Column) Place() any { return c.place }

// Extent returns the extent of the result place; see [ExtentOf].
func (c *Column) Extent() (e Extent, known bool) {
	if c.place == nil || typed.Of(c.place) != c.pointer {
		return Extent{}, c.place == nil
	}
	begin := reflect.ValueOf(c.place).Pointer()
	return Extent{begin, begin + c.size}, true
}

// Profile is what a device must know of values to choose how to join them.
type Profile struct {
	Bytes int  // size of a value
	Flat  bool // a copy of a value copies all of it
	Exact bool // see concept.Traits
	Lanes int  // in which a leaf is reduced
}

// Name returns the reducer's type.
func (c *Column) Name() string {
	if c.reducer == nil {
		return "<nil>"
	}
	return reflect.TypeOf(c.reducer).String()
}

// Profile describes the values, for a leaf that has that many lanes if the values can
// be reduced in lanes.
func (c *Column) Profile(lanes int) Profile {
	return Profile{int(c.size), c.flat, c.exact, c.lanesFor(lanes)}
}

// lanesFor returns how many lanes a leaf has where leaves of numbers have that many.
func (c *Column) lanesFor(lanes int) int {
	if c.ordered || !c.small {
		return 1
	}
	return lanes
}

// Operation returns how values are joined, as far as the reducer says it.
func (c *Column) Operation() concept.Operation {
	o := operationOf(c.reducer)
	o.Map = "" // the functor's part
	return o
}

// operationOf returns the operation of a reducer, whose values Map makes.
func operationOf(r any) concept.Operation {
	if o, ok := r.(interface{ Operation() concept.Operation }); ok {
		return o.Operation()
	}
	if inner, ok := modified.Within(r); ok {
		return operationOf(inner)
	}
	return concept.Operation{}
}

// Open makes room for slots 0 to slots-1 and workers 0 to workers-1. Leaves are
// reduced in that many lanes, a power of two, or in one if the operation is
// ordered, or its values are larger than 64 bytes or refer to memory elsewhere.
func (c *Column) Open(workers, slots, lanes int) {
	c.laneCount = c.lanesFor(lanes)
	c.values.open(c.flat, c.nodes) // before a functor can reach the result place
	c.zero = c.bits && isZero(c.unit, c.size)
	c.makeRoom(workers, slots)
}

// Reopen makes room for other workers and slots in a launch that has called Open. Slots then
// hold nothing.
func (c *Column) Reopen(workers, slots int) { c.makeRoom(workers, slots) }

// Join joins slot src into slot dst, to the right of it.
func (c *Column) Join(dst, src int) { c.values.join(c.slot(dst), c.slot(src)) }

// Clear sets a slot to the identity.
func (c *Column) Clear(slot int) { c.values.identity(c.slot(slot)) }

// Finish joins the initial value into a slot, if one is asked for, and applies
// Final. It does not touch the result place.
func (c *Column) Finish(slot int) { c.values.finish(c.slot(slot)) }

// Store writes a finished slot to the result place.
func (c *Column) Store(slot int) { c.values.store(c.slot(slot)) }

// Sampler returns a new sampler of operands of Join.
func (c *Column) Sampler() *laws.Sampler { return laws.NewSampler(c.reducer, c.ordered) }

// Pointer returns a pointer to a value of the column, as a pointer to the type of values.
func (c *Column) Pointer(val unsafe.Pointer) any { return c.values.pointer(val) }

// Value returns a pointer to a slot's partial result.
func (c *Column) Value(slot int) any { return c.values.pointer(c.slot(slot)) }

// LaneValue returns a pointer to one of the worker's lanes.
func (c *Column) LaneValue(worker, lane int) any { return c.values.pointer(c.lane(worker, lane)) }

// Make returns values of the column, all of them the identity.
func (c *Column) Make(n int) Lanes {
	l := Lanes{c.values.make(n), n, n, c.size}
	c.Identities(l)
	return l
}

// Identities sets values to the identity.
func (c *Column) Identities(l Lanes) { c.fill(l.At, l.N) }

// JoinTree joins all values into the first, as the function [JoinTree] does.
func (c *Column) JoinTree(l Lanes) {
	for width := 1; width < l.N; width *= 2 {
		for k := 0; k+width < l.N; k += 2 * width {
			c.values.join(l.Lane(k), l.Lane(k+width))
		}
	}
}

// JoinValues joins a value into another.
func (c *Column) JoinValues(dst, src unsafe.Pointer) { c.values.join(dst, src) }

// Lane returns where the k-th of lanes is.
func (l Lanes) Lane(k int) unsafe.Pointer {
	if uint(k) >= uint(l.Room) {
		panic("reduce: there is no such lane")
	}
	return unsafe.Add(l.At, uintptr(k)*l.Size)
}

// slot returns where the value of a slot is.
func (c *Column) slot(slot int) unsafe.Pointer {
	if uint(slot) >= uint(c.open) {
		panic("reduce: no such slot is open")
	}
	return unsafe.Add(c.slots.at, uintptr(slot)*c.size)
}

// plus returns where the value is that many values behind one.
func (c *Column) plus(first unsafe.Pointer, n int) unsafe.Pointer {
	return unsafe.Add(first, uintptr(n)*c.size)
}

// copy copies a value of numbers and bools.
func (c *Column) copy(dst, src unsafe.Pointer) {
	copy(unsafe.Slice((*byte)(dst), c.size), unsafe.Slice((*byte)(src), c.size))
}

// fill sets so many values to the identity.
func (c *Column) fill(first unsafe.Pointer, n int) {
	switch {
	case !c.bits:
		for k := range n {
			c.values.identity(c.plus(first, k))
		}
	case c.zero: // which takes half as long
		clear(unsafe.Slice((*byte)(first), uintptr(n)*c.size))
	case c.word:
		unit := *(*uint64)(c.unit)
		all := unsafe.Slice((*uint64)(first), n)
		for k := range all {
			all[k] = unit
		}
	case n > 0:
		c.copy(first, c.unit)
		all := unsafe.Slice((*byte)(first), uintptr(n)*c.size)
		for done := int(c.size); 0 < done && done < len(all); done *= 2 {
			copy(all[done:], all[:done])
		}
	}
}

// isZero reports whether a value is the zero one bit for bit, as -0 is not.
func isZero(v unsafe.Pointer, size uintptr) bool {
	for _, b := range unsafe.Slice((*byte)(v), size) {
		if b != 0 {
			return false
		}
	}
	return true
}
