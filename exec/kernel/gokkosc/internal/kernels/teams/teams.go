// Package teams has kernels of teams, whose loops are compared with their closures.
package teams

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views/atomics"
)

// rowSums stores the sums of the rows of a matrix, a team to a block of rows and a member to every T-th of them.
//
//gokkos:kernel
func rowSums(columns, rows int, a, y []float64) func(m *team.Member) {
	return func(m *team.Member) {
		first := m.LeagueRank() * rows
		team.For(team.ThreadRange(m, rows), func(r int) {
			s := 0.0
			for _, x := range a[(first+r)*columns : (first+r+1)*columns] {
				s += x
			}
			y[first+r] = s
		})
	}
}

// rowEnds does nothing in members behind the last row, and adds up the rest of a row by its own loop.
//
//gokkos:kernel
func rowEnds(columns int, a, y []float64) func(m *team.Member) {
	return func(m *team.Member) {
		row := m.LeagueRank()*m.Size() + m.Rank()
		if row >= len(y) {
			return
		}
		s := float64(m.LeagueSize())
		for j := range team.VectorRange(m, columns).All() {
			s += a[row*columns+j]
		}
		y[row] = s
	}
}

// spread stores what member and vector lane an item goes to.
//
//gokkos:kernel
func spread(n int, y []int) func(m *team.Member) {
	return func(m *team.Member) {
		first := m.LeagueRank() * n
		for j := range team.TeamVectorRange(m, n).All() {
			y[first+j] = m.Rank()*100 + j
		}
		team.Single(m, func() { y[first] += 7 })
	}
}

// ownSums stores sums of what each member takes of a range.
//
//gokkos:kernel
func ownSums(n int, x, y, z []float64) func(m *team.Member) {
	return func(m *team.Member) {
		s, t := 0.0, 1.0
		for j := range team.ThreadRange(m, n).All() {
			s += x[j]
		}
		for j := range team.TeamVectorRange(m, n).All() {
			if j%3 == 1 {
				continue
			}
			t += float64(x[j] * 0.5)
		}
		at := m.LeagueRank()*m.Size() + m.Rank()
		y[at], z[at] = s, t
	}
}

// gather stores the products of rows of a sparse matrix with a vector, a team to a block of rows.
//
//gokkos:kernel
func gather(rows int, from, column []int, a, x, y []float64) func(m *team.Member) {
	return func(m *team.Member) {
		first := m.LeagueRank() * rows
		team.For(team.ThreadRange(m, rows), func(r int) {
			row := first + r
			if row >= len(y) {
				return
			}
			begin, end := from[row], from[row+1]
			sum := 0.0
			team.Reduce(team.VectorRange(m, end-begin), func(j int, acc *float64) {
				*acc += float64(a[begin+j] * x[column[begin+j]])
			}, builtin.Sum(&sum))
			y[row] = sum
		})
	}
}

// alone stores and loads one element in turn, which only teams of one member may do without a barrier.
//
//gokkos:kernel
func alone(y []float64) func(m *team.Member) {
	return func(m *team.Member) {
		at := m.LeagueRank() * 2
		y[at+m.Rank()] += 3
		v := y[at]
		y[at+m.Rank()+1] = v
		y[at] = float64(v*0.5) - y[at+1]
	}
}

// moved stores what it loads, and overwrites what it loads next if x and y overlap. Teams of one see that.
//
//gokkos:kernel
func moved(n int, x, y []float64) func(m *team.Member) {
	return func(m *team.Member) {
		first := m.LeagueRank() * n
		team.For(team.ThreadRange(m, n), func(j int) { y[first+j] = float64(x[first+j] * 0.5) })
	}
}

// weighed stores what it adds up, and overwrites what it loads next if x and y overlap.
//
//gokkos:kernel
func weighed(n int, x, y, sums []float64) func(m *team.Member) {
	return func(m *team.Member) {
		row := m.LeagueRank()*m.Size() + m.Rank()
		var sum float64
		team.Reduce(team.VectorRange(m, n), func(j int, acc *float64) {
			w := float64(x[row*n+j] * 0.5)
			y[row*n+j] = w
			*acc += w
		}, builtin.Sum(&sums[row]))
		sum += sums[row]
		team.For(team.VectorRange(m, n), func(j int) { y[row*n+j] /= sum })
	}
}

// zeros adds up numbers that are -0, where a lane without an item is no part of the sum. By atomic operations on scratch memory
// it adds up others, in the order of the members.
//
//gokkos:kernel
func zeros(n int, x []float64, index []int, sums, ordered []float64) func(m *team.Member) {
	return func(m *team.Member) {
		own := team.Scratch[float64](m, 0, 2)
		row := m.LeagueRank()*m.Size() + m.Rank()
		team.Reduce(team.VectorRange(m, n), func(j int, acc *float64) { *acc = x[j%len(x)] }, builtin.Sum(&sums[row]))
		team.For(team.ThreadRange(m, n), func(j int) { atomics.Add(&own[index[j%len(index)]], float64(1/(float64(j)-2.5))) })
		m.Barrier()
		if m.Rank() == 0 {
			ordered[m.LeagueRank()] = own[0] - own[1]
		}
	}
}

// binned counts numbers in scratch memory, and adds the counts to y. An index from memory may be out of range behind an atomic
// operation.
//
//gokkos:kernel
func binned(n, bins int, x, y []int, top []float64) func(m *team.Member) {
	return func(m *team.Member) {
		counts, high := team.Scratch[int](m, 0, bins), team.Scratch[float64](m, 0, 2)
		first := m.LeagueRank() * n
		team.For(team.TeamVectorRange(m, n), func(i int) {
			atomics.Add(&counts[x[first+i]], 1)
			atomics.Max(&high[0], float64(x[first+i]))
			atomics.CompareExchange(&high[1], 0, 7)
		})
		atomics.Add(&counts[bins-1], 1) // of each member
		m.Barrier()
		team.For(team.ThreadRange(m, bins), func(b int) {
			if counts[b] > 0 {
				atomics.Add(&y[b], atomics.Exchange(&counts[b], 0))
			}
		})
		if m.Rank() == 0 {
			greatest := atomics.Load(&high[0])
			top[m.LeagueRank()] = greatest + high[1]
		}
	}
}
