// Package reduce is the engine of reductions: it holds the partial results of a launch, with
// their types hidden from whoever schedules it. Package reducers says what is reduced, and the
// packages of patterns reduce with what is here.
package reduce

import (
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/internal/laws"
	"github.com/gokkos/gokkos/internal/modified"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A Column is one reduction of a launch with its value type hidden; see [Slots], which
// say what the methods do.
type Column interface {
	Err() error
	Place() any
	Extent() (e Extent, known bool)
	Name() string
	Profile(lanes int) Profile
	Operation() concept.Operation
	Open(workers, slots, lanes int)
	Reopen(workers, slots int)
	End(worker, slot, items int)
	JoinLanes(worker, dst, src int)
	EndLane(worker, lane, slot int)
	Join(dst, src int)
	Clear(slot int)
	Finish(slot int)
	Store(slot int)
	Layout() (layout string, err error)
	AppendSlot(buf []byte, slot int) ([]byte, error)
	SetSlot(slot int, data []byte) (rest []byte, err error)
	Sampler() *laws.Sampler
	Value(slot int) any
	LaneValue(worker, lane int) any
}

// Slots hold the partial results of one reduction during one launch. They hide
// the value type from whoever schedules the launch, who speaks of slots and
// workers by number. Different workers may use different slots at one time.
//
// A leaf of the reduction tree is reduced in three steps: Begin hands the worker
// a set of lanes, the caller joins item k into lane k mod len(lanes), and End
// joins the lanes into a slot.
type Slots[T any] struct {
	r      reducer[T]
	whole  laneJoiner[T] // r, if it joins all lanes in one call, or nil; see End
	traits concept.Traits[T]
	place  any
	known  bool        // flat, small and bits are known
	flat   bool        // values refer to no memory elsewhere
	small  bool        // values can be reduced in lanes
	bits   bool        // values are numbers and bools, and refer to nothing
	adder  tree.Run[T] // see Run

	unit      T // the identity, if flat
	initial   T // the initial value, if asked for
	slots     []T
	laneCount int        // lanes of a leaf
	lanes     [][]T      // by worker
	nodes     bool       // there may be calls of FoldNode
	scratch   [][]T      // by worker, for FoldNode
	leaves    [][]T      // by worker: lanes of several leaves, or of one and the sums of several
	join      concept.Op // by which whatever reduces leaves joins their lanes, or none

	form concept.Form[T] // none before Layout
}

// maxLaneBytes is the size of the largest value that is reduced in lanes: a part of the rule
// in docs/determinism.md.
const maxLaneBytes = 64

// NewSlots returns slots for r, which may be unusable: see [Slots.Err].
func NewSlots[T any](r reducer[T]) *Slots[T] {
	s := new(Slots[T])
	s.Reset(r)
	return s
}

// Err says why the reducer cannot be used, or nil.
func (s *Slots[T]) Err() error { return s.traits.Err }

// Place returns the result place of a reducer that can be used; see the function [Place].
func (s *Slots[T]) Place() any { return s.place }

// Extent returns that of the result place; see [ExtentOf].
func (s *Slots[T]) Extent() (e Extent, known bool) { return ExtentOf[T](s.place) }

// Open makes room for slots 0 to slots-1 and workers 0 to workers-1. Leaves are
// reduced in that many lanes, a power of two, or in one if the operation is
// ordered, or its values are larger than 64 bytes or refer to memory elsewhere.
func (s *Slots[T]) Open(workers, slots, lanes int) {
	s.know()
	s.laneCount = lanes
	if s.traits.Ordered || !s.small {
		s.laneCount = 1
	}
	if s.flat {
		s.r.Init(&s.unit)
	}
	if s.traits.Initial { // before a functor can reach the result place
		Load(s.r, &s.traits, &s.initial)
	}
	s.makeRoom(workers, slots)
}

// know finds out what there is to know of T.
func (s *Slots[T]) know() {
	if !s.known {
		t := reflect.TypeFor[T]()
		s.flat = isFlat(t)
		s.small = s.flat && sizeof(t) <= maxLaneBytes
		s.bits = isBits(t)
		s.adder = adderOf[T]()
		s.known = true
	}
}

// Begin returns the worker's lanes, each set to the identity as far as a leaf
// of that many items reaches. The number of lanes is a power of two.
func (s *Slots[T]) Begin(worker, items int) []T {
	lanes := s.lanes[worker]
	if lanes == nil {
		lanes = make([]T, s.laneCount)
		s.lanes[worker] = lanes
	}
	s.Identities(lanes[:min(items, s.laneCount)])
	return lanes
}

// End joins the worker's lanes into a slot: lane l with lane l+h for h a half,
// a quarter, and so on of the number of lanes. Lanes that no item has reached
// are left out.
func (s *Slots[T]) End(worker, slot, items int) {
	s.endLanes(s.lanes[worker], items)
	s.EndLane(worker, 0, slot)
}

// endLanes joins the lanes of a leaf of that many items into the first one.
func (s *Slots[T]) endLanes(lanes []T, items int) {
	used := min(items, len(lanes))
	whole := s.whole
	if s.nodes { // few leaves come one by one, and few launches pay for the question
		whole = joinerOf(s.r)
	}
	if whole != nil && used == len(lanes) {
		whole.JoinLanes(lanes)
		return
	}
	for h := len(lanes) / 2; h > 0; h /= 2 {
		for l := 0; l < h && l+h < used; l++ {
			s.r.Join(&lanes[l], &lanes[l+h])
		}
	}
}

// JoinLanes joins one of the worker's lanes into another, a step of End.
func (s *Slots[T]) JoinLanes(worker, dst, src int) {
	lanes := s.lanes[worker]
	s.r.Join(&lanes[dst], &lanes[src])
}

// EndLane moves one of the worker's lanes, into which all have been joined, to a slot:
// the last step of End.
func (s *Slots[T]) EndLane(worker, lane, slot int) {
	// A swap, not a copy: two slots must never share memory.
	lanes := s.lanes[worker]
	s.slots[slot], lanes[lane] = lanes[lane], s.slots[slot]
}

// Profile is what a device must know of values to choose how to join them.
type Profile struct {
	Bytes int  // size of a value
	Flat  bool // a copy of a value copies all of it
	Exact bool // see concept.Traits
	Lanes int  // in which a leaf is reduced
}

// Name returns the reducer's type.
func (s *Slots[T]) Name() string {
	if s.r == nil {
		return "<nil>"
	}
	return reflect.TypeOf(s.r).String()
}

// Profile describes the values, for a leaf that has that many lanes if the values can
// be reduced in lanes.
func (s *Slots[T]) Profile(lanes int) Profile {
	s.know()
	p := Profile{int(unsafe.Sizeof(*new(T))), s.flat, s.traits.Exact, lanes}
	if s.traits.Ordered || !s.small {
		p.Lanes = 1
	}
	return p
}

// Operation returns how values are joined, as far as the reducer says it.
func (s *Slots[T]) Operation() concept.Operation {
	o := operationOf(s.r)
	o.Map = "" // the functor's part
	return o
}

// Join joins slot src into slot dst, to the right of it.
func (s *Slots[T]) Join(dst, src int) { s.r.Join(&s.slots[dst], &s.slots[src]) }

// At returns a slot's partial result.
func (s *Slots[T]) At(slot int) *T { return &s.slots[slot] }

// Sampler returns a new sampler of operands of Join.
func (s *Slots[T]) Sampler() *laws.Sampler { return laws.NewSampler(s.r, s.traits.Ordered) }

// Value is At without the type.
func (s *Slots[T]) Value(slot int) any { return &s.slots[slot] }

// LaneValue returns a pointer to one of the worker's lanes.
func (s *Slots[T]) LaneValue(worker, lane int) any { return &s.lanes[worker][lane] }

// Clear sets a slot to the identity.
func (s *Slots[T]) Clear(slot int) { s.Identity(&s.slots[slot]) }

// Identity sets *val to the identity.
func (s *Slots[T]) Identity(val *T) {
	if s.flat {
		*val = s.unit
		return
	}
	s.r.Init(val)
}

// Identities sets all of vals to the identity.
func (s *Slots[T]) Identities(vals []T) {
	if !s.flat {
		for k := range vals {
			s.r.Init(&vals[k])
		}
		return
	}
	for k := range vals {
		vals[k] = s.unit // from where it is: a large copy would be on the heap
	}
}

// Seed sets *val to the left operand of the whole reduction: the initial value if one is
// asked for, else the identity.
func (s *Slots[T]) Seed(val *T) {
	switch {
	case !s.traits.Initial:
		s.Identity(val)
	case s.flat:
		*val = s.initial
	default:
		s.r.Init(val)
		s.r.Join(val, &s.initial)
	}
}

// Finish joins the initial value into a slot, if one is asked for, and applies
// Final. It does not touch the result place.
func (s *Slots[T]) Finish(slot int) {
	if s.traits.Initial {
		var val T
		s.Seed(&val)
		s.r.Join(&val, &s.slots[slot])
		s.slots[slot] = val
	}
	s.r.Final(&s.slots[slot])
}

// Store writes a finished slot to the result place.
func (s *Slots[T]) Store(slot int) { Store(s.r, &s.traits, &s.slots[slot]) }

// laneJoiner is a reducer that joins the lanes of a leaf in one call; see package concept.
type laneJoiner[T any] interface{ JoinLanes(lanes []T) }

// joinerOf returns the reducer that joins the lanes of a leaf for r, or nil.
func joinerOf[T any](r reducer[T]) laneJoiner[T] {
	if whole, ok := typed.As[laneJoiner[T]](r); ok {
		return whole
	}
	if inner, ok := modified.Within(r); ok {
		if r, ok := typed.As[reducer[T]](inner); ok {
			return joinerOf(r)
		}
	}
	return nil
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
