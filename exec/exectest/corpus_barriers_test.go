package exectest_test

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
	"github.com/gokkos/gokkos/views/atomics"
)

var uninitialised = []planted{
	{"sum into scratch", unwritten, inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] += y[m.Rank()] //!
		y[m.Rank()] = e[m.Rank()]
	})},
	{"scratch that a joint reduction reads", unwritten, inTeams(func(m *member, e, y []float64) {
		if m.Rank() < members/2 {
			e[m.Rank()] = 1
		}
		y[m.Rank()] = group.JointReduce(m, e, builtin.Sum) //!
	})},
	{"compare with scratch", unwritten, inTeams(func(m *member, e, y []float64) {
		if e[m.Rank()] > 1 { //!
			y[m.Rank()] = 1
		}
	})},
	{"flags that only some set", unwritten, inTeams(func(m *member, _, y []float64) {
		flags := team.Scratch[uint8](m, 0, members)
		if m.Rank()%3 == 0 {
			flags[m.Rank()] = 1
		}
		m.Barrier()
		if flags[m.Rank()] != 0 { //!
			y[m.Rank()] = 1
		}
	})},
	{"scratch that is never written", unwritten, inTeams(func(m *member, e, y []float64) {
		y[m.Rank()] = 0 * e[m.Rank()] //!
	})},
	{"scratch of the team before", unwritten, inTeams(func(m *member, e, y []float64) {
		if m.LeagueRank() == 0 {
			e[m.Rank()] = 1
		}
		m.Barrier()
		y[m.Rank()] = e[m.Rank()] //!
	})},
	{"end of an array that a loop leaves out", unwritten, inTeams(func(m *member, e, y []float64) {
		team.For(team.ThreadRange(m, members-1), func(k int) { e[k] = 1 })
		m.Barrier()
		y[m.Rank()] = e[m.Rank()] //!
	})},
	{"counter that nobody sets", unwritten, inTeams(func(m *member, _, y []float64) {
		n := team.Scratch[int64](m, 0, 1)
		atomics.Add(&n[0], 1) //!
		m.Barrier()
		y[m.Rank()] = float64(n[0])
	})},
	{"maximum that nobody sets", unwritten, inTeams(func(m *member, e, y []float64) {
		atomics.Max(&e[0], y[m.Rank()]) //!
		m.Barrier()
		y[m.Rank()] = e[0]
	})},
	{"scratch of a member", unwritten, inTeams(func(m *member, _, y []float64) {
		own := team.MemberScratch[float64](m, 0, 4)
		for k := range 3 {
			own[k] = 1
		}
		y[m.Rank()] = own[3] //!
	})},
	{"second level", unwritten, inTeams(func(m *member, _, y []float64) {
		e := team.Scratch[float64](m, 1, members)
		y[m.Rank()] = min(1, e[m.Rank()]) //!
	})},
	{"field of a struct", unwritten, inTeams(func(m *member, _, y []float64) {
		type cell struct{ n, sum int32 }
		c := team.Scratch[cell](m, 0, members)
		c[m.Rank()].n = 1
		y[m.Rank()] = float64(c[m.Rank()].sum) //!
	})},
	{"array that is written behind a condition", unwritten, inTeams(func(m *member, e, y []float64) {
		if y[m.Rank()] > 3 {
			e[m.Rank()] = 1
		}
		y[m.Rank()] = e[m.Rank()] //!
	})},
}

