package kokkos_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/tools/kokkos"
	"github.com/gokkos/gokkos/policy"
)

func ExampleStart() {
	finalize, err := kokkos.Start() // nothing unless KOKKOS_TOOLS_LIBS names a library
	if err != nil {
		fmt.Println(err)
		return
	}
	defer finalize()
	err = exec.ParallelFor(policy.Range(0, 1000).WithLabel("axpy"), func(int) {})
	fmt.Println(err)
	// Output: <nil>
}

func ExampleLoad() {
	_, err := kokkos.Load("kp_kernel_timer.txt")
	fmt.Println(err != nil)
	// Output: true
}
