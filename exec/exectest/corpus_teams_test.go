//gokkosvet:ignore kernels with bugs

package exectest_test

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
	"github.com/gokkos/gokkos/views/atomics"
)

type member = team.Member

// league is how many teams there are, of so many members.
const (
	league  = 4
	members = 64
)

// inTeams runs f in teams that have a number of scratch memory and one of the result for each
// member.
func inTeams(f func(m *member, e, y []float64)) func(s exec.Space) (any, error) {
	return func(s exec.Space) (any, error) {
		y := make([]float64, league*members)
		for i := range y {
			y[i] = float64(i % 9)
		}
		p := policy.Team(league, members).Scratch(0, 4*8*members, 64).Scratch(1, 8*members, 0).On(s)
		return y, exec.ParallelFor(p, func(m *member) {
			f(m, team.Scratch[float64](m, 0, members), y[m.LeagueRank()*members:][:members])
		})
	}
}

// inLanes runs f in teams whose members have vector lanes, and 100 numbers each.
func inLanes(f func(m *member, y []float64)) func(s exec.Space) (any, error) {
	return func(s exec.Space) (any, error) {
		y := make([]float64, league*8*100)
		return y, exec.ParallelFor(policy.Team(league, 8).Vector(8).On(s), func(m *member) {
			f(m, y[(m.LeagueRank()*8+m.Rank())*100:][:100])
		})
	}
}

