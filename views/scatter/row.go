package scatter

import "fmt"

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
