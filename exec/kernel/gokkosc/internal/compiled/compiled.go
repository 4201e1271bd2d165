// Package compiled runs tests of kernels whose generated loops are not committed.
package compiled

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel"
)

// Tests runs the tests of a package, and returns their status. The functor is from one of the package's
// kernels. If it has no loop although the build runs loops, Tests prints how to compile the kernels and
// returns 1.
func Tests(m interface{ Run() int }, functor any) int {
	level, undo := kernel.Limit(kernel.AVX512)
	undo()
	if level > kernel.Closure && kernel.Of(functor) == nil {
		fmt.Println("the kernels of these tests are not compiled: make kernels does it, and prints the flag -overlay for go test")
		return 1
	}
	return m.Run()
}
