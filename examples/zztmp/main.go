package main

import (
	"fmt"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

func main() {
	const n, tile = 256, 16
	a, b, c := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for k := range a {
		a[k], b[k] = float64(k%13)/7, float64(k%7)/3
	}
	start := time.Now()
	p := policy.Team(n/tile*n/tile, tile*tile).Dims(tile, tile, 1).Scratch(0, 2*tile*tile*8, 0).On(exec.Serial{})
	if err := exec.ParallelFor(p, func(m *team.Member) {
		as := team.Scratch[float64](m, 0, tile*tile)
		bs := team.Scratch[float64](m, 0, tile*tile)
		x, y, _ := m.LocalID()
		row, column := m.LeagueRank()/(n/tile)*tile+y, m.LeagueRank()%(n/tile)*tile+x
		sum := 0.0
		for k := 0; k < n; k += tile {
			as[y*tile+x] = a[row*n+k+x]
			bs[y*tile+x] = b[(k+y)*n+column]
			m.Barrier()
			for l := range tile {
				sum += float64(as[y*tile+l] * bs[l*tile+x])
			}
			m.Barrier()
		}
		c[row*n+column] = sum
	}); err != nil {
		panic(err)
	}
	fmt.Println("ns", float64(time.Since(start).Nanoseconds())/n/n/n)
	var total float64
	_ = exec.ParallelReduce(policy.Team(n, 4).Vector(8).On(exec.Serial{}), func(m *team.Member, acc *float64) {
		i := m.LeagueRank()
		var s float64
		team.Reduce(team.TeamVectorRange(m, n), func(j int, acc *float64) { *acc += c[i*n+j] * a[j] }, builtin.Sum(&s))
		if m.Rank() == 0 {
			*acc += s
		}
	}, builtin.Sum(&total))
	fmt.Println(total)
}
