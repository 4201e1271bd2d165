package team

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/brief"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// Broadcast returns to every member of the group the x of the member with the given
// local id: OpenCL's work_group_broadcast and sub_group_broadcast, Kokkos'
// team_broadcast.
//
// Shape: one number is a rank in the group. Two or three are the member's place (x, y)
// or (x, y, z) in the dimensions of its team, see [Member.LocalID]; z is 0 if it is
// not given. A sub-group has no dimensions. The value is copied by assignment, so
// what a slice or a pointer refers to is shared.
//
// Errors: no id, one that is outside of the group, and ids that differ between members.
//
//go:noinline
func Broadcast[T any](g Group, x T, id ...int) T {
	return broadcast(g, lane.Site(), "Broadcast", nil, x, id)
}

// BroadcastFunc returns to every member of the group what f makes of the x of the
// member with the given local id. Only that member calls f: Kokkos'
// team_broadcast(f, value, thread). f must call no collective, no
// barrier, and not keep its argument. Ids, copies and errors are those of [Broadcast]; a
// nil f is an error, too.
//
//go:noinline
func BroadcastFunc[T any](g Group, f func(x *T), x T, id ...int) T {
	if f == nil {
		misuse("BroadcastFunc: the function is nil")
	}
	return broadcast(g, lane.Site(), "BroadcastFunc", f, x, id)
}

func broadcast[T any](g Group, site uintptr, name string, f func(*T), x T, id []int) T {
	p := participantOf(g)
	source := rankOf(g, name, id)
	b := collective.Buffer[broadcastBuffer[T]](p.Exchange)
	if !b.known {
		b.known, b.element = true, reflect.TypeFor[T]()
	}
	b.source = collective.Grown(b.source, p.Size)
	b.source[p.Rank] = source
	if p.Rank == source {
		b.value = x
		if f != nil {
			apply(p.Own, f, &b.value)
		}
	}
	b.name, b.site, b.readers = name, site, p.Size
	var none T
	if !p.Meet(site, lane.Op{Kind: "broadcast", Type: b.element, Bytes: collective.SizeOf[T]()}, b) {
		return none
	}
	return b.read()
}

// apply calls the function of a broadcast.
func apply[T any](x *collective.Exchange, f func(*T), value *T) {
	x.Calling = true
	defer x.Called()
	f(value)
}

// A broadcastBuffer is the buffer of a broadcast.
type broadcastBuffer[T any] struct {
	sharedValue[T]
	known   bool
	element reflect.Type // T, once known
	name    string
	site    uintptr
	source  []int // by rank: the rank that the member gave
}

// Combine checks that all members gave the same rank.
func (b *broadcastBuffer[T]) Combine(s *lane.Scope) {
	for rank, source := range b.source[:b.readers] {
		if source != b.source[0] {
			collective.Disagree(b.site, "team: %s: the id must be the same for all members: member 0 asks for the value of member %d, member %d for that of member %d",
				b.name, b.source[0], rank, source)
		}
	}
}

// A sharedValue is the value of one member for all members of a group.
type sharedValue[T any] struct {
	value   T
	readers int // members that have yet to read it
}

// read returns the value. The last reader drops it.
func (b *sharedValue[T]) read() T {
	x := b.value
	if b.readers--; b.readers == 0 {
		var none T
		b.value = none
	}
	return x
}

// rankOf returns the rank of the member with a local id.
func rankOf(g Group, name string, id []int) int {
	if len(id) == 1 {
		if id[0] < 0 || id[0] >= g.Size() {
			misuse("%s: there is no member %d in a group of %d", name, id[0], g.Size())
		}
		return id[0]
	}
	m, whole := g.(*Member)
	switch {
	case !whole:
		misuse("%s: expected one id, a rank in the sub-group, given %d: %v", name, len(id), brief.List(id))
	case len(id) != 2 && len(id) != 3:
		misuse("%s: expected an id of 1 to 3 numbers, a rank or a place in the team's dimensions, given %d: %v", name, len(id), brief.List(id))
	}
	d := &m.run.shape.Dims
	for k, n := range id {
		if n < 0 || n >= d[k] {
			misuse("%s: there is no member %v in a team of %v", name, brief.List(id), *d)
		}
	}
	rank := id[0] + d[0]*id[1]
	if len(id) == 3 {
		rank += d[0] * d[1] * id[2]
	}
	return rank
}
