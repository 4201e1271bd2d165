package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
)

// addByTeam is a function that takes the member.
func addByTeam(m *team.Member, x []float64, v float64) {
	team.For(team.ThreadRange(m, 10), func(j int) { x[m.LeagueRank()*10+j] += v })
}

// Functors of teams, which capture as others do.
func teams(x []float64) {
	clear, k := 3.0, 2.0                                                                                     // names of Go, and of generated files
	exec.Must(exec.ParallelFor(policy.Team(2, 3).Scratch(0, 64, 0).On(exec.Serial{}), func(m *team.Member) { // loops
		s := team.Scratch[float64](m, 0, 3)
		s[m.Rank()] += x[m.LeagueRank()*3+m.Rank()]
		m.Barrier()
		x[m.LeagueRank()*3+m.Rank()] = s[2-m.Rank()] + k + clear
	}))
	total, weight := 0.0, 2.0
	p := policy.Team(n/10, 4).Vector(8).Scratch(0, 80, 0).On(exec.Serial{})
	exec.Must(exec.ParallelFor(p, func(m *team.Member) { // loops
		s := team.Scratch[float64](m, 0, 10)
		team.For(team.ThreadRange(m, 10), func(j int) { s[j] = weight * float64(j+m.LeagueRank()) })
		m.Barrier()
		if group.Any(m, m.Rank() == m.LeagueRank()) && !group.All(m, m.Rank() < 3) && !group.Any(m, m.Rank() > 9) {
			addByTeam(m, x, s[9])
		}
		for j := range team.TeamVectorRange(m, 10).All() {
			x[m.LeagueRank()*10+j] += s[9-j] * weight
		}
	}))
	weight = 3
	exec.Must(exec.ParallelReduce(p, func(m *team.Member, acc *float64) { // loops
		part := 0.0
		team.Reduce(team.TeamVectorRange(m, 10), func(j int, acc *float64) { *acc += x[m.LeagueRank()*10+j] * weight }, builtin.Sum(&part))
		team.Single(m, func() { *acc += part })
	}, builtin.Sum(&total)))
	x[0] = total
	exec.Must(exec.ParallelFor(p, func(m *team.Member) { // loops
		if m.Rank() == 0 {
			for j := -5; j < m.Size(); j++ {
				x[m.LeagueRank()*10+j+5] *= weight
			}
		}
	}))
	exec.Must(exec.ParallelFor(p, func(m *team.Member) { // closure: the members of a team meet here
		if m.Rank() == m.Size() {
			m.Barrier()
		}
		x[m.Rank()]++
	}))
}
