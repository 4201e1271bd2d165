package mpi

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// Distributed returns the source of the elements of a distributed array: x has those of this
// rank's items of p, which [Part] tells, and no others. It is what [exec.ParallelFold] reads, with
// the bits of [exec.Slice] of all elements. Where each rank has all of the array,
// that is exec.Slice.
//
// Errors, on all ranks: one has more or fewer elements than items. On a space that is none of
// [On], x has the elements of all items.
func Distributed[T any](p policy.RangePolicy, x []T) exec.Source[T] {
	return exec.Slice(policy.Range(0, len(x)), x).PartOf(p, partOf(p))
}

// DistributedProducts returns the source of the products x[i]*y[i] of elements of two distributed
// arrays, see [Distributed]: their sum is the dot product, with the bits of [exec.Products].
func DistributedProducts[T ~float32 | ~float64](p policy.RangePolicy, x, y []T) exec.Source[T] {
	return exec.Products(policy.Range(0, max(len(x), len(y))), x, y).PartOf(p, partOf(p))
}

// partOf returns the indices of this rank.
func partOf(p policy.RangePolicy) policy.Span {
	begin, end, err := Part(p.Plan().Space, p)
	if err != nil {
		return policy.Span{} // the launch says so
	}
	var at [1]int
	p.Next(0, 1, at[:])
	return policy.Span{Begin: at[0] + begin, End: at[0] + end}
}
