package team

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
)

// JointReduce returns to every member of the group x[0] (+) x[1] (+) …, or the identity if
// x is empty: SYCL's joint_reduce. All members pass the same slice, of any length. op is
// the constructor of a reducer, and Final is applied to what all are joined into. The
// result shares no memory with x or with the results of other members.
//
// Order: the elements are one leaf of the reduction tree (see docs/determinism.md), joined
// when all members have arrived: what they wrote to x before is seen. So the result depends
// on len(x) and T, not on the group, and has the bits of exec.ParallelReduce with a chunk
// of len(x), up to 2³⁰ elements.
//
// op and the functions of the reducer must call no collective and no barrier.
//
// Errors: those of [AllReduce]; slices that differ in memory or length.
//
//go:noinline
func JointReduce[T any, R reducers.Reducer[T]](g Group, x []T, op func(*T) R) T {
	return jointReduce(g, lane.Site(), "JointReduce", nil, x, op)
}

// JointReduceFrom is [JointReduce] with an initial value, which is joined once, to the
// left of everything else and before Final. It is the init of the member of rank 0. For the
// rest, see there.
//
//go:noinline
func JointReduceFrom[T any, R reducers.Reducer[T]](g Group, init T, x []T, op func(*T) R) T {
	return jointReduce(g, lane.Site(), "JointReduceFrom", &init, x, op)
}

func jointReduce[T any, R reducers.Reducer[T]](g Group, site uintptr, name string, init *T, x []T, op func(*T) R) T {
	s := take(g)
	b := buffer[jointReduction[T]](s.board)
	r := agree(&s, &b.operation, name, example(init, x), op)
	b.bring(&s, site, name, bounds(x), extent{})
	if s.rank == 0 {
		b.x, b.from = x, init != nil
		if b.from {
			b.init = *init
		}
	}
	var none T
	if !s.meet(site, lane.Op{Kind: "joint reduce", Type: r, Bytes: sizeOf[T]()}, b) {
		return none
	}
	return b.take(b.flat, s.rank)
}

// example returns a value like those of x, if there is one.
func example[T any](init *T, x []T) (like T) {
	switch {
	case init != nil:
		return *init
	case len(x) > 0:
		return x[0]
	}
	return like
}

// jointReduction is what a joint reduction needs.
type jointReduction[T any] struct {
	joint[T]
	operation[T]
	results[T]
	x    []T
	init T
	from bool // there is an initial value

	slots *reducers.Slots[T] // for the reducer made, in that many lanes
	made  reducers.Reducer[T]
	lanes int
	seen  reflect.Type // of the last reducer
	plain bool         // reducers of this type can be compared
}

// Combine joins the elements.
func (b *jointReduction[T]) Combine(*lane.Scope) {
	b.open()
	b.check()
	n := len(b.x)
	b.openSlots(tree.Lanes(tree.LeafSize(n, max(n, 1))))
	root := b.slots.At(0)
	if n == 0 {
		b.slots.Clear(0)
	} else {
		lanes := b.slots.Begin(0, n)
		mask := len(lanes) - 1
		for k := range b.x {
			b.r.Join(&lanes[k&mask], &b.x[k])
		}
		b.slots.End(0, 0, n)
	}
	if b.from {
		root = b.startFrom(&b.init, root)
	}
	b.share(&b.operation, b.members, root)
	var none T
	b.x, b.init = nil, none
	b.close()
}

// openSlots opens slots for the reducer. Those of an earlier meeting will do if that had
// an equal reducer: they hold nothing else.
func (b *jointReduction[T]) openSlots(lanes int) {
	if b.dynamic != b.seen {
		b.seen, b.made = b.dynamic, nil
		b.plain = b.flat && isPlain[T](b.dynamic)
	}
	if b.plain && lanes == b.lanes && b.made == b.r {
		return
	}
	b.slots = reducers.NewSlots(b.r)
	b.slots.Open(1, 1, lanes)
	if b.plain {
		b.made, b.lanes = b.r, lanes
	}
}

// isPlain reports whether reducers of type t can be compared and are the same if they are
// equal: those that are only their result place, as most built-in ones are.
func isPlain[T any](t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for f := range t.Fields() {
			if !isPlain[T](f.Type) {
				return false
			}
		}
		return true
	case reflect.Pointer:
		return t.Elem() == reflect.TypeFor[T]()
	}
	return false
}
