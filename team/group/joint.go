package group

import (
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/internal/collective"
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
func JointAll[T any](g team.Group, x []T, pred func(T) bool) bool {
	return search(g, lane.Site(), "group: JointAll", "joint all", x, pred, false)
}

// JointAny reports whether pred is true for any element of x: SYCL's joint_any_of.
// Order and errors are those of [JointAll].
//
//go:noinline
func JointAny[T any](g team.Group, x []T, pred func(T) bool) bool {
	return search(g, lane.Site(), "group: JointAny", "joint any", x, pred, true)
}

// search reports whether pred is true for an element of x. If wanted is false, it reports whether pred is false for none.
func search[T any](g team.Group, site uintptr, name, kind string, x []T, pred func(T) bool, wanted bool) bool {
	if pred == nil {
		collective.Misuse("%s: the predicate is nil", name)
	}
	p := collective.Of(g)
	b := collective.Buffer[searchBuffer[T]](p.Exchange)
	b.record(&p, site, name, extentOf(x), extent{})
	if p.Rank == 0 {
		b.x, b.pred, b.wanted = x, pred, wanted
	}
	return p.Meet(site, lane.Op{Kind: kind, Type: b.element, Bytes: collective.SizeOf[T]()}, b) && b.found == wanted
}

// A searchBuffer is the buffer of a search.
type searchBuffer[T any] struct {
	joint[T]
	x             []T
	pred          func(T) bool
	wanted, found bool
}

func (b *searchBuffer[T]) Combine(*lane.Scope) {
	b.check()
	b.gather(b.given[0][0])
	b.found = false
	for _, x := range b.x {
		if b.pred(x) == b.wanted {
			b.found = true
			break
		}
	}
	b.x, b.pred = nil, nil
}

// extent is where a slice lies.
type extent struct {
	begin uintptr // 0 if it is empty
	bytes uintptr
	len   int
}

// extentOf returns where x lies. Slices that go to a collective escape to the heap, so
// that it does not move.
func extentOf[T any](x []T) extent {
	if len(x) == 0 {
		return extent{}
	}
	return extent{uintptr(unsafe.Pointer(unsafe.SliceData(x))), uintptr(len(x)) * unsafe.Sizeof(x[0]), len(x)}
}

// overlaps reports whether two slices share memory and begin at different elements.
func (e extent) overlaps(f extent) bool {
	return e.begin != f.begin && e.begin < f.begin+f.bytes && f.begin < e.begin+e.bytes
}

// joint compares the slices that members pass to a joint collective.
type joint[T any] struct {
	element reflect.Type
	name    string
	site    uintptr
	members int
	watched bool
	given   [][2]extent // by rank
}

// record keeps which slices a member passes.
func (b *joint[T]) record(p *collective.Participant, site uintptr, name string, x, y extent) {
	if b.element == nil {
		b.element = reflect.TypeFor[T]()
	}
	b.given = collective.Grown(b.given, p.Size)
	b.given[p.Rank] = [2]extent{x, y}
	b.name, b.site, b.members, b.watched = name, site, p.Size, p.Member.Watched()
}

// gather says of a slice that it is read for all members.
func (b *joint[T]) gather(x extent) {
	if b.watched && x.len > 0 {
		watch.Gathered(b.site, x.begin, x.bytes, x.bytes/uintptr(x.len))
	}
}

// check ends the launch if members have passed different slices.
func (b *joint[T]) check() {
	first := &b.given[0]
	for rank := range b.given[:b.members] {
		for k, x := range b.given[rank] {
			switch f := first[k]; {
			case x.len != f.len:
				collective.Disagree(b.site, "%s: all members must pass the same slices: member 0 passes one of length %d, member %d one of length %d",
					b.name, f.len, rank, x.len)
			case x.begin != f.begin:
				collective.Disagree(b.site, "%s: all members must pass the same slices: members 0 and %d pass different ones of length %d", b.name, rank, x.len)
			}
		}
	}
}
