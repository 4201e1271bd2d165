package correct

import (
	"sync"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

// Two statements write places apart, or would only with other sizes than those that there are.
func pairs(x, y []float64, offset, half, n, m int, start []int, v views.View1[float64]) error {
	exec.Must(exec.ParallelFor(policy.Range(0, n/2), func(i int) {
		x[i], x[n-1-i] = x[n-1-i], x[i]
		y[2*i], y[2*i+1] = 1, 2
	}))
	exec.Must(exec.ParallelFor(policy.Range(1, (n+1)/2), func(i int) { x[i], x[n-i] = x[n-i], x[i] }))
	exec.Must(exec.ParallelFor(policy.Range(0, half), func(i int) {
		x[i], x[n-1-i] = x[n-1-i], x[i]
		y[i], y[i+offset] = 1, 2
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, v.Extent(0)), func(i int) {
		v.Set(i, 1)
		v.Set(i+n, 2)
		v.Set(m-i, 2)
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, m), func(i int) {
		x[i*(n+2)] = 0
		x[i*(n+2)+n+1] = 0
		y[start[i]] = 1
		y[start[i+1]-1] = 1
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) {
		if i < n/2 {
			x[i] = 1
			x[n-1-i] = 2
		}
		if i%2 == 0 {
			y[i] = 1
			y[i+1] = 1
		}
	}))
	var mu sync.Mutex
	return exec.ParallelFor(policy.Range(0, n).On(exec.NewGoroutines(2)), func(i int) {
		mu.Lock()
		defer mu.Unlock()
		x[i]++
		x[n-1-i]++
	})
}

// Data that nobody knows decide which of two items writes.
func pairsByData(x []float64, red []bool, next []int) error {
	exec.Must(exec.ParallelFor(policy.Range(0, len(red)), func(i int) {
		if red[i] {
			x[i] = 1
		}
		if !red[i+1] {
			x[i+1] = 2
		}
	}))
	return exec.ParallelFor(policy.Range(0, len(red)), func(i int) {
		if next[i] < 0 {
			return
		}
		x[i] = 1
		x[len(red)-1-i] = 1
	})
}

// One half of a matrix has both halves to write.
func pairsOfBoxes(a []float64, n int) error {
	return exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{n, n}), func(t policy.Index2) {
		if t.J < t.I {
			a[t.I*n+t.J] = 1
			a[t.J*n+t.I] = 1
		}
	})
}

// Launches are one after the other, and so are the phases of a team.
func pairsInTurn(x []float64, n int) error {
	exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) { x[i] = 1 }))
	exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) { x[n-1-i] = 1 }))
	put := func(k int) { x[k] = 1 }
	exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) { put(i) }))
	exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) { put(n - 1 - i) }))
	return exec.ParallelFor(policy.Team(n, 4), func(m *team.Member) {
		x[4*m.LeagueRank()+m.Rank()] = 1
		m.Barrier()
		x[4*m.LeagueRank()+3-m.Rank()] = 2
		sum := 0.0
		team.Reduce(team.ThreadRange(m, n), func(k int, acc *float64) { *acc++ }, builtin.Sum(&sum))
		x[4*m.LeagueRank()+(m.Rank()+1)%4] = sum
		team.Reduce(team.TeamVectorRange(m, n), func(k int, acc *float64) { *acc++ }, builtin.Sum(&sum))
		team.Single(m, func() { x[4*m.LeagueRank()+2] = 3 })
		x[4*m.LeagueRank()+m.Rank()] = 4
	})
}
