package kernel_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel"
)

// The items from 0 on that read x[i+1] of a slice of length 10.
func ExampleReach() {
	fmt.Println(kernel.Reach(0, 100, 1, 1, 10))
	// Output: 9
}

// The items from 1 on that read x[i-1] and x[i+1] of a slice of length 10.
func ExampleReachAll() {
	fmt.Println(kernel.ReachAll(1, 100, -1, 1, 10))
	// Output: 9
}

// Five rows of a matrix of ten columns, of which the items 1 to 8 read those at their sides.
func ExampleReachRows() {
	fmt.Println(kernel.ReachRows(1, 9, -1, 1, 1, 50, 10, 5), kernel.ReachRows(1, 9, -1, 1, 1, 50, 10, 6))
	// Output: true false
}
