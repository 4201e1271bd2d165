package collective

import (
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

// Reduce is team.AllReduce, and with an init group.AllReduceFrom.
func Reduce[T any, R reducers.Reducer[T]](p Participant, site uintptr, name string, init *T, x T, op func(*T) R) T {
	b := Buffer[reduction[T]](p.Exchange)
	r := Agree(&p, &b.Operation, name, x, op)
	b.x = Grown(b.x, p.Size)
	b.x[p.Rank] = x
	b.from = init != nil
	if b.from && p.Rank == 0 {
		b.init = *init
	}
	b.size = p.Size
	var none T
	if !p.Meet(site, lane.Op{Kind: "reduce", Type: r, Bytes: SizeOf[T]()}, b) {
		return none
	}
	return b.Take(b.Flat, p.Rank)
}

// A reduction is the buffer of a reduction over a group.
type reduction[T any] struct {
	Operation[T]
	Results[T]
	size int
	x    []T // by rank
	init T
	from bool // there is an initial value
}

// Combine joins the members' values.
func (b *reduction[T]) Combine(*lane.Scope) {
	b.Open()
	x := b.x[:b.size]
	if !b.Flat { // a join must not write to the members' memory
		for k := range x {
			src := x[k]
			b.Set(&x[k], &src)
		}
	}
	reduce.JoinTree(b.R, x)
	root := &x[0]
	if b.from {
		root = b.StartFrom(&b.init, root)
	}
	b.Distribute(&b.Operation, len(x), root)
	clear(x)
	var none T
	b.init = none
	b.Close()
}

// StartFrom returns init (+) x, in place of *init for a flat T, else in memory of its own.
func (o *Operation[T]) StartFrom(init, x *T) *T {
	if !o.Flat {
		var copied T
		o.Set(&copied, init)
		init = &copied
	}
	o.R.Join(init, x)
	return init
}

// Results are what a reduction returns to the members of a group, who share no memory
// through them.
type Results[T any] struct {
	one  T   // for all members, if T is flat
	each []T // by rank, if it is not
}

// Distribute sets the results of that many members to Final of *x.
func (b *Results[T]) Distribute(o *Operation[T], members int, x *T) {
	if o.Flat {
		o.finish(&b.one, x)
		return
	}
	b.each = Grown(b.each, members)
	for k := range members {
		o.finish(&b.each[k], x)
	}
}

// Take returns the result of a member, once.
func (b *Results[T]) Take(flat bool, rank int) T {
	if flat {
		return b.one
	}
	var none T
	x := b.each[rank]
	b.each[rank] = none
	return x
}
