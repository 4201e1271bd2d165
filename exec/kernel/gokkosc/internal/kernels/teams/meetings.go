package teams

import (
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/team"
)

// tiled is a product of square matrices, tile by tile, each staged in the scratch memory of a team: a member to an element.
//
//gokkos:kernel
func tiled(n, tile int, c, a, b []float64) func(m *team.Member) {
	return func(m *team.Member) {
		as := team.Scratch[float64](m, 0, tile*tile)
		bs := team.Scratch[float64](m, 0, tile*tile)
		x, y, _ := m.LocalID()
		tiles := n / tile
		row, column := m.LeagueRank()/tiles*tile+y, m.LeagueRank()%tiles*tile+x
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
	}
}

// rowsSoftmax sets every row of y to exp(x) / Σ exp(x) and sums up the losses, a team to a row.
//
//gokkos:kernel
func rowsSoftmax(columns, tile int, y, x []float64, label []int) func(m *team.Member, acc *float64) {
	return func(m *team.Member, acc *float64) {
		row := m.LeagueRank() * columns
		e := team.Scratch[float64](m, 0, columns)
		tiles := team.ThreadRange(m, columns/tile)
		high := math.Inf(-1)
		team.For(tiles, func(t int) {
			var top float64
			team.Reduce(team.VectorRange(m, tile), func(j int, acc *float64) { *acc = max(*acc, x[row+t*tile+j]) }, builtin.Max(&top))
			high = max(high, top)
		})
		high = team.AllReduce(m, high, builtin.Max)
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
		sum = team.AllReduce(m, sum, builtin.Sum)
		team.For(team.TeamVectorRange(m, columns), func(k int) { y[row+k] = e[k] / sum })
		team.Single(m, func() { *acc -= math.Log(e[label[m.LeagueRank()]] / sum) })
	}
}

// yax is y·A·x by three levels: a team to a block of rows, a member to a row, a vector lane to a column.
//
//gokkos:kernel
func yax(rows, columns int, y, a, x []float64) func(m *team.Member, acc *float64) {
	return func(m *team.Member, acc *float64) {
		first := m.LeagueRank() * rows
		var total float64
		team.Reduce(team.ThreadRange(m, rows), func(r int, outer *float64) {
			var row float64
			at := (first + r) * columns
			team.Reduce(team.VectorRange(m, columns), func(j int, inner *float64) { *inner += float64(a[at+j] * x[j]) }, builtin.Sum(&row))
			*outer += float64(y[first+r] * row)
		}, builtin.Sum(&total))
		team.Single(m, func() { *acc += total })
	}
}

// extremes reduces a range over all lanes with two operations, and by the members' own ranks.
//
//gokkos:kernel
func extremes(n int, x []float64, low, high, weighed []float64) func(m *team.Member, sum *float64, steps *int) {
	return func(m *team.Member, sum *float64, steps *int) {
		first := m.LeagueRank() * n
		var lo, hi, w float64
		team.Reduce2(team.TeamVectorRange(m, n), func(j int, a, b *float64) {
			*a = min(*a, x[first+j])
			*b += x[first+j]
		}, builtin.Min(&lo), builtin.Sum(&hi))
		weight := float64(m.Rank() + 1)
		team.Reduce(team.ThreadRange(m, n), func(j int, acc *float64) { *acc += float64(x[first+j] * weight) }, builtin.Sum(&w))
		var both float64
		team.Reduce(team.TeamVectorRange(m, n), func(j int, acc *float64) { *acc += float64(x[first+j] / weight) }, builtin.Sum(&both))
		*sum += w + both
		*steps += m.Rank() * n
		if m.Rank() == m.Size()-1 {
			low[m.LeagueRank()], high[m.LeagueRank()], weighed[m.LeagueRank()] = lo, hi, w
		}
	}
}

// halved adds up a power of two of numbers in scratch memory, half by half, as devices do, and what members give one another.
//
//gokkos:kernel
func halved(x, y []float64, z []int) func(m *team.Member) {
	return func(m *team.Member) {
		s := team.Scratch[float64](m, 1, 64)
		own := team.MemberScratch[int](m, 1, 3)
		at := m.LeagueRank() * 64
		for j := range team.ThreadRange(m, 64).All() {
			s[j] = x[at+j]
		}
		own[m.LeagueRank()%3] = m.Rank()
		m.Barrier()
		for half := 32; half > 0; half /= 2 {
			for j := range team.ThreadRange(m, half).All() {
				s[j] += s[j+half]
			}
			m.Barrier()
		}
		total := s[0]
		last := team.Broadcast(m, float64(m.Rank())+total, m.Size()-1)
		first := team.SingleValue(m, func() float64 { return total * 2 })
		if m.LeagueRank()%2 == 1 {
			total = team.AllReduce(m, total+float64(m.Rank()), builtin.Sum)
		} else if total > 0 {
			m.Barrier()
			total = -total
		}
		k := m.LeagueRank()*m.Size() + m.Rank()
		y[k] = total + last + first
		z[k] = own[0] + own[1] + own[2]
	}
}