var memberRaces = []planted{
	{"no barrier after a write", races.and(unwritten), inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()]             //!
		y[m.Rank()] = e[(m.Rank()+1)%members] //!
	})},
	{"barrier before the write", races.and(unwritten), inTeams(func(m *member, e, y []float64) {
		m.Barrier()
		e[m.Rank()] = y[m.Rank()]           //!
		y[m.Rank()] = e[members-1-m.Rank()] //!
	})},
	{"tree without its last barrier", races, inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()]
		for h := members / 2; h > 0; h /= 2 {
			m.Barrier()
			if m.Rank() < h {
				e[m.Rank()] += e[m.Rank()+h] //!
			}
		}
		y[m.Rank()] = e[0] //!
	})},
	{"tree without barriers between levels", races, inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()]
		m.Barrier()
		for h := members / 2; h > 0; h /= 2 {
			if m.Rank() < h {
				e[m.Rank()] += e[m.Rank()+h] //!
			}
		}
		m.Barrier()
		y[m.Rank()] = e[0]
	})},
	{"phases that use one array", races, inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()]
		m.Barrier()
		a := e[(m.Rank()+5)%members] //!
		e[m.Rank()] = 2 * a          //!
		m.Barrier()
		y[m.Rank()] = a + e[(m.Rank()+9)%members]
	})},
	{"loop whose next round overwrites", races, inTeams(func(m *member, e, y []float64) {
		for k := range 3 {
			e[m.Rank()] = float64(k) //!
			m.Barrier()
			y[m.Rank()] += e[members-1-m.Rank()] //!
		}
	})},
	{"one member writes, all read", races.and(unwritten), inTeams(func(m *member, e, y []float64) {
		if m.Rank() == 0 {
			e[0] = y[0] //!
		}
		y[m.Rank()] = e[0] //!
	})},
	{"single without a barrier", races.and(unwritten), inTeams(func(m *member, e, y []float64) {
		team.Single(m, func() {
			e[0] = y[0] //!
		})
		y[m.Rank()] = e[0] //!
	})},
	{"loop over threads and the neighbour", races.and(unwritten), inTeams(func(m *member, e, y []float64) {
		team.For(team.ThreadRange(m, members), func(k int) {
			e[k] = y[k] //!
		})
		team.For(team.ThreadRange(m, members), func(k int) {
			y[k] = e[(k+1)%members] //!
		})
	})},
	{"counter of a team", races, inTeams(func(m *member, e, y []float64) {
		team.Single(m, func() { e[0] = 0 })
		m.Barrier()
		e[0]++ //!
		m.Barrier()
		y[m.Rank()] = e[0]
	})},
	{"counter that is set beside its use", races, inTeams(func(m *member, e, y []float64) {
		if m.Rank() == 0 {
			e[0] = 0 //!
		}
		atomics.Add(&e[0], 1) //!
		m.Barrier()
		y[m.Rank()] = e[0]
	})},
	{"sum of a team in global memory", races, inTeams(func(m *member, _, y []float64) {
		y[0] += float64(m.Rank()) //!
	})},
	{"barrier of the sub-group for the team", races.and(unwritten), inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()] //!
		m.SubGroup().Barrier()
		y[m.Rank()] = e[members-1-m.Rank()] //!
	})},
	{"sub-group result that all read", races.and(unwritten), inTeams(func(m *member, e, y []float64) {
		sg := m.SubGroup()
		v := team.AllReduce(sg, 1.0, builtin.Sum)
		if sg.Rank() == 0 {
			e[sg.ID()] = v //!
		}
		sg.Barrier()
		y[m.Rank()] = e[0] + e[members-1]*0 + e[members/32-1]*0 //!
	})},
	{"shuffle in place of a barrier", races.and(unwritten), inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()] //!
		group.ShuffleXor(m.SubGroup(), 0, 1)
		y[m.Rank()] = e[members-1-m.Rank()] //!
	})},
	{"scratch of the second level", races.and(unwritten), inTeams(func(m *member, _, y []float64) {
		e := team.Scratch[float64](m, 1, members)
		e[m.Rank()] = y[m.Rank()]   //!
		y[m.Rank()] = e[m.Rank()^1] //!
	})},
	{"neighbour's part of the result", races, inTeams(func(m *member, _, y []float64) {
		y[m.Rank()] = y[(m.Rank()+1)%members] //!
	})},
	{"halo that two members write", races, inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()]             //!
		e[(m.Rank()+1)%members] = y[m.Rank()] //!
		m.Barrier()
		y[m.Rank()] = e[m.Rank()]
	})},
	{"scan of Hillis and Steele with one barrier", races, inTeams(func(m *member, e, y []float64) {
		e[m.Rank()] = y[m.Rank()]
		for d := 1; d < members; d *= 2 {
			m.Barrier()
			if m.Rank() >= d {
				e[m.Rank()] += e[m.Rank()-d] //!
			}
		}
		m.Barrier()
		y[m.Rank()] = e[m.Rank()]
	})},
	{"variable around the functor", races, func(s exec.Space) (any, error) {
		y, t := make([]int, league*members), 0
		return y, exec.ParallelFor(policy.Team(league, members).On(s), func(m *member) {
			t = m.Rank()                           //!
			y[m.LeagueRank()*members+m.Rank()] = t //!
		})
	}},
	{"memory that one member hands out", races, func(s exec.Space) (any, error) {
		y, shared := make([]int, league*members), make([][]int, league)
		return y, exec.ParallelFor(policy.Team(league, members).On(s), func(m *member) {
			if m.Rank() == 0 {
				shared[m.LeagueRank()] = make([]int, members)
			}
			m.Barrier()
			x := shared[m.LeagueRank()]
			x[m.Rank()] = 1                                        //!
			y[m.LeagueRank()*members+m.Rank()] = x[m.Rank()^1] + 1 //!
		})
	}},
	{"shares of a loop that overlap", races, inTeams(func(m *member, e, _ []float64) {
		team.For(team.ThreadRange(m, members-1), func(k int) {
			e[k] = 1   //!
			e[k+1] = 2 //!
		})
	})},
	{"reduction whose functor writes beside it", races, inTeams(func(m *member, e, y []float64) {
		var sum float64
		team.Reduce(team.ThreadRange(m, members), func(k int, acc *float64) {
			*acc += y[k]
			e[0] = y[k] //!
		}, builtin.Sum(&sum))
		y[m.Rank()] = sum
	})},
}

