package pass_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// After the passes the indices of axpy are checked for many items at a time.
func ExampleRun() {
	packages, err := front.Load(front.Config{}, "../kernels")
	if err != nil {
		fmt.Println(err)
		return
	}
	axpy := packages[0].Kernels[0].IR
	fmt.Println(count(axpy.Body, ir.Check), "checks for each item,", len(axpy.Checks), "for many")
	pass.Run(axpy, pass.All)
	fmt.Println(count(axpy.Body, ir.Check), "checks for each item,", len(axpy.Checks), "for many")
	c := pass.Estimate(axpy)
	fmt.Println(c.Operations, "operations,", c.Loads, "loads,", c.Stores, "store")
	// Output:
	// 2 checks for each item, 0 for many
	// 0 checks for each item, 2 for many
	// 2 operations, 2 loads, 1 store
}
