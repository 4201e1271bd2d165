package reduce

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gokkos/gokkos/internal/modified"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/reducers/concept"
)

// Reset makes the slots those of r, as [NewSlots] does.
func (s *Slots[T]) Reset(r reducer[T]) {
	s.reset(r)
	s.whole = joinerOf(s.r)
}

// reset is Reset but for whole, which is nil.
func (s *Slots[T]) reset(r reducer[T]) {
	t := concept.TraitsOf(r)
	if t.Err != nil || t.Store != nil { // one of a field stores its own way
		if whole, ok := wholeOf(r); ok {
			r, t = whole, concept.TraitsOf(whole)
		}
	}
	s.Take(r, &t)
}

// Take is [Slots.Reset] for who knows the traits of r, which is of a whole T, and reduces no leaves.
func (s *Slots[T]) Take(r reducer[T], t *concept.Traits[T]) {
	s.r, s.whole, s.traits, s.place, s.form = r, nil, *t, nil, concept.Form[T]{}
	if t.Err == nil {
		s.place = Place(r, t)
	}
}

// wholeOf returns r as the reducer of a whole T if r is one of a field, however modified: it
// finds the fields that nobody owns.
func wholeOf[T any](r reducer[T]) (whole reducer[T], ok bool) {
	part := any(r)
	for inner, ok := modified.Within(part); ok; inner, ok = modified.Within(part) {
		part = inner
	}
	if f, ok := part.(interface{ Alone(r any) any }); ok {
		whole, ok = f.Alone(r).(reducer[T])
		return whole, ok
	}
	return nil, false
}

// Release forgets the reducer and clears all values that refer to memory: a result may share memory with the
// value in its slot. It keeps the memory for the next Open.
func (s *Slots[T]) Release() {
	if !s.bits { // else they refer to nothing, and caches of others may have them
		clear(s.slots[:cap(s.slots)]) // a part of the launch may have had more
		for _, lanes := range s.lanes[:cap(s.lanes)] {
			clear(lanes[:cap(lanes)])
		}
	}
	size := int(unsafe.Sizeof(*new(T)))
	if cap(s.slots)*size > maxKeptBytes {
		s.slots = nil
	}
	if cap(s.lanes)*s.laneCount*size > maxKeptBytes {
		s.lanes = nil
	}
	if cap(s.scratch)*scratchValues*size > maxKeptBytes { // numbers: they refer to nothing
		s.scratch = nil
	}
	if len(s.leaves) > maxKeptLeaves { // nor do these
		s.leaves = nil
	}
	var none T
	s.r, s.whole, s.traits, s.place, s.form = nil, nil, concept.Traits[T]{}, nil, concept.Form[T]{}
	s.unit, s.initial, s.laneCount, s.nodes, s.join = none, none, 0, false, ""
}

// Reopen makes room for other workers and slots in a launch that has called Open. Slots then
// hold nothing.
func (s *Slots[T]) Reopen(workers, slots int) { s.makeRoom(workers, slots) }

// makeRoom makes room for that many workers and slots.
func (s *Slots[T]) makeRoom(workers, slots int) {
	if cap(s.slots) < slots {
		s.slots = make([]T, slots)
	}
	s.slots = s.slots[:slots]
	if cap(s.lanes) < workers {
		s.lanes = make([][]T, workers)
	}
	s.lanes = s.lanes[:workers]
	if s.nodes {
		if cap(s.scratch) < workers {
			s.scratch = append(s.scratch[:cap(s.scratch)], make([][]T, workers-cap(s.scratch))...)
		}
		s.scratch = s.scratch[:workers]
	}
	for w, lanes := range s.lanes {
		if cap(lanes) >= s.laneCount {
			s.lanes[w] = lanes[:s.laneCount]
		} else {
			s.lanes[w] = nil // Begin makes them
		}
	}
}

// pools has a pool for each type of value that is used again; its keys are nil pointers
// of these types.
var pools sync.Map

// recent has those of pools that were asked for first among types with one place here: a map takes longer than what
// it is asked for.
var recent [128]atomic.Pointer[pooled]

type pooled struct {
	key  any
	pool *sync.Pool
}

// PoolOf returns the pool of values of type *T.
func PoolOf[T any]() *sync.Pool {
	key := any((*T)(nil))
	at := &recent[typed.Of(key)/64%uintptr(len(recent))]
	first := at.Load()
	if first != nil && first.key == key {
		return first.pool
	}
	p, ok := pools.Load(key)
	if !ok {
		p, _ = pools.LoadOrStore(key, &sync.Pool{New: func() any { return new(T) }})
	}
	if first == nil {
		at.CompareAndSwap(nil, &pooled{key, p.(*sync.Pool)})
	}
	return p.(*sync.Pool)
}
