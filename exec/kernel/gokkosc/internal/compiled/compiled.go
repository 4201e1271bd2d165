// Package compiled runs tests of kernels whose loops are not in the tree.
package compiled

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel"
)

// Tests runs the tests of a package, and returns their status. Without a loop for the functor, which is one of its
// kernels, in a build that has loops, it says how they are compiled and returns 1.
func Tests(m interface{ Run() int }, functor any) int {
	level, undo := kernel.Limit(kernel.AVX512)
	undo()
	if level > kernel.Closure && kernel.Of(functor) == nil {
		fmt.Println("the kernels of these tests are not compiled: make kernels does it, and prints the flag -overlay for go test")
		return 1
	}
	return m.Run()
}
