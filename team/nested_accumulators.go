package team

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// pool keeps what the nested reductions of one Runner need for accumulators of type A. It
// needs no lock: the members of its teams run one at a time. It stays as large as the most
// nested reductions that were open at once.
type pool[A any] struct {
	flat, laned bool
	watched     bool // accumulators begin anew in shadow memory
	free        []*accumulators[A]
	meetings    []*meeting[A]
}

func poolOf[A any](r *runner) *pool[A] {
	for _, p := range r.pools {
		if p, ok := p.(*pool[A]); ok {
			return p
		}
	}
	p := &pool[A]{flat: reduce.IsFlat[A](), laned: reduce.TakesLanes[A](), watched: r.settings.Watched}
	r.pools = append(r.pools, p)
	return p
}

// accumulators are what one member reduces into in one nested reduction: one for each
// vector lane.
type accumulators[A any] struct {
	*pool[A]
	r       reducers.Reducer[A]
	traits  concept.Traits[A]
	lanes   []A // by lane, at least as many as the range has
	mask    int // lane l of the range is lanes[l&mask]: -1, or 0 if there is one accumulator
	used    int // lanes that have an item
	unit    A   // the identity, for a flat A
	initial A   // the initial value, if the reducer has one and this member counts it
	prefix  A   // in a scan, what comes before the member's items
	scan    bool
	meeting *meeting[A]
}

// open returns accumulators of r and more for that many lanes. The initial value counts for
// the calling member if counts is set. It is read here, before a functor can change it.
func open[A any](m *Member, lanes int, counts bool, r reducers.Reducer[A], more ...reducers.Reducer[A]) *accumulators[A] {
	p := poolOf[A](m.run)
	var a *accumulators[A]
	if n := len(p.free); n > 0 {
		a, p.free = p.free[n-1], p.free[:n-1]
	} else {
		a = &accumulators[A]{pool: p}
	}
	if len(more) > 0 {
		r = reducers.Compose(r, more...)
	}
	t := &a.traits
	*t = concept.TraitsOf(r)
	if len(more) == 0 && (t.Err != nil || t.Store != nil) { // one of a field stores its own way
		r = reducers.Compose(r)
		*t = concept.TraitsOf(r)
	}
	if t.Err != nil {
		misuse("%w", t.Err)
	}
	if t.Ordered || !p.laned {
		lanes = 1
	}
	a.r, a.scan, a.mask = r, false, -1
	if lanes == 1 {
		a.mask = 0
	}
	if lanes > len(a.lanes) {
		a.lanes = make([]A, lanes)
	}
	if p.flat {
		r.Init(&a.unit)
	}
	if t.Initial && counts {
		reduce.Load(r, t, &a.initial)
	}
	return a
}

// begin returns the accumulators, those of the lanes that a block of so many items reaches
// set to the identity.
func (a *accumulators[A]) begin(items, lanes int) []A {
	if a.mask == 0 {
		lanes = 1
	}
	a.used = min(items, lanes)
	for l := range a.lanes[:a.used] {
		a.clear(&a.lanes[l])
	}
	if a.watched {
		watch.RenewAll(reflect.ValueOf(a.lanes[:a.used]))
		watch.RenewAll(reflect.ValueOf(&a.prefix))
	}
	return a.lanes
}

func (a *accumulators[A]) clear(val *A) {
	if a.flat {
		*val = a.unit
		return
	}
	a.r.Init(val)
}

func (a *accumulators[A]) bytes() int { return sizeOf[A]() }

func (a *accumulators[A]) place() any { return reduce.Place(a.r, &a.traits) }

// join joins the lanes into the first.
func (a *accumulators[A]) join() { reduce.JoinTree(a.r, a.lanes[:a.used]) }

// finish sets lane 0 to the result of a reduction that is the member's alone.
func (a *accumulators[A]) finish() {
	val := &a.lanes[0]
	if a.used == 0 {
		a.clear(val)
	}
	if a.traits.Initial {
		a.r.Join(&a.initial, val)
		*val, a.initial = a.initial, *val
	}
	a.r.Final(val)
}

// store writes the result. It drops a value that is not flat: the result place may share
// its memory.
func (a *accumulators[A]) store() {
	reduce.Store(a.r, &a.traits, &a.lanes[0])
	if !a.flat {
		var none A
		a.lanes[0] = none
	}
}

// release puts the accumulators back into the pool.
func (a *accumulators[A]) release() {
	if a.traits.Store != nil || a.traits.Load != nil {
		a.traits = concept.Traits[A]{}
	}
	a.r, a.meeting = nil, nil
	a.free = append(a.free, a)
}