var barriersThatAreRight = []planted{
	{"barrier after the write", right, inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()]
		m.Barrier()
		y[m.Rank()] = e[(m.Rank()+1)%members]
	})},
	{"tree", right, inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()]
		for h := members / 2; h > 0; h /= 2 {
			m.Barrier()
			if m.Rank() < h {
				e[m.Rank()] += e[m.Rank()+h]
			}
		}
		m.Barrier()
		y[m.Rank()] = e[0]
	})},
	{"scan of Hillis and Steele with two barriers", right, inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()]
		for d := 1; d < members; d *= 2 {
			m.Barrier()
			v := 0.0
			if m.Rank() >= d {
				v = e[m.Rank()-d]
			}
			m.Barrier()
			e[m.Rank()] += v
		}
		y[m.Rank()] = e[m.Rank()]
	})},
	{"two buffers in turn", right, inTeams(func(m *member, e, y []float64) {
		f := team.Scratch[float64](m, 0, members)
		e[m.Rank()] = y[m.Rank()]
		for range 4 {
			m.Barrier()
			f[m.Rank()] = e[(m.Rank()+1)%members]
			e, f = f, e
		}
		y[m.Rank()] = e[m.Rank()]
	})},
	{"single, then a barrier", right, inTeams(func(m *member, e, y []float64) {
		team.Single(m, func() { e[0] = y[0] })
		m.Barrier()
		if m.Rank() > 0 {
			y[m.Rank()] = e[0]
		}
	})},
	{"broadcast in place of scratch", right, inTeams(func(m *member, _, y []float64) {
		y[m.Rank()] = team.Broadcast(m, y[m.Rank()], 0) + 1
	})},
	{"collective in place of a barrier", right, inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()]
		total := team.AllReduce(m, 1, builtin.Sum[int])
		y[m.Rank()] = e[(m.Rank()+1)%members] + float64(total)
	})},
	{"barrier of the sub-group inside of it", right, inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()]
		m.SubGroup().Barrier()
		y[m.Rank()] = e[m.Rank()^1]
	})},
	{"collective of the sub-group inside of it", right, inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()]
		group.Any(m.SubGroup(), true)
		y[m.Rank()] = e[m.Rank()^3]
	})},
	{"sum of a member", right, inTeams(func(m *member, _, y []float64) {
		sum := 0.0
		team.For(team.ThreadRange(m, 4*members), func(k int) { sum += float64(k) })
		y[m.Rank()] = sum
	})},
	{"counter by atomics", right, inTeams(func(m *member, _, y []float64) {
		n := team.Scratch[int](m, 0, 1)
		team.Single(m, func() { n[0] = 0 })
		m.Barrier()
		atomics.Add(&n[0], 1)
		m.Barrier()
		y[m.Rank()] = float64(n[0])
	})},
	{"bins that are cleared", right, inTeams(func(m *member, _, y []float64) {
		h := team.Scratch[int](m, 0, 8)
		team.For(team.ThreadRange(m, 8), func(k int) { h[k] = 0 })
		m.Barrier()
		atomics.Add(&h[m.Rank()%8], 1)
		m.Barrier()
		y[m.Rank()] = float64(h[m.Rank()%8])
	})},
	{"scratch of a member", right, inTeams(func(m *member, _, y []float64) {
		own := team.MemberScratch[float64](m, 0, 4)
		for k := range own {
			own[k] = float64(k * m.Rank())
		}
		y[m.Rank()] = own[1] + own[3]
	})},
	{"nested loops and reductions", right, inTeams(func(m *member, e, y []float64) {
		team.For(team.ThreadRange(m, len(e)), func(i int) { e[i] = float64(i) })
		m.Barrier()
		var sum float64
		team.Reduce(team.ThreadRange(m, len(e)), func(i int, acc *float64) { *acc += e[i] }, builtin.Sum(&sum))
		y[m.Rank()] = sum
	})},
	{"nested scan", right, inTeams(func(m *member, e, y []float64) {
		team.Scan(team.ThreadRange(m, len(e)), func(i int, acc *float64, final bool) {
			if *acc += y[i]; final {
				e[i] = *acc
			}
		}, builtin.Sum(new(float64)))
		m.Barrier()
		y[m.Rank()] = e[m.Rank()]
	})},
	{"joint reduction of scratch", right, inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()]
		if sum := group.JointReduce(m, e, builtin.Sum); m.Rank() == 0 {
			y[0] = sum
		}
	})},
	{"joint scan", right, inTeams(func(m *member, e, y []float64) {
		group.JointInclusiveScan(m, e, y, builtin.Sum[float64])
		m.Barrier()
		y[m.Rank()] = e[members-1-m.Rank()]
	})},
	{"lanes of their own elements", right, inLanes(func(m *member, y []float64) {
		team.For(team.VectorRange(m, len(y)), func(i int) { y[i] = float64(i) })
		team.For(team.VectorRange(m, len(y)), func(i int) { y[len(y)-1-i]++ })
	})},
	{"lanes and locals", right, inLanes(func(m *member, y []float64) {
		team.For(team.VectorRange(m, len(y)), func(i int) {
			var t [3]float64
			for k := range t {
				t[k] = float64(i * k)
			}
			y[i] = t[1] + t[2]
		})
	})},
	{"reduction over lanes", right, inLanes(func(m *member, y []float64) {
		var sum float64
		team.Reduce(team.VectorRange(m, len(y)), func(i int, acc *float64) { *acc += float64(i) + y[i] }, builtin.Sum(&sum))
		y[0] = sum
	})},
	{"last team by an atomic", right, func(s exec.Space) (any, error) {
		done, parts, total := 0, make([]float64, league), 0.0
		err := exec.ParallelFor(policy.Team(league, members).On(s), func(m *member) {
			v := team.AllReduce(m, float64(m.Rank()), builtin.Sum)
			team.Single(m, func() {
				parts[m.LeagueRank()] = v
				if atomics.Add(&done, 1) == league {
					for _, p := range parts {
						total += p
					}
				}
			})
		})
		return total, err
	}},
	{"last team after a barrier", right, func(s exec.Space) (any, error) {
		done, parts, total := 0, make([]float64, league*members), 0.0
		err := exec.ParallelFor(policy.Team(league, members).On(s), func(m *member) {
			parts[m.LeagueRank()*members+m.Rank()] = 1
			m.Barrier()
			if m.Rank() == 0 && atomics.Add(&done, 1) == league {
				for _, p := range parts {
					total += p
				}
			}
		})
		return total, err
	}},
	{"memory that one member hands out", right, func(s exec.Space) (any, error) {
		y := make([]int, league*members)
		return y, exec.ParallelFor(policy.Team(league, members).On(s), func(m *member) {
			var x []int
			if m.Rank() == 0 {
				x = make([]int, members)
			}
			x = team.Broadcast(m, x, 0)
			x[m.Rank()] = m.Rank()
			m.Barrier()
			y[m.LeagueRank()*members+m.Rank()] = x[m.Rank()^1]
		})
	}},
	{"branch that is the same for all", right, inTeams(func(m *member, e, y []float64) {
		if m.LeagueRank()%2 == 0 {
			e[m.Rank()] = 1
			m.Barrier()
			y[m.Rank()] = e[m.Rank()^1]
		}
	})},
	{"softmax", right, inTeams(func(m *member, e, y []float64) {
		most := team.AllReduce(m, y[m.Rank()], builtin.Max)
		e[m.Rank()] = y[m.Rank()] - most + 10
		sum := team.AllReduce(m, e[m.Rank()], builtin.Sum)
		y[m.Rank()] = e[m.Rank()] / sum
	})},
	{"sums of rows by teams", right, func(s exec.Space) (any, error) {
		x, y := ramp(20*30), make([]float64, 20)
		return y, exec.ParallelFor(policy.Team(20, 32).On(s), func(m *member) {
			var sum float64
			row := x[30*m.LeagueRank():][:30]
			team.Reduce(team.ThreadRange(m, 30), func(j int, acc *float64) { *acc += row[j] }, builtin.Sum(&sum))
			team.Single(m, func() { y[m.LeagueRank()] = sum })
		})
	}},
	{"product of matrices by tiles", right, func(s exec.Space) (any, error) {
		const n, tile = 32, 8
		a, b, c := ramp(n*n), ramp(n*n), make([]float64, n*n)
		p := policy.Team(n/tile*(n/tile), tile*tile).Scratch(0, 2*8*tile*tile, 0).On(s)
		return c, exec.ParallelFor(p, func(m *member) {
			ta, tb := team.Scratch[float64](m, 0, tile*tile), team.Scratch[float64](m, 0, tile*tile)
			y, x := m.Rank()/tile, m.Rank()%tile
			row, column, sum := m.LeagueRank()/(n/tile)*tile+y, m.LeagueRank()%(n/tile)*tile+x, 0.0
			for t := 0; t < n; t += tile {
				ta[m.Rank()], tb[m.Rank()] = a[row*n+t+x], b[(t+y)*n+column]
				m.Barrier()
				for k := range tile {
					sum += float64(ta[y*tile+k] * tb[k*tile+x])
				}
				m.Barrier()
			}
			c[row*n+column] = sum
		})
	}},
}
