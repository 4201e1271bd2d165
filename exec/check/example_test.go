package check_test

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
)

// Each item reads what its neighbour writes. Built with -gcflags=-race, the launch says so; built
// without, nothing is seen.
func Example() {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	defer sim.Close()
	x := make([]float64, 1000)
	err := exec.ParallelFor(policy.Range(1, len(x)).WithLabel("smooth").On(sim), func(i int) {
		x[i] = (x[i-1] + x[i]) / 2
	})
	fmt.Println(err == nil || errors.Is(err, check.ErrRace))
	// Output: true
}

func ExampleError() {
	race := check.Finding{
		Err:    check.ErrRace,
		Now:    check.Access{By: "item 2", Does: "reads", File: "/home/me/smooth.go", Line: 18},
		Before: check.Access{By: "item 1", Does: "writes", File: "/home/me/smooth.go", Line: 18},
		Count:  998,
		Others: []string{"item 3 and item 2"},
	}
	var err error = &check.Error{Launch: `launch "smooth" on H200, schedule 0`, Findings: []check.Finding{race}, More: 2}
	fmt.Println(err)
	fmt.Println(errors.Is(err, check.ErrRace), errors.Is(err, check.ErrScan))
	// Output:
	// check: launch "smooth" on H200, schedule 0:
	// race: two accesses to the same memory, one of them a write, that nothing orders
	// 	item 2 reads at smooth.go:18
	// 	item 1 writes at smooth.go:18, earlier in this schedule
	// 	seen 998 times, then by item 3 and item 2
	// and 2 more findings
	// true false
}

func ExampleFinding() {
	fmt.Println(check.Finding{
		Err:   check.ErrUninitialised,
		Now:   check.Access{By: "team 3, member 17", Does: "reads", File: "tree.go", Line: 26},
		Count: 1,
	})
	// Output:
	// uninitialised: scratch memory is read before it is written
	// 	team 3, member 17 reads at tree.go:26
}

func ExampleAccess() {
	fmt.Println(check.Access{By: "item 12", Does: "writes", File: "/home/me/smooth.go", Line: 42})
	// Output: item 12 writes at smooth.go:42
}
