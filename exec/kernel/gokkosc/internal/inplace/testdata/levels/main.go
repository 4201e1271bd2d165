// Program levels has a functor for each way to load and store. Comments say for which targets an estimate chooses a loop.
package main

import (
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

const (
	n   = 1000
	row = 32
)

func each(f func(i int)) { exec.Must(exec.ParallelFor(policy.Range(1, n/8), f)) }

func main() {
	x, y, u, z, w := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	at := make([]int32, n)
	last := n - 1

	// One behind the other.
	each(func(i int) { z[i] = x[i] + .5*y[i] }) // go avx2 avx512

	// From anywhere: little is computed of an element, or much.
	each(func(i int) { z[i] = x[at[i]] })                                             // go
	each(func(i int) { z[i] = x[at[i]]*y[at[i]] + u[at[i]] })                         // go
	each(func(i int) { w[at[i]] += x[i] })                                            // go
	each(func(i int) { z[i] = math.Sqrt(x[i]*x[i]+1) / (x[i] + 2) / (y[at[i]] + 3) }) // go avx2 avx512
	each(func(j int) {                                                                // go
		i := int(at[j])
		z[i] = .125 * (x[i] + x[i+1] + x[i+row] + x[i+row+1] + x[i+2*row] + x[i+2*row+1])
	})
	var sum float64
	exec.Must(exec.ParallelReduce(policy.Range(0, n), func(i int, acc *float64) { *acc += x[at[i]] * x[i] }, builtin.Sum(&sum))) // go

	// Bytes behind a condition.
	b := make([]bool, n)
	var all bool
	exec.Must(exec.ParallelReduce(policy.Range(0, n), func(i int, acc *bool) { *acc = *acc && b[i] }, builtin.LAnd(&all)))              // go avx2 avx512
	exec.Must(exec.ParallelReduce(policy.Range(0, n), func(i int, acc *bool) { *acc = *acc && (i < 3 || b[i-3]) }, builtin.LAnd(&all))) // go

	// Backwards.
	each(func(i int) { z[i] = x[last-i]*2 + 1 })    // go avx2 avx512
	each(func(i int) { z[last-i] = x[last-i] + 1 }) // go
	each(func(i int) {                              // go
		k := last - i
		z[k] = x[k] + u[k]*y[k]
		u[k] = z[k] - u[k]
	})

	// Equally far apart.
	each(func(i int) { z[i] = x[2*i]*x[2*i] + x[2*i+1]*x[2*i+1] }) // go avx2
	each(func(i int) {                                             // go
		for k := range 3 {
			w[3*i+k] = x[3*i+k]*.5 + z[i]
		}
	})

	// A short loop of each item, and one that each item leaves when it likes.
	each(func(i int) { // go avx2 avx512
		s := 0.
		for k := range 4 {
			s += x[4*i+k] * y[k]
		}
		z[i] = s
	})
	each(func(i int) { // go
		s := 0.
		for k := at[i]; k < at[i+1]; k++ {
			s += x[k] * y[at[k]]
		}
		z[i] = s
	})
	teams(n, x, y, z, at)
}

// teams are loops of teams, of which inner loops may be vectors.
func teams(n int, x, y, z []float64, at []int32) {
	league := func(f func(m *team.Member)) {
		exec.Must(exec.ParallelFor(policy.Team(4, 4).Dims(2, 2, 1).Vector(8), f))
	}
	rows := n / 4
	league(func(m *team.Member) { // go avx2 avx512
		team.For(team.TeamVectorRange(m, rows), func(j int) { z[m.LeagueRank()*rows+j] = x[m.LeagueRank()*rows+j] + y[j] })
	})
	league(func(m *team.Member) { // go avx2 avx512
		var s float64
		team.Reduce(team.TeamVectorRange(m, rows), func(j int, acc *float64) { *acc += x[j] * y[j] }, builtin.Sum(&s))
		team.Single(m, func() { z[m.LeagueRank()] = s })
	})
	league(func(m *team.Member) { // go avx512
		var s float64
		team.Reduce(team.VectorRange(m, rows), func(j int, acc *float64) { *acc += x[at[m.Rank()*rows+j]] * y[j] }, builtin.Sum(&s))
		z[m.LeagueRank()*m.Size()+m.Rank()] = s
	})
	league(func(m *team.Member) { // go avx2 avx512
		a, b, _ := m.LocalID()
		s := 0.0
		for k := range rows {
			s += x[b*rows+k] * y[k*2+a]
		}
		z[m.LeagueRank()*m.Size()+m.Rank()] = s
	})
	league(func(m *team.Member) { // go
		s := 0.0
		for j := range team.ThreadRange(m, rows).All() {
			s += x[j] * y[j]
		}
		z[m.LeagueRank()*m.Size()+m.Rank()] = s
	})
	league(func(m *team.Member) { // go
		for j := range team.ThreadRange(m, rows).All() {
			z[j+1] = z[j] + x[j]
		}
	})
}
