//gokkosvet:ignore kernels with bugs

package exectest_test

import (
	"math/rand/v2"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
	numbered "github.com/gokkos/gokkos/views/random"
)

var dependsOnTheRun = []planted{
	{"random numbers of the process", differs("is not a function of the input"), made(numbers, func(x []float64, i int) { x[i] = rand.Float64() })},
	{"time of day", differs("is not a function of the input"), func(s exec.Space) (any, error) {
		x := make([]int64, items)
		return x, exec.ParallelFor(over(s), func(i int) { x[i] = time.Now().UnixNano() })
	}},
	{"time since the start", differs("is not a function of the input"), func(s exec.Space) (any, error) {
		x, start := make([]time.Duration, items), time.Now()
		return x, exec.ParallelFor(over(s), func(i int) { x[i] = time.Since(start) })
	}},
	{"order of a map", differs("is not a function of the input"), func(s exec.Space) (any, error) {
		x, m := make([]int, items), map[int]int{}
		for i := range 100 {
			m[i] = i
		}
		return x, exec.ParallelFor(over(s), func(i int) {
			for x[i] = range m {
				break
			}
		})
	}},
	{"state from one run to the next", differs("is not a function of the input"), made(integers, func(x []int, i int) { x[i] = int(calls.Add(1)) })},
	{"permutation at random", differs("is not a function of the input"), func(s exec.Space) (any, error) {
		x, p := make([]int, items), rand.Perm(items)
		return x, exec.ParallelFor(over(s), func(i int) { x[i] = p[i] })
	}},
}

var dependsOnTheDevice = []planted{
	{"sum over a warp of 32", differs("the width of a warp"), inTeams(func(m *member, e, y []float64) {
		sg, v := m.SubGroup(), y[m.Rank()]
		for d := 16; d > 0; d /= 2 {
			v += group.ShuffleDown(sg, v, d)
		}
		if m.Rank()%32 == 0 {
			e[m.Rank()/32] = v
		}
		m.Barrier()
		y[m.Rank()] = e[0] + e[1]
	})},
	{"sum over the sub-group as a result", differs("the width of a warp"), inTeams(func(m *member, _, y []float64) {
		y[m.Rank()] = team.AllReduce(m.SubGroup(), y[m.Rank()], builtin.Sum)
	})},
	{"number of sub-groups as a result", differs("the width of a warp"), inTeams(func(m *member, _, y []float64) {
		y[m.Rank()] = float64(m.SubGroup().Count())
	})},
	{"rank in the sub-group as a result", differs("the width of a warp"), inTeams(func(m *member, _, y []float64) {
		y[m.Rank()] = float64(m.SubGroup().Rank())
	})},
	{"vote of the sub-group", differs("the width of a warp"), inTeams(func(m *member, _, y []float64) {
		if group.Any(m.SubGroup(), m.Rank() == 40) {
			y[m.Rank()] = -1
		}
	})},
	{"size that the device recommends", differs("differs from that of a loop in every schedule"), func(s exec.Space) (any, error) {
		size, err := exec.TeamSizeRecommended(policy.Team(4, 1).On(s))
		if err != nil {
			return nil, err
		}
		y := make([]float64, 4)
		return y, exec.ParallelFor(policy.Team(4, size).On(s), func(m *member) {
			v := team.AllReduce(m, 0.1*float64(m.Rank()), builtin.Sum)
			team.Single(m, func() { y[m.LeagueRank()] = v })
		})
	}},
	{"name of the space", differs("what the kernel asks of the space"), func(s exec.Space) (any, error) {
		y := make([]int, items)
		return y, exec.ParallelFor(over(s), func(i int) { y[i] = int(s.Name()[1]) })
	}},
}

