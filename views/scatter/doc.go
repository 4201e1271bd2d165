// Package scatter adds up contributions that items make to cells of a view, where several
// items may contribute to one cell and nobody knows to which before: histograms, forces of
// particles, the assembly of a matrix. It is Kokkos' ScatterView, with the same bits on
// every space.
//
// A scatter is a reducer. Its accumulator, an [Access], takes contributions:
//
//	exec.ParallelReduce(p, func(i int, acc *scatter.Access[float64]) {
//		acc.Combine1(cell[i], x[i])
//	}, scatter.Sum(y))
//
// It goes with other reducers, with any policy, and inside of a struct with
// [reducers.Field]. A scan refuses it, and so does a nested reduction over several members
// of a team, whose items contribute to the accumulator of the launch instead.
//
// # Result
//
// Contributions are joined to what the view has, as Kokkos' contribute does: a cell that
// nobody contributes to keeps its content. Where the old content shall not count, fill the
// view first. Two scatters of one launch into one view are an error, as two results in one
// place are, if its layout has no gaps. [reducers.WithInitial] changes nothing. The view is written when the whole
// launch has succeeded; on an error, a panic or a cancellation it keeps its content.
//
// # Order
//
// The bits depend on the policy and on the contributions alone. As long as a part of the
// reduction tree has made few contributions, these are kept one by one; a part with more
// has one partial result per cell. Few is
//
//	cells/4    up to 2^14 cells
//	8*cells    above
//
// Parts are joined as the tree says: the right one goes to the left one contribution by
// contribution, in the order of items, or if it has partial results, cell by cell. The view
// is to the left of everything. So a launch with few contributions has the bits of the plain
// loop
//
//	for i := range n {
//		y[cell[i]] += x[i]
//	}
//
// # Cost
//
// Memory is that of the parts that are not joined yet, of which each worker has some: a
// copy of the cells, or a list of contributions, for float64 of 16 bytes each. The memory of
// lists is used again by later launches.
//
// Where the order does not matter, [AtomicSum] and its like take no memory: they change the
// view itself, and what they have changed stays if the launch fails. There is none for sums
// and products of floats, whose bits would depend on who comes first.
package scatter
