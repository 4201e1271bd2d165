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
