package team

import (
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
)

// ExclusiveScan returns to the member of rank k x₀ (+) … (+) xₖ₋₁, where xⱼ is the x of the
// member with rank j, and the identity to rank 0: OpenCL's work_group_scan_exclusive and
// sub_group_scan_exclusive, SYCL's exclusive_scan_over_group. op is the constructor of a
// reducer, as for [AllReduce], which calls no collective and no barrier.
//
// Final is not applied. A result shares no memory with other members' results or with
// any x.
//
// Order: with the tree of AllReduce, whose nodes are the joins of their left and right
// halves, the prefix of the root is the identity; a left half has its parent's prefix, a
// right half identity (+) prefix of the parent (+) left half. Results have the bits of
// exec.ParallelScan with leaves of one item, but for the sign of a zero that is initial.
//
// Errors: those of AllReduce.
//
//go:noinline
func ExclusiveScan[T any, R reducers.Reducer[T]](g Group, x T, op func(*T) R) T {
	return scan(g, lane.Site(), "ExclusiveScan", exclusive, nil, x, op)
}

// ExclusiveScanFrom is [ExclusiveScan] with an initial value in place of the identity as
// the prefix of the root. It is the init of the member of rank 0. Order and errors are
// those of ExclusiveScan.
//
//go:noinline
func ExclusiveScanFrom[T any, R reducers.Reducer[T]](g Group, init, x T, op func(*T) R) T {
	return scan(g, lane.Site(), "ExclusiveScanFrom", exclusive, &init, x, op)
}

// InclusiveScan returns to the member of rank k x₀ (+) … (+) xₖ, where xⱼ is the x of the
// member with rank j: OpenCL's work_group_scan_inclusive and sub_group_scan_inclusive,
// SYCL's inclusive_scan_over_group.
//
// Order: it is what [ExclusiveScan] returns, joined with the member's own x: for rank 0,
// identity (+) x₀. Errors are those of ExclusiveScan.
//
//go:noinline
func InclusiveScan[T any, R reducers.Reducer[T]](g Group, x T, op func(*T) R) T {
	return scan(g, lane.Site(), "InclusiveScan", inclusive, nil, x, op)
}

// InclusiveScanFrom is [InclusiveScan] with an initial value in place of the identity. It
// is the init of the member of rank 0, whose result is init (+) x₀. Order and errors are
// those of [InclusiveScan].
//
//go:noinline
func InclusiveScanFrom[T any, R reducers.Reducer[T]](g Group, init, x T, op func(*T) R) T {
	return scan(g, lane.Site(), "InclusiveScanFrom", inclusive, &init, x, op)
}

// The kinds of scan.
const (
	exclusive = "exclusive scan"
	inclusive = "inclusive scan"
)

func scan[T any, R reducers.Reducer[T]](g Group, site uintptr, name, kind string, init *T, x T, op func(*T) R) T {
	p := participantOf(g)
	b := buffer[prefixes[T]](p.exchange)
	r := agree(&p, &b.operation, name, x, op)
	b.x, b.tree.Prefix = grown(b.x, p.size), grown(b.tree.Prefix, p.size)
	b.x[p.rank] = x
	b.inclusive, b.from = kind == inclusive, init != nil
	if b.from && p.rank == 0 {
		b.init = *init
	}
	b.size = p.size
	var none T
	if !p.meet(site, lane.Op{Kind: kind, Type: r, Bytes: sizeOf[T]()}, b) {
		return none
	}
	result := b.tree.Prefix[p.rank]
	b.tree.Prefix[p.rank] = none
	return result
}

// prefixes is the buffer of a scan over a group.
type prefixes[T any] struct {
	operation[T]
	inclusive bool
	from      bool // there is an initial value
	size      int
	init      T
	x         []T // by rank
	tree      tree.Sweep[T]
}

// Combine joins the members' values up the tree and the prefixes down it.
func (b *prefixes[T]) Combine(*lane.Scope) {
	b.open()
	t, x := &b.tree, b.x[:b.size]
	t.R, t.Bare, t.Sums = b.r, true, grown(t.Sums, b.size)[:b.size]
	for k := range x { // a join must not write to the members' memory
		b.set(&t.Sums[k], &x[k])
	}
	if b.from {
		b.set(&t.Prefix[0], &b.init)
	} else {
		b.identity(&t.Prefix[0])
	}
	for rank := 1; rank < b.size; rank++ {
		t.Next(rank)
	}
	if b.inclusive {
		for k := range x {
			b.r.Join(&t.Prefix[k], &x[k])
		}
	}
	clear(x)
	clear(t.Sums)
	var none T
	b.init = none
	t.Release()
	b.close()
}
