package collective

import (
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
)

// The kinds of scan.
const (
	Exclusive = "exclusive scan"
	Inclusive = "inclusive scan"
)

// Scan is team.ExclusiveScan and the scans of package group, by kind and init.
func Scan[T any, R reducers.Reducer[T]](p Participant, site uintptr, name, kind string, init *T, x T, op func(*T) R) T {
	b := Buffer[prefixes[T]](p.Exchange)
	r := Agree(&p, &b.Operation, name, x, op)
	b.x, b.tree.Prefix = Grown(b.x, p.Size), Grown(b.tree.Prefix, p.Size)
	b.x[p.Rank] = x
	b.inclusive, b.from = kind == Inclusive, init != nil
	if b.from && p.Rank == 0 {
		b.init = *init
	}
	b.size = p.Size
	var none T
	if !p.Meet(site, lane.Op{Kind: kind, Type: r, Bytes: SizeOf[T]()}, b) {
		return none
	}
	result := b.tree.Prefix[p.Rank]
	b.tree.Prefix[p.Rank] = none
	return result
}

// prefixes is the buffer of a scan over a group.
type prefixes[T any] struct {
	Operation[T]
	inclusive bool
	from      bool // there is an initial value
	size      int
	init      T
	x         []T // by rank
	tree      tree.Sweep[T]
}

// Combine joins the members' values up the tree and the prefixes down it.
func (b *prefixes[T]) Combine(*lane.Scope) {
	b.Open()
	t, x := &b.tree, b.x[:b.size]
	t.R, t.Bare, t.Sums = b.R, true, Grown(t.Sums, b.size)[:b.size]
	for k := range x { // a join must not write to the members' memory
		b.Set(&t.Sums[k], &x[k])
	}
	if b.from {
		b.Set(&t.Prefix[0], &b.init)
	} else {
		b.Identity(&t.Prefix[0])
	}
	for rank := 1; rank < b.size; rank++ {
		t.Next(rank)
	}
	if b.inclusive {
		for k := range x {
			b.R.Join(&t.Prefix[k], &x[k])
		}
	}
	clear(x)
	clear(t.Sums)
	var none T
	b.init = none
	t.Release()
	b.Close()
}