var endsInAnError = []planted{
	{"barrier behind a condition", fails("wait for one another"), inTeams(func(m *member, _, _ []float64) {
		if m.Rank() < members/2 {
			m.Barrier()
		}
	})},
	{"return before a barrier", fails("wait for one another"), inTeams(func(m *member, _, y []float64) {
		if m.Rank() > members-6 {
			return
		}
		m.Barrier()
		y[m.Rank()] = 1
	})},
	{"collective in a loop over threads", fails("wait for one another"), inTeams(func(m *member, _, y []float64) {
		team.For(team.ThreadRange(m, members+7), func(k int) { y[k%members] = team.AllReduce(m, 1.0, builtin.Sum) })
	})},
	{"different collectives", fails("wait for one another"), inTeams(func(m *member, _, y []float64) {
		if m.Rank() < 10 {
			y[m.Rank()] = team.AllReduce(m, 1.0, builtin.Sum)
		} else {
			y[m.Rank()] = team.AllReduce(m, 1.0, builtin.Max)
		}
	})},
	{"barrier of the team for a sub-group", fails("wait for one another"), inTeams(func(m *member, _, _ []float64) {
		if m.SubGroup().ID() == 0 {
			m.Barrier()
		} else {
			m.SubGroup().Barrier()
		}
	})},
	{"one round more for the last member", fails("wait for one another"), inTeams(func(m *member, _, _ []float64) {
		for k := 0; k < 3+m.Rank()/(members-1); k++ {
			m.Barrier()
		}
	})},
	{"scratch that differs between members", fails("ask for different scratch"), inTeams(func(m *member, _, _ []float64) {
		team.Scratch[int8](m, 0, m.Rank()+1)
	})},
	{"more scratch than was planned", fails("ask the policy for more"), inTeams(func(m *member, _, _ []float64) {
		team.Scratch[float64](m, 0, 4*members)
	})},
	{"more scratch than the device has", fails("bytes"), func(s exec.Space) (any, error) {
		return nil, exec.ParallelFor(policy.Team(1, 64).Scratch(0, 300<<10, 0).On(s), func(m *member) {})
	}},
	{"more members than a team has", fails("members"), func(s exec.Space) (any, error) {
		return nil, exec.ParallelFor(policy.Team(1, 4096).On(s), func(m *member) {})
	}},
	{"division by zero", fails("integer divide by zero"), made(integers, func(x []int, i int) { x[i] = 5 / (i - items/2) })},
	{"nil pointer", fails("nil pointer"), made(particles, func(x []particle, i int) { x[items-1].next = nil; x[i].next.cell = 0 })},
}

// unlawful are reducers that break a law, with some of their values.
var unlawful = []struct {
	name    string
	reducer func(result *float64) reducers.Reducer[float64]
	lawful  bool
}{
	{"difference", byJoin(func(d, s *float64) { *d -= *s }), false},
	{"mean of two", byJoin(func(d, s *float64) { *d = (*d + *s) / 2 }), false},
	{"last one", byJoin(func(d, s *float64) {
		if *s != 0 {
			*d = *s
		}
	}), false},
	{"product without an identity", byJoin(func(d, s *float64) { *d *= *s }), false},
	{"maximum without an identity", byJoin(func(d, s *float64) { *d = max(*d, *s) }), false},
	{"minimum without an identity", byJoin(func(d, s *float64) { *d = min(*d, *s) }), false},
	{"join that writes its source", byJoin(func(d, s *float64) { *d += *s; *s = 0 }), false},
	{"final with a state", func(result *float64) reducers.Reducer[float64] {
		n := 0.0
		return reducers.New(result, func(d, s *float64) { *d += *s }, reducers.Final(func(x *float64) { n++; *x /= n }))
	}, false},
	{"join that counts", func(result *float64) reducers.Reducer[float64] {
		n := 0.0
		return reducers.New(result, func(d, s *float64) { n++; *d += *s + n })
	}, false},
	{"initial value that is no identity", func(result *float64) reducers.Reducer[float64] {
		return reducers.New(result, func(d, s *float64) { *d += *s }, reducers.Init(func(x *float64) { *x = 1 }))
	}, false},
	{"sum", byJoin(func(d, s *float64) { *d += *s }), true},
	{"product", func(result *float64) reducers.Reducer[float64] {
		return reducers.New(result, func(d, s *float64) { *d *= *s }, reducers.Init(func(x *float64) { *x = 1 }))
	}, true},
	{"maximum", func(result *float64) reducers.Reducer[float64] { return builtin.Max(result) }, true},
	{"mean by a final", func(result *float64) reducers.Reducer[float64] {
		return reducers.New(result, func(d, s *float64) { *d += *s }, reducers.Final(func(x *float64) { *x /= items }))
	}, true},
	{"last one, in order", func(result *float64) reducers.Reducer[float64] {
		return reducers.Ordered(byJoin(func(d, s *float64) {
			if *s != 0 {
				*d = *s
			}
		})(result))
	}, true},
}

