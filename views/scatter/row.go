package scatter

import "fmt"

// CombineRow2 joins x[k] to the cell i, k for each k in turn, where x is as long as a row of the
// view: it has the bits of as many calls of [Access.Combine2], and is faster.
//
//	acc.CombineRow2(j, -f[0], -f[1], -f[2])
//
// An x of another length panics.
func (a *Access[T]) CombineRow2(i int, x ...T) {
	s := a.s
	if s.rank != 2 || uint(i) >= uint(s.extent[0]) || len(x) != s.extent[1] {
		s.refuseRow(len(x), i)
	}
	cell, step := i*s.weight[0], s.weight[1]
	sum := a.sum
	if sum == nil {
		a.combineRow(cell, step, x)
		return
	}
	for _, x := range x {
		sum[cell] += T(x) // as Combine1 does
		cell += step
	}
}

// CombineRow3 joins x[k] to the cell i, j, k for each k in turn, as [Access.CombineRow2] does. Where
// the components of a vector are apart in memory, a permuted view has them last:
//
//	blocks := views.Must(views.New3[float64]("forces", n/8, 3, 8)) // of particle i: i/8, all, i%8
//	forces := views.Must(blocks.Permute(0, 2, 1))                  // i/8, i%8, all
func (a *Access[T]) CombineRow3(i, j int, x ...T) {
	s := a.s
	if s.rank != 3 || uint(i) >= uint(s.extent[0]) || uint(j) >= uint(s.extent[1]) || len(x) != s.extent[2] {
		s.refuseRow(len(x), i, j)
	}
	cell, step := i*s.weight[0]+j*s.weight[1], s.weight[2]
	sum := a.sum
	if sum == nil {
		a.combineRow(cell, step, x)
		return
	}
	for _, x := range x {
		sum[cell] += T(x)
		cell += step
	}
}

// combineRow joins x to the cells from the given one on, in steps, all of which are there.
func (a *Access[T]) combineRow(cell, step int, x []T) {
	for _, x := range x {
		if !a.push(cell, x) {
			a.combine(cell, x)
		}
		cell += step
	}
}

// refuseRow panics because of a row of n values, or as the view does because of its index.
//
//go:noinline
func (s *scatter[T]) refuseRow(n int, row ...int) {
	last := len(row)
	if s.rank == last+1 && n != s.extent[last] {
		panic(fmt.Sprintf("scatter: a row of %d values into %v, expected %d", n, s.view, s.extent[last]))
	}
	s.view.At(append(row[:last:last], 0)...)
}
