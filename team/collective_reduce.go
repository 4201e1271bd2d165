package team

import (
	"github.com/gokkos/gokkos/internal/lane"
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
	return reduce(g, lane.Site(), "AllReduce", nil, x, op)
}

// AllReduceFrom is [AllReduce] with an initial value, which is joined once per group, to the
// left of everything else and before Final. It is the init of the member of rank 0. For the
// rest, see there.
//
//go:noinline
func AllReduceFrom[T any, R reducers.Reducer[T]](g Group, init, x T, op func(*T) R) T {
	return reduce(g, lane.Site(), "AllReduceFrom", &init, x, op)
}

func reduce[T any, R reducers.Reducer[T]](g Group, site uintptr, name string, init *T, x T, op func(*T) R) T {
	s := take(g)
	b := buffer[reduction[T]](s.board)
	r := agree(&s, &b.operation, name, x, op)
	b.x = room(b.x, s.size)
	b.x[s.rank] = x
	b.from = init != nil
	if b.from && s.rank == 0 {
		b.init = *init
	}
	b.size = s.size
	var none T
	if !s.meet(site, lane.Op{Kind: "reduce", Type: r, Bytes: sizeOf[T]()}, b) {
		return none
	}
	return b.result(s.rank)
}

// reduction is what a reduction over a group needs.
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
	if !b.flat { // the members' memory is not ours to join into
		for k := range x {
			src := x[k]
			b.set(&x[k], &src)
		}
	}
	reducers.JoinTree(b.r, x)
	root := &x[0]
	if b.from {
		root = b.startFrom(&b.init, root)
	}
	b.share(&b.operation, len(x), root)
	clear(x)
	var none T
	b.init = none
	b.close()
}

// startFrom joins *x to an initial value, in place if that is ours.
func (o *operation[T]) startFrom(init, x *T) *T {
	if !o.flat {
		var copied T
		o.set(&copied, init)
		init = &copied
	}
	o.r.Join(init, x)
	return init
}

// results are what members take from a reduction: one for all, or one for each if
// members must not share its memory.
type results[T any] struct {
	one  T
	each []T
}

// share makes the results of a number of members from a partial result.
func (b *results[T]) share(o *operation[T], members int, x *T) {
	if o.flat {
		o.finish(&b.one, x)
		return
	}
	b.each = room(b.each, members)
	for k := range members {
		o.finish(&b.each[k], x)
	}
}

// result returns a member's result.
func (b *reduction[T]) result(rank int) T { return b.results.take(b.flat, rank) }

func (b *results[T]) take(flat bool, rank int) T {
	if flat {
		return b.one
	}
	var none T
	x := b.each[rank]
	b.each[rank] = none
	return x
}