var laneRaces = []planted{
	{"sum in a variable of the member", races, inLanes(func(m *member, y []float64) {
		sum := 0.0
		team.For(team.VectorRange(m, len(y)), func(i int) {
			sum += y[i] //!
		})
		y[0] = sum
	})},
	{"element that two lanes write", races, inLanes(func(m *member, y []float64) {
		team.For(team.VectorRange(m, len(y)), func(i int) {
			y[i/2] = 1 //!
		})
	})},
	{"element of the lane beside it", races, inLanes(func(m *member, y []float64) {
		team.For(team.VectorRange(m, len(y)), func(i int) {
			y[i] = y[(i+1)%len(y)] //!
		})
	})},
	{"last index in a variable of the member", races, inLanes(func(m *member, y []float64) {
		last := 0
		team.For(team.VectorRange(m, len(y)), func(i int) {
			if y[i] == 0 {
				last = i //!
			}
		})
		y[0] = float64(last)
	})},
	{"lanes of all members", races, inLanes(func(m *member, y []float64) {
		n := 0
		team.For(team.TeamVectorRange(m, len(y)), func(i int) {
			n += i //!
		})
		y[0] = float64(n)
	})},
	{"array on the stack", races, inLanes(func(m *member, y []float64) {
		var h [4]int
		team.For(team.VectorRange(m, len(y)), func(i int) {
			h[i%3]++ //!
		})
		y[0] = float64(h[1])
	})},
}

var leagueRaces = []planted{
	{"sum of all teams", races, func(s exec.Space) (any, error) {
		sum := 0.0
		err := exec.ParallelFor(policy.Team(league, members).On(s), func(m *member) {
			v := team.AllReduce(m, float64(m.Rank()), builtin.Sum)
			team.Single(m, func() {
				sum += v //!
			})
		})
		return sum, err
	}},
	{"last team by a plain counter", races, func(s exec.Space) (any, error) {
		done, parts, total := 0, make([]float64, league), 0.0
		err := exec.ParallelFor(policy.Team(league, members).On(s), func(m *member) {
			v := team.AllReduce(m, float64(m.Rank()), builtin.Sum)
			team.Single(m, func() {
				parts[m.LeagueRank()] = v //!
				done++                    //!
				if done == league {       //!
					for _, p := range parts { //!
						total += p
					}
				}
			})
		})
		return total, err
	}},
	{"last team that counts too early", races, func(s exec.Space) (any, error) {
		done, parts, total := 0, make([]float64, league), 0.0
		err := exec.ParallelFor(policy.Team(league, members).On(s), func(m *member) {
			if m.Rank() != 0 {
				return
			}
			last := atomics.Add(&done, 1) == league
			parts[m.LeagueRank()] = 1 //!
			if last {
				for _, p := range parts { //!
					total += p
				}
			}
		})
		return total, err
	}},
	{"members that count without a barrier", races, func(s exec.Space) (any, error) {
		done, parts, total := 0, make([]float64, league*members), 0.0
		err := exec.ParallelFor(policy.Team(league, members).On(s), func(m *member) {
			parts[m.LeagueRank()*members+m.Rank()] = 1 //!
			if m.Rank() == 0 && atomics.Add(&done, 1) == league {
				for _, p := range parts { //!
					total += p
				}
			}
		})
		return total, err
	}},
	{"element of the team beside it", races, inLeague(func(m *member, y []float64) {
		if m.Rank() == 0 {
			y[m.LeagueRank()*members] = y[(m.LeagueRank()+1)%league*members] //!
		}
	})},
	{"parts of teams that overlap", races, inLeague(func(m *member, y []float64) {
		y[(m.LeagueRank()*(members-1)+m.Rank())%len(y)] = float64(m.LeagueRank()) //!
	})},
	{"all teams write one place", races, inLeague(func(m *member, y []float64) {
		team.Single(m, func() {
			y[0] = float64(m.LeagueRank()) //!
		})
	})},
	{"teams of one", races, func(s exec.Space) (any, error) {
		x := make([]int, 10)
		return x, exec.ParallelFor(policy.Team(items, 1).On(s), func(m *member) {
			x[m.LeagueRank()%10]++ //!
		})
	}},
}

// inLeague runs f in teams that all have all of the result.
func inLeague(f func(m *member, y []float64)) func(s exec.Space) (any, error) {
	return func(s exec.Space) (any, error) {
		y := make([]float64, league*members)
		for i := range y {
			y[i] = float64(i)
		}
		return y, exec.ParallelFor(policy.Team(league, members).On(s), func(m *member) { f(m, y) })
	}
}
