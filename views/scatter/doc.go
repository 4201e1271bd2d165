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
// In a scatter that is [Duplicated], few is 0: each part has partial results. So has a part whose functor
// asks for them ([Access.Cells]).
//
// # Cost
//
// Memory is that of the parts that are not joined yet. Each worker has one for each level of
// the tree at most, of which there are 13, and each takes no more than
//
//	a copy of the cells, as soon as it has had partial results, and
//	contributions, for float64 up to 32 bytes for each of few, and 16 KiB for each of the
//	ranges that the cells are divided in: 1 up to 2^14 cells, and 16 to 64 above
//
// Parts with the same contributions share them. Memory is used again by later launches into about
// as many cells, of the same type, until the garbage collector takes it.
//
// Time on one core: a contribution takes 1.5 to 6 times as long as in the plain loop; see
// BenchmarkSum. With more contributions than cells, the fastest form is the plain loop itself, over the
// partial results of a leaf ([Access.Cells]):
//
//	exec.ParallelReduce(policy.Spans(0, n).Chunk(4*cells), func(s policy.Span, acc *scatter.Access[float64]) {
//		sums := acc.Cells()
//		for k := range s.All() {
//			sums[cell[k]] += x[k]
//		}
//	}, scatter.Sum(y))
//
// Each leaf costs as much as there are cells, twice: the chunk should be so long that it contributes
// several times to each. The chunk decides the bits, as it does for every reduction. Forces of particles, each
// pair once, take 1.1 to 1.2 times as long as the plain loop on one core (BenchmarkForces), with a functor that
// is called for each particle, too, and leaves of at least 512 particles.
//
// Of the methods that join one contribution, Combine1 is the shortest way for a part with partial results, the
// others are a call each. So a scatter into the points of a grid takes 3/5 of the time with Combine1(i*m+j, x)
// into the same memory as a view of rank 1:
//
//	flat, err := views.As1(grid.Reshape(n * m))
//
// Vectors go to the cells of a row in one call of CombineRow2 or CombineRow3, where parts keep few
// contributions.
//
// Where the order does not matter, [AtomicSum] and its like take no memory: they change the
// view itself, and what they have changed stays if the launch fails. There is none for sums
// and products of floats, whose bits would depend on who comes first.
package scatter
