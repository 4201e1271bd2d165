package wrong

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

// Two statements, or two sides of one, write a place in different items.
func pairs(x, y, z, w, u []float64, perm []int, m map[int]int, v views.View1[float64], n int) error {
	first, total := 0, 0.0
	exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) {
		x[i], x[n-1-i] = x[n-1-i], x[i] // want `a functor writes x, which items share: use a reducer or package atomics \(item 4 here and item 5 in this line both do\)`
		y[i] = 1
		y[i+1] = 2 // want `a functor writes y, which items share: .* \(item 0 here and item 1 in line 15 both do\)`
		z[2*i] = 1
		z[2*i+1] = 2
		z[3*i] = 3 // want `a functor writes z, which items share`
		w[perm[i]] = 1
		w[perm[i+1]] = 2 // want `a functor writes w, which items share`
		u[i] = 1
		row := u[i:]
		row[2] = 1 // want `a functor writes u, which items share`
		v.Set(i, 1)
		v.Set(n-1-i, 2) // want `a functor writes v, which items share`
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, n), func(i int) {
		if i == 0 {
			first, m[0] = 1, 2
		}
		if i == n-1 {
			first = 2 // want `a functor writes first, which items share`
			m[1] = 2  // want `a functor writes to the map m, which items share`
		}
		put(x, i, 1)
		put(x, (i+1)%n, 2) // want `a functor writes x, which items share`
		copy(y[2*i:2*i+2], x)
		y[4*i] = 1 // want `a functor writes y, which items share`
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, len(x)), func(i int) {
		x[i] = 1
		x[len(x)-1-i]++ // want `a functor writes x, which items share`
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, v.Extent(0)), func(i int) {
		*v.Ptr(i) = 1
		*v.Ptr(v.Extent(0) - 1 - i) = 2 // want `a functor writes v, which items share`
	}))
	_, _ = first, total
	return exec.ParallelFor(policy.Range(0, 8), func(i int) {
		for k := range 4 {
			x[4*i+k] = 1
		}
		x[28-4*i] = 2 // want `a functor writes x, which items share`
	})
}

func put(x []float64, k int, v float64) { x[k] = v }

// Both halves of a matrix are of all items.
func pairsOfBoxes(a []float64, u views.View2[float64], n int) error {
	return exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{n, n}), func(t policy.Index2) {
		a[t.I*n+t.J] = 1
		a[t.J*n+t.I] = 1 // want `a functor writes a, which items share`
		u.Set(t.I, t.J, 1)
		u.Set(t.J, t.I, 2) // want `a functor writes u, which items share`
	})
}

// Teams, and the lanes of a member.
func pairsOfTeams(x, y []float64) error {
	exec.Must(exec.ParallelFor(policy.Team(1, 4), func(m *team.Member) {
		x[m.Rank()] = 1
		x[m.Size()-1-m.Rank()] = 2 // want `a functor writes x, which items share: .* \(member 1 of team 0 here and member 2 of team 0 in line \d+ both do\)`
		m.Barrier()
		team.For(team.ThreadRange(m, 9), func(k int) {
			y[k] = 1
			y[8-k] = 2 // want `a functor writes y, which items share`
		})
	}))
	return exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		x[m.LeagueRank()] = 1 // want `a functor writes x, which items share`
		x[20+m.LeagueRank()*4+m.Rank()] = 1
		x[20+m.LeagueRank()*5+m.Rank()] = 1 // want `a functor writes x, which items share`
		var row [8]float64
		team.For(team.VectorRange(m, 8), func(k int) {
			row[k] = 1
			row[7-k] = 2 // want `a functor of vector lanes writes row, which the lanes share`
		})
	})
}
