package correct

import (
	"sync/atomic"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
	"github.com/gokkos/gokkos/views"
)

type pair struct{ i, j int }

func isThree(i int) bool { return i*i == 9 }

// One item fulfils these conditions, however they are written.
func conditions(n int) error {
	var s [11]int // each condition has its own
	predicates := []func(int) bool{isThree}
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{n, n}), func(t policy.Index2) {
		if t.I == t.J && t.J == 4 {
			s[0]++
		}
		if t.I|t.J == 0 {
			s[1]++
		}
		if t.I*t.I+t.J*t.J == 0 {
			s[2]++
		}
		if t.I*n+t.J == n*n-1 {
			s[3]++
		}
	}))
	return exec.ParallelFor(policy.Range(0, n), func(i int) {
		if i >= 3 && i <= 3 {
			s[4]++
		}
		if i*i == 4 {
			s[5]++
		}
		if i > 2 && !(i > 3) {
			s[6]++
		}
		c := &pair{i % 4, i / 4}
		if c.i == 1 && c.j == 1 {
			s[7]++
		}
		idx := [2]int{i, i / 2}
		if idx[0] == 1 {
			s[8]++
		}
		if predicates[0](i) {
			s[9]++
		}
		e := false
		for k := range n {
			e = e || k == i && i == 5
		}
		if e {
			s[10]++
		}
	})
}

// Each item has places of its own.
func places(y, w, x []float64, perm, start []int, nx, ny int, v views.View2[float64]) error {
	exec.Must(exec.ParallelFor(policy.Range(0, nx*ny), func(i int) {
		ix := i % nx
		iy := (i - ix) / nx
		y[iy*nx+ix] = 1
		v.Set(iy, ix, 3)
	}))
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{ny, nx}), func(t policy.Index2) {
		y[t.I*nx+t.J] = 1
		v.Set(t.J, t.I, 2)
	}))
	exec.Must(exec.ParallelFor(policy.Spans(0, len(y)), func(s policy.Span) {
		for i := s.Begin; i < s.End; i++ {
			y[i] = 1
		}
		for i := range s.All() {
			y[i]++
		}
	}))
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{ny, nx}).Tiles([2]int{4, 4}), func(t policy.Tile[policy.Index2]) {
		for i := t.Lower.I; i < t.Upper.I; i++ {
			for j := t.Lower.J; j < t.Upper.J; j++ {
				y[i*nx+j] = 1
			}
		}
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, ny), func(i int) {
		y[2*i] = 1
		y[2*i+1] = 2
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, ny), func(i int) { y[len(y)-1-i] = 3 }))
	exec.Must(exec.ParallelFor(policy.Range(0, ny), func(i int) { y[i^1] = 4 }))
	exec.Must(exec.ParallelFor(policy.Range(0, ny), func(i int) {
		for k := range w {
			y[i*len(w)+k] = 0
		}
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, ny), func(i int) {
		for k := range nx {
			y[i+k*ny] = 0
		}
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, ny), func(i int) {
		for k := start[i]; k < start[i+1]; k++ {
			y[k] = 1
		}
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, ny), func(i int) {
		row := y[i*nx : (i+1)*nx]
		for k := range row {
			row[k] = 1
		}
		copy(row, x)
	}))
	exec.Must(exec.ParallelFor(policy.Range(0, ny), func(i int) { y[perm[i]] = 1 }))
	return exec.ParallelFor(policy.Range(0, ny), func(i int) {
		at := 0
		if i%2 == 1 {
			at = i
		} else {
			at = i
		}
		y[at] = 1
	})
}

func each(n int, f func(i int)) error { return exec.ParallelFor(policy.Range(0, n), f) }

// A function of the package launches what it is given.
func wrapped(y []float64) error {
	s := 0
	return each(len(y), func(i int) {
		y[i] = 1
		if i == 0 {
			s++
		}
	})
}

// Members and lanes have places of their own, and barriers part what they write.
func members(y, z []float64) error {
	s := 0
	return exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		y[m.LeagueRank()*m.Size()+m.Rank()] = 1
		team.For(team.ThreadRange(m, 10), func(k int) {
			team.For(team.VectorRange(m, 8), func(j int) {
				z[m.LeagueRank()*80+k*8+j] = 1
			})
		})
		for step := range m.Size() {
			if m.LeagueRank() == 0 && m.Rank() == step {
				s++
			}
			m.Barrier()
		}
	})
}

// The last team goes on, and all of its members know.
func last(y []float64, done *atomic.Int32) error {
	return exec.ParallelFor(policy.Team(8, 4), func(m *team.Member) {
		y[m.LeagueRank()*4+m.Rank()] = 1
		last := m.Rank() == 0 && done.Add(1) == 8
		if group.Any(m, last) {
			for l := range 8 {
				y[l*4+m.Rank()]++
			}
		}
	})
}
