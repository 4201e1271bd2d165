package scatter

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

// AtomicSum is [Sum] without memory of its own: contributions go to the view at once, by
// atomic additions. It is for integers, whose sums do not depend on the order.
//
// Contributions stay if the launch then fails, and the functor must not read the view.
// Where workers meet in few cells, Sum is the faster one.
func AtomicSum[T builtin.Integer](v views.Viewer[T]) reducers.Reducer[Access[T]] {
	return newAtomic(v, operationIn(&sharedBy[T]().sum, sum[T]), atomics.Add[T])
}

// AtomicProd is [AtomicSum] for products.
func AtomicProd[T builtin.Integer](v views.Viewer[T]) reducers.Reducer[Access[T]] {
	return newAtomic(v, operationIn(&sharedBy[T]().prod, prod[T]), atomics.Mul[T])
}

// AtomicMin is [AtomicSum] for the least contribution, of floats as well.
func AtomicMin[T builtin.Real](v views.Viewer[T]) reducers.Reducer[Access[T]] {
	return newAtomic(v, operationIn(&sharedBy[T]().least, least[T]), atomics.Min[T])
}

// AtomicMax is [AtomicSum] for the greatest contribution, of floats as well.
func AtomicMax[T builtin.Real](v views.Viewer[T]) reducers.Reducer[Access[T]] {
	return newAtomic(v, operationIn(&sharedBy[T]().most, most[T]), atomics.Max[T])
}

func newAtomic[T builtin.Number](v views.Viewer[T], op *operation[T], atomic func(cell *T, x T) T) reducers.Reducer[Access[T]] {
	s := newScatter(v, op, nil)
	s.atomic = atomic
	return s
}

// at returns the address of the cell of a number.
func (s *scatter[T]) at(cell int) *T {
	if s.packed {
		return &s.memory[cell]
	}
	var index [memory.MaxRank]int
	for d := s.rank - 1; d >= 0; d-- {
		index[d] = cell % s.extent[d]
		cell /= s.extent[d]
	}
	return s.view.Ptr(index[:s.rank]...)
}
