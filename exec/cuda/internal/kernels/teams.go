package kernels

import (
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec/kernel/kmath"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

// tiled is a product of square matrices, tile by tile, each staged in the scratch memory of a team: a member to an element.
//
//gokkos:kernel
func tiled(n, tile int, c, a, b views.View1[float64]) func(m *team.Member) {
	return func(m *team.Member) {
		as := team.Scratch[float64](m, 0, tile*tile)
		bs := team.Scratch[float64](m, 0, tile*tile)
		x, y, _ := m.LocalID()
		tiles := n / tile
		row, column := m.LeagueRank()/tiles*tile+y, m.LeagueRank()%tiles*tile+x
		sum := 0.0
		for k := 0; k < n; k += tile {
			as[y*tile+x] = a.At(row*n + k + x)
			bs[y*tile+x] = b.At((k+y)*n + column)
			m.Barrier()
			for l := range tile {
				sum += float64(as[y*tile+l] * bs[l*tile+x])
			}
			m.Barrier()
		}
		c.Set(row*n+column, sum)
	}
}

// yax is y·A·x by three levels: a team to a block of rows, a member to a row, a vector lane to a column.
//
//gokkos:kernel
func yax(rows, columns int, y, a, x views.View1[float64]) func(m *team.Member, acc *float64) {
	return func(m *team.Member, acc *float64) {
		first := m.LeagueRank() * rows
		var total float64
		team.Reduce(team.ThreadRange(m, rows), func(r int, outer *float64) {
			var row float64
			at := (first + r) * columns
			team.Reduce(team.VectorRange(m, columns), func(j int, inner *float64) { *inner += float64(a.At(at+j) * x.At(j)) }, builtin.Sum(&row))
			*outer += float64(y.At(first+r) * row)
		}, builtin.Sum(&total))
		team.Single(m, func() { *acc += total })
	}
}

// sparse is a product of a matrix in rows of entries and a vector: rows to a team.
//
//gokkos:kernel
func sparse(rows int, from, column views.View1[int], a, x, y views.View1[float64]) func(m *team.Member) {
	return func(m *team.Member) {
		first := m.LeagueRank() * rows
		team.For(team.ThreadRange(m, rows), func(r int) {
			begin := from.At(first + r)
			var sum float64
			team.Reduce(team.VectorRange(m, from.At(first+r+1)-begin), func(k int, acc *float64) {
				*acc += float64(a.At(begin+k) * x.At(column.At(begin+k)))
			}, builtin.Sum(&sum))
			y.Set(first+r, sum)
		})
	}
}

// softmax sets every row of y to exp(x) / Σ exp(x), a team to a row, and adds up and finds the greatest of what members have.
//
//gokkos:kernel
func softmax(columns int, y, x views.View1[float64]) func(m *team.Member, sum, most *float64) {
	return func(m *team.Member, sum, most *float64) {
		row := m.LeagueRank() * columns
		e := team.Scratch[float64](m, 0, columns)
		high := math.Inf(-1)
		team.Reduce(team.TeamVectorRange(m, columns), func(j int, acc *float64) { *acc = max(*acc, x.At(row+j)) }, builtin.Max(&high))
		var all float64
		team.Reduce(team.TeamVectorRange(m, columns), func(j int, acc *float64) {
			e[j] = kmath.Exp(x.At(row+j) - high)
			*acc += e[j]
		}, builtin.Sum(&all))
		team.For(team.TeamVectorRange(m, columns), func(j int) {
			y.Set(row+j, e[j]/all)
		})
		m.Barrier()
		for j := range team.ThreadRange(m, columns).All() {
			*sum += y.At(row + columns - 1 - j)
			*most = max(*most, high)
		}
	}
}

// histogram counts numbers in cells, which a team does in scratch memory of a level of its own.
//
//gokkos:kernel
func histogram(cells, each int, x, counts views.View1[int]) func(m *team.Member) {
	return func(m *team.Member) {
		own := team.Scratch[int](m, 0, cells)
		copies := team.Scratch[int32](m, 1, cells)
		team.For(team.ThreadRange(m, each), func(j int) {
			v := x.At(m.LeagueRank()*each + j)
			atomics.Add(&own[v%cells], 1)
			atomics.Max(&copies[v%cells], int32(v))
		})
		m.Barrier()
		team.For(team.ThreadRange(m, cells), func(c int) {
			counts.Set(m.LeagueRank()*cells+c, own[c]*1000+int(copies[c]))
		})
	}
}

// packed stores the columns of the numbers of a row that are above a limit, one after the other, and their number.
//
//gokkos:kernel
func packed(columns int, limit float64, a views.View1[float64], to, counts views.View1[int]) func(m *team.Member) {
	return func(m *team.Member) {
		first, count := m.LeagueRank()*columns, 0
		team.Scan(team.ThreadRange(m, columns), func(j int, acc *int, final bool) {
			if a.At(first+j) > limit {
				if final {
					to.Set(first+*acc, j)
				}
				*acc++
			}
		}, builtin.Sum(&count))
		team.Single(m, func() { counts.Set(m.LeagueRank(), count) })
	}
}

// reached is what members' parts of a row have reached, and the largest number with its place.
//
//gokkos:kernel
func reached(columns int, x views.View1[float64]) func(m *team.Member, span *Span[float64], most *builtin.ValLoc[float64, int]) {
	return func(m *team.Member, span *Span[float64], most *builtin.ValLoc[float64, int]) {
		row := m.LeagueRank() * columns
		for j := range team.ThreadRange(m, columns).All() {
			span.Add(x.At(row + j))
			most.Max(x.At(row+j), row+j)
		}
	}
}
