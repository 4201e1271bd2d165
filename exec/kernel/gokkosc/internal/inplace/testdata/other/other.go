// Package other has variables, types and functions that functors of another package use.
package other

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// Factor is changed by others.
var Factor = 2.0

// Table is an array that others may write.
var Table = [4]float64{1, 2, 3, 4}

// A Grid has fields that only this package sees.
type Grid struct {
	Values []float64
	hidden float64
}

// NewGrid returns a grid.
func NewGrid(n int) *Grid { return &Grid{make([]float64, n), 7} }

// Hidden returns what is hidden.
func (g *Grid) Hidden() float64 { return g.hidden }

// Each runs a functor.
func Each(n int, f func(i int)) { exec.Must(exec.ParallelFor(policy.Range(0, n), f)) }

// Both runs two functors.
func Both(n int, f, g func(i int)) {
	Each(n, f)
	Each(n, g)
}

// Set is a functor of the package's own.
func Set(x []float64) func(i int) { return func(i int) { x[i] = Factor } }

// Axpy adds a·x to y.
func Axpy(a float64, x, y []float64) error {
	n := len(y)
	err := exec.ParallelFor(policy.Range(0, n), func(i int) { y[i] += a * x[i] })
	return err
}

// The package has functions of its own that Go has by now.
func min(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

func max(a, b float64) float64 { return -min(-a, -b) }

// Clip clips the rows of a square.
func Clip(x []float64, n int) {
	low, high := 0.5, 40.0
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{0, 0}, [2]int{n, n}), func(at policy.Index2) {
		i := n*at.I + at.J
		x[i] = max(low, min(x[i], high))
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, n*n), func(i int) {
		for k := range n {
			x[i] += min(float64(k), float64(i%7))
		}
	}))
}

// Fill sets all elements to a value.
func Fill[T any](x []T, v T) { Each(len(x), func(i int) { x[i] = v }) }
