package check_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
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

// A card does not reach x, which is a slice of the host, and a view of its own memory instead.
func ExampleOption() {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks(check.DeviceMemory)
	defer sim.Close()
	x := make([]float64, 1000)
	v := views.Must(views.As1(views.NewIn[float64](views.MemoryOf(sim), "v", []int{1000})))
	p := policy.Range(0, len(x)).On(sim)
	err := exec.ParallelFor(p, func(i int) { x[i] = 1 })
	fmt.Println(err == nil || errors.Is(err, check.ErrMemory))
	fmt.Println(exec.ParallelFor(p, func(i int) { v.Set(i, 1) }))
	// Output:
	// true
	// <nil>
}

// The mirror is changed, and not copied to the view that the kernel reads.
func ExampleOption_mirrors() {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks(check.Mirrors)
	defer sim.Close()
	h := views.Must(views.New1[float64]("h", 1000))
	d := views.Must(views.MirrorCopy(sim.Memory(), h))
	double := func() error {
		return exec.ParallelFor(policy.Range(0, 1000).On(sim), func(i int) { d.Set(i, 2*d.At(i)) })
	}
	h.Set(7, 1)
	err := double()
	fmt.Println(err == nil || errors.Is(err, check.ErrMirror))
	fmt.Println(views.DeepCopy(d, h), double())
	// Output:
	// true
	// <nil> <nil>
}

func ExampleError() {
	race := check.Finding{
		Err:    check.ErrRace,
		Now:    check.Access{By: "item 2", Does: "reads", File: "/home/me/smooth.go", Line: 18},
		Before: check.Access{By: "item 1", Does: "writes", File: "/home/me/smooth.go", Line: 18},
		Place:  `"x" [1000] at [1]`,
		Count:  998,
		Others: []string{"item 3 and item 2"},
		Do:     "write to memory that no other one reads",
	}
	var err error = &check.Error{Launch: `launch "smooth" on H200, schedule 0`, Findings: []check.Finding{race}, More: 2}
	fmt.Println(err)
	fmt.Println(errors.Is(err, check.ErrRace), errors.Is(err, check.ErrScan))
	// Output:
	// check: launch "smooth" on H200, schedule 0:
	// race: two accesses to the same memory, one of them a write, that nothing orders
	// 	item 2 reads at smooth.go:18
	// 	item 1 writes at smooth.go:18, earlier in this schedule
	// 	of "x" [1000] at [1]
	// 	seen 998 times, then by item 3 and item 2
	// 	do: write to memory that no other one reads
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
	fmt.Println(check.Access{By: "items 0 to 31", Does: "writes", File: "/home/me/smooth.go", Line: 43})
	// Output:
	// item 12 writes at smooth.go:42
	// items 0 to 31 write at smooth.go:43
}

func ExampleCall() {
	a := check.Access{By: "team 3, member 17 of sub-group 0", Does: "reads", File: "tree.go", Line: 24}
	a.After = check.Call{File: "/home/me/tree.go", Line: 22}
	fmt.Println(a)
	// Output: team 3, member 17 of sub-group 0 reads at tree.go:24, after the barrier at tree.go:22
}

func ExampleFinding_MarshalJSON() {
	f := check.Finding{Err: check.ErrScan, Count: 2, Now: check.Access{By: "item 12", Does: "writes", File: "prefix.go", Line: 9, Function: "me.prefix"}}
	text, err := json.Marshal(f)
	fmt.Println(string(text), err)
	// Output: {"kind":"scan","now":{"by":"item 12","does":"writes","file":"prefix.go","line":9,"function":"me.prefix"},"count":2} <nil>
}

func ExampleSARIF() {
	f := check.Finding{Err: check.ErrScan, Count: 1, Now: check.Access{By: "item 12", Does: "writes", File: "prefix.go", Line: 9}}
	log, err := check.SARIF(&check.Error{Launch: "a launch", Findings: []check.Finding{f}})
	fmt.Println(strings.Contains(string(log), `"ruleId": "gokkos/scan"`), err)
	// Output: true <nil>
}
