package group

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// Shuffle returns the x of the member of the sub-group with the given rank, which may be
// another one for every member: SYCL's select_from_group, CUDA's __shfl_sync. The value
// is copied by assignment, so what a slice or a pointer refers to is shared.
//
// Errors: a rank outside of the sub-group.
//
//go:noinline
func Shuffle[T any](sg *team.SubGroup, x T, rank int) T {
	p := collective.Of(sg)
	if rank < 0 || rank >= p.Size {
		collective.Misuse("group: Shuffle: there is no member %d in a sub-group of %d", rank, p.Size)
	}
	return shuffle(p, lane.Site(), "shuffle", x, rank)
}

// ShuffleUp returns the x of the member whose rank in the sub-group is lower by delta, or
// the member's own x if there is none: SYCL's shift_group_right, CUDA's __shfl_up_sync.
// delta may be another one for every member. A value is copied as by [Shuffle].
//
// Errors: a negative delta.
//
//go:noinline
func ShuffleUp[T any](sg *team.SubGroup, x T, delta int) T {
	p := collective.Of(sg)
	checkNonNegative("ShuffleUp", "delta", delta)
	from := p.Rank - delta
	if from < 0 {
		from = p.Rank
	}
	return shuffle(p, lane.Site(), "shuffle up", x, from)
}

// ShuffleDown returns the x of the member whose rank in the sub-group is higher by delta,
// or the member's own x if there is none: SYCL's shift_group_left, CUDA's
// __shfl_down_sync. delta may be another one for every member. A value is copied as by
// [Shuffle].
//
// Errors: a negative delta.
//
//go:noinline
func ShuffleDown[T any](sg *team.SubGroup, x T, delta int) T {
	p := collective.Of(sg)
	checkNonNegative("ShuffleDown", "delta", delta)
	from := p.Rank
	if delta < p.Size-p.Rank {
		from += delta
	}
	return shuffle(p, lane.Site(), "shuffle down", x, from)
}

// ShuffleXor returns the x of the member whose rank in the sub-group is the calling
// member's rank ^ mask, or the member's own x if there is none: SYCL's
// permute_group_by_xor, CUDA's __shfl_xor_sync. mask may be another one for every member.
// A value is copied as by [Shuffle].
//
// Errors: a negative mask.
//
//go:noinline
func ShuffleXor[T any](sg *team.SubGroup, x T, mask int) T {
	p := collective.Of(sg)
	checkNonNegative("ShuffleXor", "mask", mask)
	from := p.Rank ^ mask
	if from >= p.Size {
		from = p.Rank
	}
	return shuffle(p, lane.Site(), "shuffle xor", x, from)
}

func checkNonNegative(name, what string, n int) {
	if n < 0 {
		collective.Misuse("group: %s: the %s is %d, expected at least 0", name, what, n)
	}
}

func shuffle[T any](p collective.Participant, site uintptr, kind string, x T, from int) T {
	b := collective.Buffer[shuffleBuffer[T]](p.Exchange)
	if !b.known {
		b.known, b.element = true, reflect.TypeFor[T]()
	}
	b.x = collective.Grown(b.x, p.Size)
	b.x[p.Rank] = x
	b.readers = p.Size
	var none T
	if !p.Meet(site, lane.Op{Kind: kind, Type: b.element, Bytes: collective.SizeOf[T]()}, b) {
		return none
	}
	return b.read(from, p.Size)
}

// A shuffleBuffer is the buffer of a shuffle.
type shuffleBuffer[T any] struct {
	known   bool
	element reflect.Type // T, once known
	x       []T          // by rank
	readers int          // members that have yet to read
}

// Combine does nothing: each member reads the value that it asked for.
func (b *shuffleBuffer[T]) Combine(*lane.Scope) {}

// read returns the value of the member of rank from. The last reader drops all values.
func (b *shuffleBuffer[T]) read(from, size int) T {
	x := b.x[from]
	if b.readers--; b.readers == 0 {
		clear(b.x[:size])
	}
	return x
}
