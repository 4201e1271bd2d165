package exec_test

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views/atomics"
)

func ExampleNewSimGPU() {
	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	x := make([]float64, 100_000)
	for i := range x {
		x[i] = 1 / float64(i+1)
	}
	sum := func(space exec.Space) (sum float64) {
		if err := exec.ParallelFold(exec.Slice(policy.Range(0, len(x)).On(space), x), builtin.Sum(&sum)); err != nil {
			fmt.Println(err)
		}
		return sum
	}
	fmt.Println(sum(sim), sum(sim) == sum(exec.Serial{}))
	// Output: 12.090146129863427 true
}

// Items that take numbers take others under other schedules.
func ExampleSimGPU_WithSchedule() {
	sim := exec.NewSimGPU(gpu.Device{})
	defer sim.Close()
	for schedule := range uint64(5) {
		next, order := 0, make([]int, 8)
		err := exec.ParallelFor(policy.Range(0, len(order)).On(sim.WithSchedule(schedule)), func(i int) { order[atomics.FetchAdd(&next, 1)] = i })
		fmt.Println(schedule, order, err)
	}
	// Output:
	// 0 [0 1 2 3 4 5 6 7] <nil>
	// 1 [0 1 2 3 4 5 6 7] <nil>
	// 2 [7 6 5 4 3 2 1 0] <nil>
	// 3 [0 1 2 3 4 5 6 7] <nil>
	// 4 [3 1 5 2 0 6 7 4] <nil>
}

// A functor that assigns to its accumulator drops the items that were joined into it before. Which
// these are depends on the leaves, and so does the sum.
func ExampleSimGPU_WithChunk() {
	sim := exec.NewSimGPU(gpu.Device{})
	defer sim.Close()
	for _, chunk := range []int{1, 16, 1 << 20} {
		var joined, assigned int
		p := policy.Range(0, 100).On(sim.WithChunk(chunk))
		err := exec.ParallelReduce(p, func(i int, acc *int) { *acc += i }, builtin.Sum(&joined))
		fmt.Print(joined, err)
		err = exec.ParallelReduce(p, func(i int, acc *int) { *acc = i }, builtin.Sum(&assigned)) //gokkosvet:ignore a mistake to be found
		fmt.Println(";", assigned, err)
	}
	// Output:
	// 4950 <nil>; 4950 <nil>
	// 4950 <nil>; 851 <nil>
	// 4950 <nil>; 1464 <nil>
}

// Items that count in one place race. The launch says so in a build with -gcflags=-race.
func ExampleSimGPU_WithChecks() {
	sim := exec.NewSimGPU(gpu.Device{}).WithChecks()
	defer sim.Close()
	count := 0
	err := exec.ParallelFor(policy.Range(0, 1000).On(sim), func(int) { count++ }) //gokkosvet:ignore a race to be found
	fmt.Println(count, err == nil || errors.Is(err, check.ErrRace))
	// Output: 1000 true
}

func ExampleSimGPU_LastReport() {
	sim := exec.NewSimGPU(gpu.Device{})
	defer sim.Close()
	var sum float64
	var count int
	err := exec.ParallelReduce2(policy.Range(0, 100_000).On(sim), func(i int, a *float64, b *int) {
		*a += 1 / float64(i+1)
		*b++
	}, builtin.Sum(&sum), builtin.Sum(&count))
	report, ok := sim.LastReport()
	fmt.Println(ok, err)
	for _, r := range report.Reducers { // integers may be joined in any order
		fmt.Println(r.Reducer, "in a block by", r.Group, "and in the grid by", r.Grid)
	}
	// Output:
	// true <nil>
	// builtin.sum[float64] in a block by shuffle and in the grid by last block
	// builtin.sum[int] in a block by shuffle and in the grid by atomic
}

func ExampleReport() {
	d := gpu.H200()
	d.Group, d.Grid = gpu.GroupShared, gpu.GridSecondKernel
	sim := exec.NewSimGPU(d)
	defer sim.Close()
	var sum float64
	p := policy.Range(0, 1<<16).WithLabel("sum").On(sim)
	err := exec.ParallelReduce(p, func(i int, acc *float64) { *acc += 1 / float64(i+1) }, builtin.Sum(&sum))
	report, _ := sim.LastReport()
	fmt.Print(err, "\n", report)
	// Output:
	// <nil>
	// launch of "sum" on H200, schedule 0
	//   kernel "range": 8 blocks of 256 threads, 2048 bytes of shared memory
	//   kernel "combine": 1 blocks of 256 threads, 2048 bytes of shared memory
	//   builtin.sum[float64]: block by shared, grid by second kernel
	//   64 warps of 32 lanes, 64 barriers, 0 warp barriers, 0 shuffles, 0 atomics, 0 collectives
	//   occupancy 100 %: 8 blocks and 64 warps per SM, limited by warps
}

func ExampleSimGPU_Close() {
	sim := exec.NewSimGPU(gpu.Device{})
	fmt.Println(sim.Close())
	fmt.Println(exec.ParallelFor(policy.Range(0, 10).On(sim), func(int) {}))
	// Output:
	// <nil>
	// space: the space is closed
}

func ExampleTeamSizeMax() {
	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	p := policy.Team(1000, team.Auto).Vector(4).Scratch(0, 4096, 1024)
	fmt.Println(exec.TeamSizeMax(p.On(sim)))
	fmt.Println(exec.TeamSizeMax(p.On(exec.Serial{})))
	// Output:
	// 223 <nil>
	// 65536 <nil>
}

func ExampleTeamSizeRecommended() {
	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	p := policy.Team(1000, team.Auto)
	fmt.Println(exec.TeamSizeRecommended(p.On(sim)))
	fmt.Println(exec.TeamSizeRecommended(p.On(exec.Serial{})))
	// Output:
	// 256 <nil>
	// 1 <nil>
}

// Every member of every team contributes.
func ExampleParallelReduce_team() {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	var sum float64
	err := exec.ParallelReduce(policy.Team(len(x)/2, 2).On(exec.Serial{}), func(m *team.Member, acc *float64) {
		*acc += x[2*m.LeagueRank()+m.Rank()]
	}, builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output: 55 <nil>
}
