// Package scatters has functors that contribute to cells, whose loops are compared with their closures.
package scatters

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views/scatter"
)

// histogram counts numbers by cell.
//
//gokkos:kernel
func histogram(cell []int32, by []int64) func(k int, acc *scatter.Access[int64]) {
	return func(k int, acc *scatter.Access[int64]) { acc.Combine1(int(cell[k]), by[k]) }
}

// sums adds products, which no processor may fuse with a sum.
//
//gokkos:kernel
func sums(cell []int32, x []float64) func(k int, acc *scatter.Access[float64]) {
	return func(k int, acc *scatter.Access[float64]) { acc.Combine1(int(cell[k]), x[k]*x[k+1]) }
}

// transposed multiplies by the transpose of a matrix in rows, and counts the rows that are not empty.
//
//gokkos:kernel
func transposed(row, column []int, a, x []float64) func(i int, y *scatter.Access[float64], rows *int) {
	return func(i int, y *scatter.Access[float64], rows *int) {
		for k := row[i]; k < row[i+1]; k++ {
			y.Combine1(column[k], float64(a[k]*x[i]))
		}
		if row[i] < row[i+1] {
			*rows++
		}
	}
}

// forces are accumulators of a launch over pairs.
type forces struct {
	On     scatter.Access[float64]
	Energy float64
}

// pairs adds forces of neighbours on a ring, in rows and one by one, and stores the distance of each pair.
//
//gokkos:kernel
func pairs(x [][3]float64, far float64, distance []float64) func(i int, acc *forces) {
	return func(i int, acc *forces) {
		distance[i] = 0
		for step := 1; step <= 2; step++ {
			j := (i + step) % len(x)
			dx, dy, dz := x[i][0]-x[j][0], x[i][1]-x[j][1], x[i][2]-x[j][2]
			square := float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
			if square > far {
				continue
			}
			acc.On.CombineRow2(i, dx, dy, dz)
			opposite(acc, j, dx, dy, dz)
			acc.Energy += square
			distance[i] += square
		}
	}
}

func opposite(acc *forces, j int, dx, dy, dz float64) {
	acc.On.Combine2(j, 0, -dx)
	acc.On.Combine2(j, 1, -dy)
	acc.On.Combine2(j, 2, -dz)
}

// corners adds bytes to the corners of the cells of a grid, and the greatest of all to one number.
//
//gokkos:kernel
func corners(by [][]uint8) func(at policy.Index2, acc *scatter.Access[uint8], most *builtin.MinMaxVal[uint8]) {
	return func(at policy.Index2, acc *scatter.Access[uint8], most *builtin.MinMaxVal[uint8]) {
		x := by[at.I][at.J]
		acc.Combine3(at.I, at.J, 0, x)
		acc.Combine3(at.I+1, at.J+1, 1, x+200)
		acc.CombineRow3(at.I, at.J, 3, x>>1)
		most.Max = max(most.Max, x)
	}
}

// spans adds numbers by the span, and one for each span to the last cell of all.
//
//gokkos:kernel
func spans(cell []int, x []float32) func(s policy.Span, acc *scatter.Access[float32], ends *scatter.Access[int]) {
	return func(s policy.Span, acc *scatter.Access[float32], ends *scatter.Access[int]) {
		for k := range s.All() {
			acc.Combine1(cell[k], x[k])
		}
		ends.Combine4(0, 0, 0, 1, 1)
	}
}
