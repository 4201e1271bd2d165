package interp_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
)

// The kernel axpy adds 2·x to y, up to the item at which x has no element.
func ExampleSpan() {
	packages, err := front.Load(front.Config{}, "../kernels")
	if err != nil {
		fmt.Println(err)
		return
	}
	axpy := packages[0].Kernels[0].IR
	x, y := []float64{1, 2, 3}, []float64{10, 10, 10, 10}
	args, err := interp.Bind(axpy, 2.0, x, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(interp.Span(axpy, args, 0, 4, 0, nil), y)
	// Output: 3 [12 14 16 10]
}
