package group

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/internal/collective"
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
// Errors: those of [team.AllReduce]; slices that differ in memory or length.
//
//go:noinline
func JointReduce[T any, R reducers.Reducer[T]](g team.Group, x []T, op func(*T) R) T {
	return jointReduce(g, lane.Site(), "group: JointReduce", nil, x, op)
}

// JointReduceFrom is [JointReduce] with an initial value, which is joined once, to the
// left of everything else and before Final. It is the init of the member of rank 0.
//
// Order and errors are those of JointReduce.
//
//go:noinline
func JointReduceFrom[T any, R reducers.Reducer[T]](g team.Group, init T, x []T, op func(*T) R) T {
	return jointReduce(g, lane.Site(), "group: JointReduceFrom", &init, x, op)
}

func jointReduce[T any, R reducers.Reducer[T]](g team.Group, site uintptr, name string, init *T, x []T, op func(*T) R) T {
	p := collective.Of(g)
	b := collective.Buffer[jointReduction[T]](p.Exchange)
	r := collective.Agree(&p, &b.Operation, name, example(init, x), op)
	b.record(&p, site, name, extentOf(x), extent{})
	if p.Rank == 0 {
		b.x, b.from = x, init != nil
		if b.from {
			b.init = *init
		}
	}
	var none T
	if !p.Meet(site, lane.Op{Kind: "joint reduce", Type: r, Bytes: collective.SizeOf[T]()}, b) {
		return none
	}
	return b.Take(b.Flat, p.Rank)
}

// example returns a value such as those of x: the initial value, or else the first of x.
func example[T any](init *T, x []T) (like T) {
	switch {
	case init != nil:
		return *init
	case len(x) > 0:
		return x[0]
	}
	return like
}

// A jointReduction is the buffer of a joint reduction.
type jointReduction[T any] struct {
	joint[T]
	collective.Operation[T]
	collective.Results[T]
	x    []T
	init T
	from bool // there is an initial value

	slots      *reduce.Slots[T]    // of the reducer slotsOf, in that many lanes
	slotsOf    reducers.Reducer[T] // nil if it cannot be compared
	lanes      int
	last       reflect.Type // the type of the last reducer
	comparable bool         // equal reducers of this type are the same
}

// Combine joins the elements.
func (b *jointReduction[T]) Combine(*lane.Scope) {
	b.Open()
	b.check()
	b.gather(b.given[0][0])
	n := len(b.x)
	b.openSlots(tree.Lanes(tree.LeafSize(n, max(n, 1))))
	root := b.slots.At(0)
	if n == 0 {
		b.slots.Column.Clear(0)
	} else {
		lanes := b.slots.Begin(0, n)
		mask := len(lanes) - 1
		for k := range b.x {
			b.R.Join(&lanes[k&mask], &b.x[k])
		}
		b.slots.Column.End(0, 0, n)
	}
	if b.from {
		root = b.StartFrom(&b.init, root)
	}
	b.Distribute(&b.Operation, b.members, root)
	var none T
	b.x, b.init = nil, none
	b.Close()
}

// openSlots opens slots for the reducer. It keeps those of the last meeting if the reducers
// are equal: slots refer to nothing else.
func (b *jointReduction[T]) openSlots(lanes int) {
	if b.Dynamic != b.last {
		b.last, b.slotsOf = b.Dynamic, nil
		b.comparable = b.Flat && reduce.IsPlace[T](b.Dynamic)
	}
	if b.comparable && lanes == b.lanes && b.slotsOf == b.R {
		return
	}
	b.slots = reduce.NewSlots(b.R)
	b.slots.Column.Open(1, 1, lanes)
	if b.comparable {
		b.slotsOf, b.lanes = b.R, lanes
	}
}
