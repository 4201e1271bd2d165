package team

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// Single calls f in the member of the group g that has rank 0, and nothing in the others.
// It is the single(PerTeam) of Kokkos when g is a [*Member]. What a member does outside of
// a [VectorRange] it does once, so that single(PerThread) needs no call at all. f must call no
// collective of g, and no barrier: one member would wait for ever.
//
// There is no barrier: call Barrier before another member needs what f has done.
func Single(g Group, f func()) {
	memberOf(g)
	if f == nil {
		misuse("Single: the function is nil")
	}
	if g.Rank() == 0 {
		f()
	}
}

// SingleValue calls f in the member of the group g that has rank 0 and returns what f
// returns there to every member of g. It is the single of Kokkos with a value to
// broadcast. f must call no collective of g, and no barrier.
//
// It is a barrier: what f has done is seen by all members. The value is copied as by an
// assignment: what it refers to is shared.
//
// Errors: a nil f; a call that only some members of g reach.
//
//go:noinline
func SingleValue[T any](g Group, f func() T) T {
	p := participantOf(g)
	if f == nil {
		misuse("SingleValue: the function is nil")
	}
	if p.Size == 1 {
		return f()
	}
	site := lane.Site()
	var x T
	if p.Rank == 0 {
		x = f()
	}
	b := collective.Buffer[sharedValue[T]](p.Exchange)
	if p.Rank == 0 {
		b.value = x
	}
	b.readers = p.Size
	var none T
	if !p.Meet(site, lane.Op{Kind: "single", Type: reflect.TypeFor[T](), Bytes: collective.SizeOf[T]()}, nil) {
		return none
	}
	return b.read()
}
