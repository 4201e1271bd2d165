package mpi

import (
	"cmp"
	"fmt"

	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Barrier waits until all ranks have called it.
func (c *Comm) Barrier() error {
	if err := c.usable("Barrier"); err != nil {
		return err
	}
	return c.link.Barrier()
}

// Bcast makes the elements of x on all ranks those of x on the rank root. x has the same
// extents everywhere.
func Bcast[T any](c *Comm, x views.Viewer[T], root int, on ...policy.Launch) error {
	if err := c.checkRank("Bcast from", root, false); err != nil {
		return err
	}
	b, err := bufferOf("Bcast", x, on)
	if err == nil && c.Rank() == root {
		err = b.pack()
	}
	if err == nil {
		err = c.link.Bcast(b.bytes, root)
	}
	if err == nil && c.Rank() != root {
		err = b.unpack()
	}
	return err
}

// Gather makes row k of dst, on the rank root, the elements of src of rank k. dst has one
// dimension more than src, in front, whose extent is the number of ranks; src has the same extents
// everywhere. dst does not matter on other ranks, and may be nil there.
func Gather[T any](c *Comm, dst, src views.Viewer[T], root int, on ...policy.Launch) error {
	if err := c.checkRank("Gather to", root, false); err != nil {
		return err
	}
	part, err := packed("Gather", src, on)
	if err != nil {
		return err
	}
	if c.Rank() != root {
		return c.link.Gatherv(part, nil, nil, root)
	}
	all, err := stackOf("Gather", c, dst, src, on)
	if err == nil {
		err = c.link.Gatherv(part, all.bytes, c.equal(len(part)), root)
	}
	if err == nil {
		err = all.unpack()
	}
	return err
}

// Allgather makes row k of dst the elements of src of rank k, on all ranks. dst has one dimension
// more than src, in front, whose extent is the number of ranks; src has the same extents
// everywhere.
func Allgather[T any](c *Comm, dst, src views.Viewer[T], on ...policy.Launch) error {
	if err := c.usable("Allgather"); err != nil {
		return err
	}
	part, err := packed("Allgather", src, on)
	if err != nil {
		return err
	}
	all, err := stackOf("Allgather", c, dst, src, on)
	if err == nil {
		err = c.link.Allgather(part, all.bytes)
	}
	if err == nil {
		err = all.unpack()
	}
	return err
}

// Scatter makes the elements of dst on rank k those of row k of src on the rank root. src has
// one dimension more than dst, in front, whose extent is the number of ranks; dst has the same
// extents everywhere. src does not matter on other ranks, and may be nil there.
func Scatter[T any](c *Comm, dst, src views.Viewer[T], root int, on ...policy.Launch) error {
	if err := c.checkRank("Scatter from", root, false); err != nil {
		return err
	}
	part, err := bufferOf("Scatter", dst, on)
	if err != nil {
		return err
	}
	if c.Rank() == root {
		all, err := stackOf("Scatter", c, src, dst, on)
		if err == nil {
			err = all.pack()
		}
		if err == nil {
			err = c.link.Scatterv(all.bytes, c.equal(len(part.bytes)), part.bytes, root)
		}
		if err != nil {
			return err
		}
	} else if err := c.link.Scatterv(nil, nil, part.bytes, root); err != nil {
		return err
	}
	return part.unpack()
}

// Alltoall makes row k of dst on rank r the elements of row r of src on rank k. Both have the
// same extents everywhere, of which the first is the number of ranks.
func Alltoall[T any](c *Comm, dst, src views.Viewer[T], on ...policy.Launch) error {
	if err := c.usable("Alltoall"); err != nil {
		return err
	}
	from, err := bufferOf("Alltoall", src, on)
	if err != nil {
		return err
	}
	to, err := bufferOf("Alltoall", dst, on)
	if err != nil {
		return err
	}
	for _, v := range []views.View[T]{from.view, to.view} {
		if v.Rank() == 0 || v.Extent(0) != c.Size() {
			return fmt.Errorf("mpi: Alltoall with %v, expected a first extent of %d, one row for each rank", v, c.Size())
		}
	}
	if len(from.bytes) != len(to.bytes) {
		return fmt.Errorf("mpi: Alltoall of %v into %v, expected equal extents", from.view, to.view)
	}
	if err := cmp.Or(apartFrom("Alltoall", from.view, to.view), from.pack()); err != nil {
		return err
	}
	counts := c.equal(len(from.bytes) / c.Size())
	if err := c.link.Alltoallv(from.bytes, counts, to.bytes, counts); err != nil {
		return err
	}
	return to.unpack()
}

// stackOf returns the bytes of a view with a row for each rank, which has no elements in common
// with that of one.
func stackOf[T any](what string, c *Comm, stack, part views.Viewer[T], on []policy.Launch) (buffer[T], error) {
	b, err := bufferOf(what, stack, on)
	if err == nil {
		err = checkStack(what, b.view, views.As(part), c.Size())
	}
	if err == nil {
		err = apartFrom(what, views.As(part), b.view)
	}
	return b, err
}

// equal returns the same count for each rank.
func (c *Comm) equal(n int) []int {
	counts := make([]int, c.Size())
	for k := range counts {
		counts[k] = n
	}
	return counts
}
