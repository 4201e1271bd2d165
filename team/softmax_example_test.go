package team_test

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// softmax sets every row of y to exp(x) / Σ exp(x), a team to a row, and returns the
// loss -Σ log y[row, label[row]]. Columns are a multiple of the tile.
func softmax(space exec.Space, members int, y, x []float64, label []int) (loss float64, err error) {
	const tile = 8
	columns := len(x) / len(label)
	p := policy.Team(len(label), members).Vector(tile).Scratch(0, columns*8, 0).WithLabel("softmax").On(space)
	err = exec.ParallelReduce(p, func(m *team.Member, acc *float64) {
		row := m.LeagueRank() * columns
		e := team.Scratch[float64](m, 0, columns) // one for the team
		tiles := team.ThreadRange(m, columns/tile)

		high := math.Inf(-1) // of the member's tiles
		team.For(tiles, func(t int) {
			var top float64
			team.Reduce(team.VectorRange(m, tile), func(j int, acc *float64) {
				*acc = max(*acc, x[row+t*tile+j])
			}, builtin.Max(&top))
			high = max(high, top)
		})
		high = team.AllReduce(m, high, builtin.Max) // of the row

		sum := 0.0
		team.For(tiles, func(t int) {
			var part float64
			team.Reduce(team.VectorRange(m, tile), func(j int, acc *float64) {
				k := t*tile + j
				e[k] = math.Exp(x[row+k] - high)
				*acc += e[k]
			}, builtin.Sum(&part))
			sum += part
		})
		sum = team.AllReduce(m, sum, builtin.Sum) // and e is complete

		team.For(team.TeamVectorRange(m, columns), func(k int) { y[row+k] = e[k] / sum })
		team.Single(m, func() { *acc -= math.Log(e[label[m.LeagueRank()]] / sum) })
	}, builtin.Sum(&loss))
	return loss, err
}

// A kernel with all levels of a team, on every space.
func Example() {
	const rows, columns = 100, 48
	x, y, label := make([]float64, rows*columns), make([]float64, rows*columns), make([]int, rows)
	for k := range x {
		x[k] = 4 * math.Sin(float64(k))
	}
	for row := range label {
		label[row] = row % columns
	}
	cpu, sim := exec.NewGoroutines(2), exec.NewSimGPU(gpu.H200())
	defer func() { _, _ = cpu.Close(), sim.Close() }()
	bits := map[uint64]int{}
	for _, space := range []exec.Space{exec.Serial{}, cpu, sim, sim.WithSchedule(7)} {
		loss, err := softmax(space, 4, y, x, label)
		bits[math.Float64bits(loss)]++
		fmt.Printf("%-10s %.6f %v\n", space.Name(), loss, err)
	}
	fmt.Println("different bits:", len(bits))
	report, _ := sim.LastReport()
	fmt.Print(report)
	// Output:
	// serial     631.899849 <nil>
	// goroutines 631.899849 <nil>
	// simgpu     631.899849 <nil>
	// simgpu     631.899849 <nil>
	// different bits: 1
	// launch of "softmax" on H200, schedule 0
	//   kernel "team": 100 blocks of 32 threads, 384 bytes of shared memory
	//   builtin.sum[float64]: block by shuffle, grid by last block
	//   100 warps of 32 lanes, 0 barriers, 0 warp barriers, 1200 shuffles, 100 atomics, 200 collectives
	//   scratch per team: 384 bytes of level 0, 0 bytes of level 1
	//   occupancy 50 %: 32 blocks and 32 warps per SM, limited by blocks
}
