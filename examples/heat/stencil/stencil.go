// Package stencil is what heat does on a grid, row by row, in one process and in several.
package stencil

import (
	"math"

	"github.com/gokkos/gokkos/exec/kernel/kmath"
)

// Hot returns the temperature of the hot edge in a row of the plate.
func Hot(i int) float64 { return 100 + kmath.Sin(float64(i)) }

// Spread computes a part of a row of a plate from the points around it: those above and below, and the row before this
// step, which begins one point before the part and ends one point behind.
func Spread(now, up, row, down []float64) {
	up, row, down = up[:len(now)], row[:len(now)+2], down[:len(now)]
	for j := range now {
		around := up[j] + down[j] + (row[j] + row[j+2])
		now[j] = row[j+1] + float64(.2*(around-float64(4*row[j+1])))
	}
}

// Spread3 is Spread in three dimensions, where a row has four neighbours.
func Spread3(now, up, down, front, back, row []float64) {
	up, down, front, back, row = up[:len(now)], down[:len(now)], front[:len(now)], back[:len(now)], row[:len(now)+2]
	for j := range now {
		around := up[j] + down[j] + (front[j] + back[j]) + (row[j] + row[j+2])
		now[j] = row[j+1] + float64(.125*(around-float64(6*row[j+1])))
	}
}

// Compare joins the temperatures of a part of a row, and how much they have changed.
func Compare(now, before []float64, heat, change *float64) {
	before = before[:len(now)]
	for j, x := range now {
		*heat += x
		*change = max(*change, math.Abs(x-before[j]))
	}
}
