package exec_test

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

func ExampleNewSimGPU() {
	gpu := exec.NewSimGPU(exec.H200())
	defer gpu.Close()
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
	fmt.Println(sum(gpu), sum(gpu) == sum(exec.Serial{}))
	// Output: 12.090146129863427 true
}

// A kernel in which each item reads what another one writes gives another result on
// every schedule.
func ExampleSimGPU_WithSchedule() {
	gpu := exec.NewSimGPU(exec.Device{})
	defer gpu.Close()
	for seed := range uint64(3) {
		x := []int{1, 0, 0, 0, 0, 0, 0, 0}
		err := exec.ParallelFor(policy.Range(1, len(x)).On(gpu.WithSchedule(seed)), func(i int) { x[i] = x[i-1] + 1 })
		fmt.Println(x, err)
	}
	// Output:
	// [1 2 3 4 5 6 7 8] <nil>
	// [1 2 3 1 2 1 2 1] <nil>
	// [1 2 3 4 5 1 1 1] <nil>
}

func ExampleSimGPU_LastReport() {
	gpu := exec.NewSimGPU(exec.Device{})
	defer gpu.Close()
	var sum float64
	var count int
	err := exec.ParallelReduce2(policy.Range(0, 100_000).On(gpu), func(i int, a *float64, b *int) {
		*a += 1 / float64(i+1)
		*b++
	}, builtin.Sum(&sum), builtin.Sum(&count))
	report, ok := gpu.LastReport()
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
	d := exec.H200()
	d.Group, d.Grid = exec.GroupShared, exec.GridSecondKernel
	gpu := exec.NewSimGPU(d)
	defer gpu.Close()
	var sum float64
	p := policy.Range(0, 1<<16).WithLabel("sum").On(gpu)
	err := exec.ParallelReduce(p, func(i int, acc *float64) { *acc += 1 / float64(i+1) }, builtin.Sum(&sum))
	report, _ := gpu.LastReport()
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

func ExampleSimGPU_Device() {
	gpu := exec.NewSimGPU(exec.Device{SubGroup: 16})
	defer gpu.Close()
	d := gpu.Device() // with its defaults
	fmt.Println(d.SubGroup, d.Block, d.MaxBlock, d.MaxWarps)
	// Output: 16 256 1024 128
}

func ExampleSimGPU_Close() {
	gpu := exec.NewSimGPU(exec.Device{})
	fmt.Println(gpu.Close())
	fmt.Println(exec.ParallelFor(policy.Range(0, 10).On(gpu), func(int) {}))
	// Output:
	// <nil>
	// exec: the space is closed
}

func ExampleTeamSizeMax() {
	gpu := exec.NewSimGPU(exec.H200())
	defer gpu.Close()
	p := policy.Team(1000, team.Auto).Vector(4).Scratch(0, 4096, 1024)
	fmt.Println(exec.TeamSizeMax(p.On(gpu)))
	fmt.Println(exec.TeamSizeMax(p.On(exec.Serial{})))
	// Output:
	// 223 <nil>
	// 65536 <nil>
}

func ExampleTeamSizeRecommended() {
	gpu := exec.NewSimGPU(exec.H200())
	defer gpu.Close()
	p := policy.Team(1000, team.Auto)
	fmt.Println(exec.TeamSizeRecommended(p.On(gpu)))
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

func ExampleErrDivergence() {
	err := exec.ParallelFor(policy.Team(10, 8).On(exec.Serial{}), func(m *team.Member) {
		if m.Rank() > 0 {
			m.Barrier()
		}
	})
	fmt.Println(errors.Is(err, exec.ErrDivergence))
	// Output: true
}
