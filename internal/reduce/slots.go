// Package reduce is the engine of reductions: it holds the partial results of a launch, with
// their types hidden from whoever schedules it. Package reducers says what is reduced, and the
// packages of patterns reduce with what is here.
package reduce

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/modified"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/reducers/concept"
)

// Slots are a [Column] whose values are of type T. What is here is compiled for each T, so it is little, and Column is not
// embedded: that would be a method more for each of its methods.
type Slots[T any] struct {
	Column Column
	of     valuesOf[T]
}

// NewSlots returns slots for r, which may be unusable: see [Column.Err].
func NewSlots[T any](r reducer[T]) *Slots[T] {
	s := new(Slots[T])
	s.Reset(r)
	return s
}

// Reset makes the slots those of r, as [NewSlots] does.
func (s *Slots[T]) Reset(r reducer[T]) { reset(&s.Column, &s.of, r) }

// Take is [Slots.Reset] for who knows the traits of r, which is of a whole T.
func (s *Slots[T]) Take(r reducer[T], t *concept.Traits[T]) { take(&s.Column, &s.of, r, t) }

// reset makes a column and its values those of r.
func reset[T any](c *Column, of *valuesOf[T], r reducer[T]) {
	t := concept.TraitsOf(r)
	if t.Err != nil || t.Store != nil { // one of a field stores its own way
		if whole, ok := wholeOf(r); ok {
			r, t = whole, concept.TraitsOf(whole)
		}
	}
	take(c, of, r, &t)
}

// take is reset for who knows the traits of r, which is of a whole T.
func take[T any](c *Column, of *valuesOf[T], r reducer[T], t *concept.Traits[T]) {
	*of = valuesOf[T]{r: r, traits: *t}
	c.know((*T)(nil))
	c.values, c.reducer, c.unit = of, r, unsafe.Pointer(&of.unit)
	c.err, c.ordered, c.exact, c.formed, c.place = t.Err, t.Ordered, t.Exact, false, nil
	if t.Err == nil {
		c.place = Place(r, t)
	}
}

// Begin is [Column.Begin] with the type.
func (s *Slots[T]) Begin(worker, items int) []T { return Of[T](s.Column.Begin(worker, items)) }

// At returns a slot's partial result.
func (s *Slots[T]) At(slot int) *T { return At[T](&s.Column, slot) }

// Identities sets all of vals to the identity.
func (s *Slots[T]) Identities(vals []T) {
	s.Column.fill(unsafe.Pointer(unsafe.SliceData(vals)), len(vals))
}

// Seed sets *val to the left operand of the whole reduction: the initial value if one is
// asked for, else the identity.
func (s *Slots[T]) Seed(val *T) { s.of.seed(val) }

// RunOf returns what joins the sums and prefixes of a tree.Sweep as the reducer of slots does, or nil if nobody knows the
// operation well enough. Open must have been called.
func RunOf[T any](s *Slots[T]) tree.Run[T] {
	if operationOf(s.Column.reducer).Join != concept.OpSum {
		return nil
	}
	add, _ := adders[s.Column.number].(func(sums, prefix []T, first, last int))
	return add
}

var adders = [...]any{
	float64s: tree.Add[float64],
	float32s: tree.Add[float32],
	ints:     tree.Add[int],
	int64s:   tree.Add[int64],
	int32s:   tree.Add[int32],
	uint64s:  tree.Add[uint64],
	uint32s:  tree.Add[uint32],
}

// wholeOf returns r as the reducer of a whole T if r is one of a field, however modified: it
// finds the fields that nobody owns.
func wholeOf[T any](r reducer[T]) (whole reducer[T], ok bool) {
	whole, ok = alone(r).(reducer[T])
	return whole, ok
}

// alone returns the reducer of the whole that r is if nobody owns the other fields, or nil if r is of no field.
func alone(r any) any {
	part := r
	for inner, ok := modified.Within(part); ok; inner, ok = modified.Within(part) {
		part = inner
	}
	if f, ok := part.(interface{ Alone(r any) any }); ok {
		return f.Alone(r)
	}
	return nil
}

// laneJoiner is a reducer that joins the lanes of a leaf in one call; see package concept.
type laneJoiner[T any] interface{ JoinLanes(lanes []T) }

// joinerOf returns the reducer that joins the lanes of a leaf for r, or nil.
func joinerOf[T any](r any) laneJoiner[T] {
	for {
		if whole, ok := typed.As[laneJoiner[T]](r); ok {
			return whole
		}
		inner, ok := modified.Within(r)
		if !ok {
			return nil
		}
		r = inner
	}
}