func byJoin(join func(d, s *float64)) func(result *float64) reducers.Reducer[float64] {
	return func(result *float64) reducers.Reducer[float64] { return reducers.New(result, join) }
}

var withTheHost = []planted{
	{"the host writes what a launch reads", hosts, beside(func(x []int) {
		x[7] = 1 //!
	}, func(x []int, i int) {
		x[i] += x[7] //!
	})},
	{"the host reads what a launch writes", hosts, beside(func(x []int) {
		calls.Add(int64(x[7])) //!
	}, func(x []int, i int) {
		x[i] = i //!
	})},
	{"both write", hosts, beside(func(x []int) {
		for k := range x {
			x[k] = 2 //!
		}
	}, func(x []int, i int) {
		x[i] = 2 //!
	})},
}

// beside runs a launch and, on another goroutine, what the host does in the midst of it.
func beside(host func(x []int), f func(x []int, i int)) func(s exec.Space) (any, error) {
	return func(s exec.Space) (any, error) {
		x := make([]int, items)
		begin, end := make(chan bool), make(chan bool)
		go func() {
			<-begin
			host(x)
			close(end)
		}()
		err := exec.ParallelFor(over(s), func(i int) {
			if f(x, i); i == items/2 {
				close(begin)
				<-end
			}
		})
		return nil, err
	}
}

var runsThatAreRight = []planted{
	{"random numbers by their place", right, func(s exec.Space) (any, error) {
		x, pool := make([]float64, items), numbered.New(7)
		return x, exec.ParallelFor(over(s), func(i int) { g := pool.At(i); x[i] = g.Float64() })
	}},
	{"hash without a state", right, made(integers, func(x []int, i int) { x[i] = (i*1103515245 + 12345) >> 16 & 0x7fff })},
	{"sum by shuffles over any warp", right, inTeams(func(m *member, e, y []float64) {
		sg, v := m.SubGroup(), float64(m.Rank())
		for d := sg.MaxSize() / 2; d > 0; d /= 2 {
			v += group.ShuffleDown(sg, v, d)
		}
		if sg.Rank() == 0 {
			e[sg.ID()] = v
		}
		m.Barrier()
		t := 0.0
		for k := range sg.Count() {
			t += e[k]
		}
		y[m.Rank()] = t
	})},
	{"the host works on other memory", right, func(s exec.Space) (any, error) {
		other := make([]int, items)
		x, err := beside(func([]int) {
			for k := range other {
				other[k] = k
			}
		}, func(x []int, i int) { x[i] = i })(s)
		return x, err
	}},
	{"the host reads what the launch reads", right, beside(func(x []int) { calls.Add(int64(x[7])) }, func(x []int, i int) { calls.Add(int64(x[i])) })},
	{"a launch of teams in an item", right, func(s exec.Space) (any, error) {
		y := make([]int, 40)
		return y, exec.ParallelFor(policy.Range(0, 40).On(s), func(i int) {
			exec.Must(exec.ParallelReduce(policy.Team(3, 4).On(s), func(m *member, acc *int) {
				m.Barrier()
				*acc += i
			}, builtin.Sum(&y[i])))
		})
	}},
	{"a launch of another space in an item", right, func(s exec.Space) (any, error) {
		y, x := make([]float64, 400), ramp(400)
		g := exec.NewGoroutines(2)
		defer g.Close()
		return y, exec.ParallelFor(policy.Range(0, 4).On(s), func(i int) {
			exec.Must(exec.ParallelFor(policy.Range(100*i, 100*i+100).On(g), func(k int) { y[k] = 2 * x[k] }))
			y[100*i]++
		})
	}},
}
