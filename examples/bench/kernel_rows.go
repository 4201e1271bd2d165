package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel/kmath"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// softmaxKernel makes each row of a matrix positive numbers with the sum 1.
var softmaxKernel = kernel{
	name: "softmax", bytes: 16, sizes: []int{square}, shape: squareShape, writes: "z",
	make: transform{
		gokkos: loops{
			"gokkos-team": func(s setup) func() error { // a team for each row
				m, x, z := edge(s.n), s.x, s.z
				p := policy.Team(m, 1).Vector(8).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(t *team.Member) {
						row, columns := t.LeagueRank()*m, team.VectorRange(t, m)
						var high, sum float64
						team.Reduce(columns, func(j int, acc *float64) {
							*acc = max(*acc, x[row+j])
						}, builtin.Max(&high))
						team.Reduce(columns, func(j int, acc *float64) {
							e := kmath.Exp(x[row+j] - high)
							z[row+j] = e
							*acc += e
						}, builtin.Sum(&sum))
						team.For(columns, func(j int) { z[row+j] /= sum })
					})
				}
			},
		},
		over: rows,
		loop: func(s setup, begin, end int) {
			m := edge(s.n)
			for i := begin; i < end; i++ {
				softmax(s.z[i*m:(i+1)*m], s.x[i*m:(i+1)*m])
			}
		},
	}.implementations(),
}

func softmax(z, x []float64) {
	z = z[:len(x)]
	high, sum := x[0], 0.
	for _, v := range x {
		high = max(high, v)
	}
	for j, v := range x {
		z[j] = kmath.Exp(v - high)
		sum += z[j]
	}
	for j := range z {
		z[j] /= sum
	}
}

// yaxKernel is y*A*x by three levels: teams take rows, members the rows of a team, and vector lanes the columns.
var yaxKernel = kernel{
	name: "yax", bytes: 8, sizes: []int{square}, shape: squareShape,
	make: reduction[float64]{
		gokkos: launches[float64]{
			"gokkos-team": func(s setup, result *float64) func() error {
				m, a, y := edge(s.n), s.x, s.y
				p := policy.Team((m+yaxRows-1)/yaxRows, 4).Vector(8).On(s.space)
				return func() error {
					return exec.ParallelReduce(p, func(t *team.Member, acc *float64) {
						first := t.LeagueRank() * yaxRows
						var sum float64
						team.Reduce(team.ThreadRange(t, min(yaxRows, m-first)), func(r int, acc *float64) {
							var inner float64
							row := (first + r) * m
							team.Reduce(team.VectorRange(t, m), func(j int, acc *float64) {
								*acc += float64(a[row+j] * y[j])
							}, builtin.Sum(&inner))
							*acc += float64(y[first+r] * inner)
						}, builtin.Sum(&sum))
						team.Single(t, func() { *acc += sum })
					}, builtin.Sum(result))
				}
			},
		},
		over: rows,
		loop: func(s setup, begin, end int) (sum float64) {
			m := edge(s.n)
			for i := begin; i < end; i++ {
				sum += s.y[i] * dot(s.x[i*m:(i+1)*m], s.y[:m])
			}
			return sum
		},
		join:  add,
		value: itself,
	}.implementations(),
}

// yaxRows is how many rows a team takes.
const yaxRows = 16
