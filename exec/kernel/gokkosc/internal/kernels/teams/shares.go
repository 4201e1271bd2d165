package teams

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/team"
)

// packed stores the columns of the numbers of a row that are above a limit, one after the other, and their number.
//
//gokkos:kernel
func packed(columns int, limit float64, a []float64, to, counts []int) func(m *team.Member) {
	return func(m *team.Member) {
		first, count := m.LeagueRank()*columns, 0
		team.Scan(team.ThreadRange(m, columns), func(j int, acc *int, final bool) {
			if a[first+j] > limit {
				if final {
					to[first+*acc] = j
				}
				*acc++
			}
		}, builtin.Sum(&count))
		team.Single(m, func() { counts[m.LeagueRank()] = count })
	}
}

// prefixes stores the sums of the numbers in front of each of a row, by a scan of items and by one of members.
//
//gokkos:kernel
func prefixes(columns int, a, items, members []float64) func(m *team.Member) {
	return func(m *team.Member) {
		first, own := m.LeagueRank()*columns, m.LeagueRank()*m.Size()+m.Rank()
		var total float64
		team.Scan(team.TeamVectorRange(m, columns), func(j int, acc *float64, final bool) {
			if final {
				items[first+j] = *acc
			}
			*acc += a[first+j]
		}, builtin.Sum(&total))
		members[own] = team.ExclusiveScan(m, total+float64(m.Rank()), builtin.Sum)
	}
}

// owned sums a row by loops of the members' own, by shares and by lanes, and passes the sum on from a member.
//
//gokkos:kernel
func owned(columns int, a, y []float64) func(m *team.Member) {
	return func(m *team.Member) {
		row := a[m.LeagueRank()*columns : (m.LeagueRank()+1)*columns]
		var threads, both, lanes float64
		team.Reduce(team.Shares(team.ThreadRange(m, columns)), func(r team.Range[int], acc *float64) {
			t := *acc
			for j := range r.All() {
				if t += row[j]; t > 9 {
					break
				}
			}
			*acc = t
		}, builtin.Sum(&threads))
		team.Reduce(team.Shares(team.TeamVectorRange(m, columns)), func(r team.Range[int], acc *float64) {
			for j := range r.All() {
				if row[j] < -2 {
					continue
				}
				*acc += row[j]
			}
		}, builtin.Sum(&both))
		team.ReduceLanes(team.TeamVectorRange(m, columns), func(l team.Lanes[float64]) {
			scale := 1 / float64(1+m.LeagueRank())
			for j, acc := range l.Items() {
				*acc += float64(scale * row[j])
			}
		}, builtin.Sum(&lanes))
		lanes = team.BroadcastFunc(m, func(x *float64) { *x += threads }, lanes, m.Size()-1)
		y[m.LeagueRank()*m.Size()+m.Rank()] = both + lanes
	}
}

// A place is an element of scratch memory.
type place struct {
	at   [3]float64
	cell int32
}

// turned moves points of a block through scratch memory, which the members have in the other order.
//
//gokkos:kernel
func turned(x, y []float64, cells []int32) func(m *team.Member) {
	return func(m *team.Member) {
		s := team.Scratch[place](m, 1, m.Size())
		pairs := team.MemberScratch[[2]float64](m, 1, 1)
		own := m.LeagueRank()*m.Size() + m.Rank()
		s[m.Rank()] = place{[3]float64{x[own], float64(2 * x[own]), float64(own)}, int32(own)}
		pairs[0][1] = x[own]
		m.Barrier()
		p := s[m.Size()-1-m.Rank()]
		y[own] = p.at[0] - p.at[m.Rank()%3] + pairs[0][1] + pairs[0][0]
		cells[own] = p.cell
	}
}

// until stores numbers of a row up to one that is negative, member by member.
//
//gokkos:kernel
func until(columns int, a, y []float64) func(m *team.Member) {
	return func(m *team.Member) {
		first := m.LeagueRank() * columns
		for j := range team.ThreadRange(m, columns).All() {
			if a[first+j] < 0 {
				break
			}
			y[first+j] = a[first+j]
		}
	}
}
