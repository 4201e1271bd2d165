package team

import (
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/internal/lane"
)

// JointAll reports whether pred is true for all elements of x: SYCL's joint_all_of. All
// members of the group pass the same slice, of any length.
//
// Order: pred, that of the member of rank 0, is called for the elements in ascending
// order until the result is known, when all members have arrived: what they wrote to x
// before is seen.
//
// pred must call no collective and no barrier.
//
// Errors: a nil pred; slices that differ in memory or length.
//
//go:noinline
func JointAll[T any](g Group, x []T, pred func(T) bool) bool {
	return search(g, lane.Site(), "JointAll", "joint all", x, pred, false, false)
}

// JointAny reports whether pred is true for any element of x: SYCL's joint_any_of. For
// the rest, see [JointAll].
//
//go:noinline
func JointAny[T any](g Group, x []T, pred func(T) bool) bool {
	return search(g, lane.Site(), "JointAny", "joint any", x, pred, true, true)
}

// JointNone reports whether pred is true for no element of x: SYCL's joint_none_of. For
// the rest, see [JointAll].
//
//go:noinline
func JointNone[T any](g Group, x []T, pred func(T) bool) bool {
	return search(g, lane.Site(), "JointNone", "joint none", x, pred, true, false)
}

// search reports whether it is true (if found) or false (if not) that pred is wanted for
// any element of x.
func search[T any](g Group, site uintptr, name, kind string, x []T, pred func(T) bool, wanted, found bool) bool {
	if pred == nil {
		misuse("%s: the predicate is nil", name)
	}
	s := take(g)
	b := buffer[quest[T]](s.board)
	b.bring(&s, site, name, bounds(x), extent{})
	if s.rank == 0 {
		b.x, b.pred, b.wanted = x, pred, wanted
	}
	return s.meet(site, lane.Op{Kind: kind, Type: b.element, Bytes: sizeOf[T]()}, b) && b.found == found
}

// quest is what a search needs.
type quest[T any] struct {
	joint[T]
	x             []T
	pred          func(T) bool
	wanted, found bool
}

func (b *quest[T]) Combine(*lane.Scope) {
	b.check()
	b.found = false
	for _, x := range b.x {
		if b.pred(x) == b.wanted {
			b.found = true
			break
		}
	}
	b.x, b.pred = nil, nil
}

// An extent is the memory of a slice.
type extent struct {
	begin uintptr // 0 if it is empty
	bytes uintptr
	len   int
}

// bounds returns the memory of x. Slices that go to a collective escape to the heap, so
// that it does not move.
func bounds[T any](x []T) extent {
	if len(x) == 0 {
		return extent{}
	}
	return extent{uintptr(unsafe.Pointer(unsafe.SliceData(x))), uintptr(len(x)) * unsafe.Sizeof(x[0]), len(x)}
}

// overlaps reports whether two slices share a part of their memory, but not from the
// first element on.
func (e extent) overlaps(f extent) bool {
	return e.begin != f.begin && e.begin < f.begin+f.bytes && f.begin < e.begin+e.bytes
}

// joint is what the joint forms need to see that all members pass the same slices.
type joint[T any] struct {
	element reflect.Type
	name    string
	site    uintptr
	members int
	given   [][2]extent // by rank
}

// bring notes the slices that a member passes.
func (b *joint[T]) bring(s *seat, site uintptr, name string, x, y extent) {
	if b.element == nil {
		b.element = reflect.TypeFor[T]()
	}
	b.given = room(b.given, s.size)
	b.given[s.rank] = [2]extent{x, y}
	b.name, b.site, b.members = name, site, s.size
}

// check ends the launch if members have passed different slices.
func (b *joint[T]) check() {
	first := &b.given[0]
	for rank := range b.given[:b.members] {
		for k, x := range b.given[rank] {
			switch f := first[k]; {
			case x.len != f.len:
				disagree(b.site, "%s: all members must pass the same slices: member 0 passes one of length %d, member %d one of length %d",
					b.name, f.len, rank, x.len)
			case x.begin != f.begin:
				disagree(b.site, "%s: all members must pass the same slices: members 0 and %d pass different ones of length %d", b.name, rank, x.len)
			}
		}
	}
}
