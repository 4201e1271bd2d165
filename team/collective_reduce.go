package team

import (
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

// AllReduce returns to every member of the group x₀ (+) x₁ (+) … (+) xₙ₋₁, where xₖ is the
// x of the member with rank k: OpenCL's work_group_reduce and sub_group_reduce, SYCL's
// reduce_over_group. op is the constructor of a reducer, for example
//
//	total := team.AllReduce(m, x, builtin.Sum)
//
// x is a partial result of the reducer, and Final is applied to what all are joined
// into. The result shares no memory with x or with the results of other members.
//
// Order: ranks are joined in pairs, (0,1), (2,3), …, then (0,2), (4,6), … and so on; the
// left one is the dst of the join, and one without a right neighbour is passed up as it
// is. A value that refers to memory elsewhere is copied by joining it to an identity.
//
// op and the functions of the reducer must call no collective and no barrier: they run for
// one member or none.
//
// Errors: a reducer that cannot be used, or that asks for an initial value. The op of one
// member is called; all must make the same kind of reducer.
//
//go:noinline
func AllReduce[T any, R reducers.Reducer[T]](g Group, x T, op func(*T) R) T {
	return allReduce(g, lane.Site(), "AllReduce", nil, x, op)
}

// AllReduceFrom is [AllReduce] with an initial value, which is joined once per group, to the
// left of everything else and before Final. It is the init of the member of rank 0.
//
// Order and errors are those of AllReduce.
//
//go:noinline
func AllReduceFrom[T any, R reducers.Reducer[T]](g Group, init, x T, op func(*T) R) T {
	return allReduce(g, lane.Site(), "AllReduceFrom", &init, x, op)
}

func allReduce[T any, R reducers.Reducer[T]](g Group, site uintptr, name string, init *T, x T, op func(*T) R) T {
	p := participantOf(g)
	b := buffer[reduction[T]](p.exchange)
	r := agree(&p, &b.operation, name, x, op)
	b.x = grown(b.x, p.size)
	b.x[p.rank] = x
	b.from = init != nil
	if b.from && p.rank == 0 {
		b.init = *init
	}
	b.size = p.size
	var none T
	if !p.meet(site, lane.Op{Kind: "reduce", Type: r, Bytes: sizeOf[T]()}, b) {
		return none
	}
	return b.take(b.flat, p.rank)
}

// A reduction is the buffer of a reduction over a group.
type reduction[T any] struct {
	operation[T]
	results[T]
	size int
	x    []T // by rank
	init T
	from bool // there is an initial value
}

// Combine joins the members' values.
func (b *reduction[T]) Combine(*lane.Scope) {
	b.open()
	x := b.x[:b.size]
	if !b.flat { // a join must not write to the members' memory
		for k := range x {
			src := x[k]
			b.set(&x[k], &src)
		}
	}
	reduce.JoinTree(b.r, x)
	root := &x[0]
	if b.from {
		root = b.startFrom(&b.init, root)
	}
	b.distribute(&b.operation, len(x), root)
	clear(x)
	var none T
	b.init = none
	b.close()
}

// startFrom returns init (+) x, in place of *init for a flat T, else in memory of its own.
func (o *operation[T]) startFrom(init, x *T) *T {
	if !o.flat {
		var copied T
		o.set(&copied, init)
		init = &copied
	}
	o.r.Join(init, x)
	return init
}

// results are what a reduction returns to the members of a group, who share no memory
// through them.
type results[T any] struct {
	one  T   // for all members, if T is flat
	each []T // by rank, if it is not
}

// distribute sets the results of that many members to Final of *x.
func (b *results[T]) distribute(o *operation[T], members int, x *T) {
	if o.flat {
		o.finish(&b.one, x)
		return
	}
	b.each = grown(b.each, members)
	for k := range members {
		o.finish(&b.each[k], x)
	}
}

// take returns the result of a member, once.
func (b *results[T]) take(flat bool, rank int) T {
	if flat {
		return b.one
	}
	var none T
	x := b.each[rank]
	b.each[rank] = none
	return x
}
