package team

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/lane"
)

// Single calls f in the member of the group g that has rank 0, and nothing in the others.
// It is the single(PerTeam) of Kokkos when g is a [*Member]. What a member does outside of
// a [VectorRange] it does once, so that single(PerThread) needs no call at all.
//
// There is no barrier: call Barrier before another member needs what f has done.
func Single(g Group, f func()) {
	if g.Rank() == 0 {
		f()
	}
}

// SingleValue calls f in the member of the group g that has rank 0 and returns what f
// returns there to every member of g. It is the single of Kokkos with a value to
// broadcast.
//
// It is a barrier: what f has done is seen by all members. The value is copied as by an
// assignment: what it refers to is shared.
//
// Errors: a call that only some members of g reach.
//
//go:noinline
func SingleValue[T any](g Group, f func() T) T {
	if g.Size() == 1 {
		return f()
	}
	site := lane.Site()
	rank, m, s := g.Rank(), g.member(), g.scope()
	var x T
	if rank == 0 {
		x = f()
	}
	b := boxOf[T](s)
	if rank == 0 {
		b.x = x
	}
	m.lane.Meet(s, site, lane.Op{Kind: "single", Type: reflect.TypeFor[T]()}, nil)
	return b.x
}

// box holds the value of a SingleValue for the members to come.
type box[T any] struct{ x T }

// boxOf returns the box of the coming meeting.
func boxOf[T any](s *lane.Scope) *box[T] {
	slot := s.Slot()
	b, ok := (*slot).(*box[T])
	if !ok {
		b = new(box[T])
		*slot = b
	}
	return b
}
