package krylov

import (
	"fmt"

	"github.com/gokkos/gokkos/examples/internal/arguments"
	"github.com/gokkos/gokkos/views/mtx"
)

// Points returns the number of points of a square with n points along a side. It is an error if memory cannot hold a
// vector of so many elements.
func Points(n int) (int, error) {
	if n < 1 {
		return 0, fmt.Errorf("-poisson %d, expected at least 1", n)
	}
	if err := arguments.Fits(8, n, n); err != nil {
		return 0, fmt.Errorf("-poisson %d: %w", n, err)
	}
	return n * n, nil
}

// bytesPerRow is about the memory that a row takes: 5 entries, in slices that grow, and elements of vectors.
const bytesPerRow = 2*5*16 + 6*8

// Poisson returns the rows begin to end-1 of the 5-point matrix on a square of n*n points, see [Points]. It is an
// error if memory cannot hold them.
func Poisson(n, begin, end int) (*mtx.Matrix, error) {
	if err := arguments.Fits(bytesPerRow, end-begin); err != nil {
		return nil, fmt.Errorf("-poisson %d: %w", n, err)
	}
	m := &mtx.Matrix{First: begin, Rows: n * n, Columns: n * n, Starts: []int{0}}
	add := func(there bool, column int, value float64) {
		if there {
			m.Column, m.Values = append(m.Column, column), append(m.Values, value)
		}
	}
	for row := begin; row < end; row++ {
		i, j := row/n, row%n
		add(i > 0, row-n, -1)
		add(j > 0, row-1, -1)
		add(true, row, 4)
		add(j < n-1, row+1, -1)
		add(i < n-1, row+n, -1)
		m.Starts = append(m.Starts, len(m.Values))
	}
	return m, nil
}
