// Package beside imports a package whose tests import this one.
package beside

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/inplace/testdata/tested"

// Counted returns the sum of numbers less than n.
func Counted(n int) (sum int) {
	x := make([]int, n)
	tested.Apply(n, func(i int) { x[i] = i })
	for _, v := range x {
		sum += v
	}
	return sum
}
