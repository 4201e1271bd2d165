package exec_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// teamSpaces returns spaces that teams must run the same on.
func teamSpaces(t *testing.T) map[string]exec.Space {
	spaces := map[string]exec.Space{"serial": exec.Serial{}}
	for _, workers := range []int{1, 2, 7} {
		s := exec.NewGoroutines(workers)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		spaces[fmt.Sprint("goroutines ", workers)] = s
	}
	sim := exec.NewSimGPU(gpu.Device{})
	t.Cleanup(func() { require.NoError(t, sim.Close()) })
	for seed := range uint64(3) {
		spaces[fmt.Sprint("simgpu schedule ", seed)] = sim.WithSchedule(seed)
	}
	return spaces
}

func onTeamSpaces(t *testing.T, f func(t *testing.T, s exec.Space)) {
	for name, s := range teamSpaces(t) {
		t.Run(name, func(t *testing.T) { f(t, s) })
	}
}

func TestEveryMemberRunsOnce(t *testing.T) {
	onTeamSpaces(t, func(t *testing.T, s exec.Space) {
		for _, league := range []int{0, 1, 2, 33, 1000} {
			for _, size := range []int{1, 2, 7, 32, 100} {
				if league*size > 40000 {
					continue
				}
				ran := make([]atomic.Int32, league*size)
				require.NoError(t, exec.ParallelFor(policy.Team(league, size).On(s), func(m *team.Member) {
					if size > 1 {
						m.Barrier()
					}
					ran[m.LeagueRank()*m.Size()+m.Rank()].Add(1)
				}))
				for k := range ran {
					require.EqualValues(t, 1, ran[k].Load(), "member %d of %d teams of %d", k, league, size)
				}
			}
		}
	})
}

// treeSum is the order of a team reduction, written down once more.
func treeSum(x []float64) float64 {
	if len(x) == 1 {
		return x[0]
	}
	w := 1
	for 2*w < len(x) {
		w *= 2
	}
	return treeSum(x[:w]) + treeSum(x[w:])
}

func TestTeamReduceOrder(t *testing.T) {
	value := func(league, rank int) float64 { return 1 / float64(1+league*131+rank*7) }
	onTeamSpaces(t, func(t *testing.T, s exec.Space) {
		for _, league := range []int{0, 1, 2, 5, 16, 33, 1000} {
			for _, size := range []int{1, 2, 3, 7, 32, 33} {
				teams := make([]float64, league)
				for k := range teams {
					x := make([]float64, size)
					for r := range x {
						x[r] = value(k, r)
					}
					teams[k] = treeSum(x)
				}
				var want, got float64
				require.NoError(t, exec.ParallelReduce(policy.Range(0, league), func(k int, acc *float64) { *acc += teams[k] }, builtin.Sum(&want)))
				require.NoError(t, exec.ParallelReduce(policy.Team(league, size).On(s), func(m *team.Member, acc *float64) {
					*acc += value(m.LeagueRank(), m.Rank())
				}, builtin.Sum(&got)))
				require.Equal(t, want, got, "%d teams of %d", league, size)
			}
		}
	})
}

func TestTeamReduceSeveral(t *testing.T) {
	onTeamSpaces(t, func(t *testing.T, s exec.Space) {
		const league, size = 100, 6
		p := policy.Team(league, size).On(s)
		var sum, most, least, n int
		var last string
		require.NoError(t, exec.ParallelReduce4(p, func(m *team.Member, a, b, c, d *int) {
			k := m.LeagueRank()*size + m.Rank()
			*a, *b, *c, *d = *a+k, max(*b, k), min(*c, k), *d+1
		}, builtin.Sum(&sum), builtin.Max(&most), builtin.Min(&least), builtin.Sum(&n)))
		assert.Equal(t, []int{600 * 599 / 2, 599, 0, 600}, []int{sum, most, least, n})

		var text string
		want := ""
		for k := range league {
			for r := range size {
				want += fmt.Sprint(k, ".", r, " ")
			}
		}
		join := reducers.New(&text, func(dst, src *string) { *dst += *src })
		require.NoError(t, exec.ParallelReduce(p, func(m *team.Member, acc *string) {
			*acc += fmt.Sprint(m.LeagueRank(), ".", m.Rank(), " ")
		}, reducers.Ordered(join)))
		assert.Equal(t, want, text)

		var a, b int
		require.NoError(t, exec.ParallelReduce2(p, func(m *team.Member, a, b *int) { *a++; *b += 2 }, builtin.Sum(&a), builtin.Sum(&b)))
		require.NoError(t, exec.ParallelReduce3(p, func(m *team.Member, a *int, b *int, c *string) { *a++; *b += 2; *c = "x" },
			builtin.Sum(&a), builtin.Sum(&b), reducers.New(&last, func(dst, src *string) { *dst = max(*dst, *src) })))
		assert.Equal(t, []any{600, 1200, "x"}, []any{a, b, last})

		bins := make([]int, 6)
		require.NoError(t, exec.ParallelReduce(p, func(m *team.Member, acc *[]int) { (*acc)[m.Rank()]++ }, reducers.Slice(&bins, builtin.Sum)))
		assert.Equal(t, []int{100, 100, 100, 100, 100, 100}, bins)
	})
}

func TestTeamFaults(t *testing.T) {
	onTeamSpaces(t, func(t *testing.T, s exec.Space) {
		p := policy.Team(10, 8).On(s).WithLabel("faulty").Chunk(1)
		kept := 42
		sum := func(f func(m *team.Member)) error {
			return exec.ParallelReduce(p, func(m *team.Member, acc *int) { f(m); *acc++ }, builtin.Sum(&kept))
		}
		err := sum(func(m *team.Member) {
			if m.LeagueRank() >= 3 && m.Rank() < 5 {
				m.Barrier()
			}
		})
		require.ErrorIs(t, err, team.ErrDivergence)
		assert.ErrorContains(t, err, `exec: launch of "faulty", team 3 of 10`)
		assert.ErrorContains(t, err, "team_test.go:")
		assert.ErrorContains(t, err, "5 of 8 lanes arrived (0-4); 3 lanes returned early (5-7)")

		boom := errors.New("boom")
		func() {
			defer func() {
				p, _ := recover().(*exec.Panic)
				require.NotNil(t, p)
				assert.ErrorIs(t, p, boom)
				assert.Equal(t, []any{4, 5, "faulty"}, []any{p.Begin, p.End, p.Label})
				assert.Contains(t, string(p.Stack), "TestTeamFaults")
			}()
			_ = sum(func(m *team.Member) {
				m.Barrier()
				if m.LeagueRank() >= 4 && m.Rank() == 3 {
					panic(boom)
				}
				m.Barrier()
			})
		}()

		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = sum(func(m *team.Member) {
				m.Barrier()
				runtime.Goexit()
			})
			panic("not reached")
		}()
		<-ended
		assert.Equal(t, 42, kept)

		require.NoError(t, sum(func(m *team.Member) { m.Barrier() }))
		assert.Equal(t, 80, kept)
	})
}

func TestPatternsThatRefuseTeams(t *testing.T) {
	p := policy.Team(3, 2)
	var total int
	err := exec.ParallelScan(p, func(*team.Member, *int, bool) {}, builtin.Sum(&total))
	assert.ErrorContains(t, err, "exec: ParallelScan over teams")
	err = exec.ParallelFold(exec.Map(p, func(*team.Member) int { return 1 }), builtin.Sum(&total))
	assert.ErrorContains(t, err, "exec: Map over teams")
	assert.ErrorContains(t, exec.ParallelFor(policy.Team(3, 0), func(*team.Member) {}), "policy: Team: 0 members")
}

// What a functor refers to is free after its launch, though engines are kept.
func TestLaunchesLeaveNothingBehind(t *testing.T) {
	sim := simGPU(t, gpu.Device{})
	crew := exec.NewGoroutines(2)
	defer crew.Close()
	for _, s := range []exec.Space{sim, sim.WithSchedule(1), crew} {
		var freed atomic.Int32
		func() {
			x := make([]float64, 1000)
			runtime.AddCleanup(&x[0], func(int) { freed.Add(1) }, 0)
			require.NoError(t, exec.ParallelFor(policy.Team(40, 5).Scratch(0, 8, 0).On(s), func(m *team.Member) {
				team.Scratch[float64](m, 0, 1)
				m.Barrier()
				x[m.LeagueRank()*5+m.Rank()]++
			}))
		}()
		assert.Eventually(t, func() bool { runtime.GC(); return freed.Load() == 1 }, time.Minute, time.Millisecond, s.Name())
	}
}

// A space that nothing refers to ends its goroutines, though functors of its launches
// have referred to it.
func TestDroppedSpaceOfTeams(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		s := exec.NewGoroutines(3)
		require.NoError(t, exec.ParallelFor(policy.Team(40, 5).On(s), func(m *team.Member) {
			m.Barrier()
			assert.Equal(t, 3, s.Concurrency())
		}))
	}
	assert.Eventually(t, func() bool { runtime.GC(); return runtime.NumGoroutine() <= before+1 }, time.Minute, time.Millisecond)
}

// An engine with very many coroutines is not kept.
func TestHugeTeamsLeaveNoCoroutines(t *testing.T) {
	s := exec.NewGoroutines(1)
	defer s.Close()
	require.NoError(t, exec.ParallelFor(policy.Team(2, 5000).On(s), func(m *team.Member) { m.Barrier() }))
	assert.Less(t, runtime.NumGoroutine(), 1000)
}

// A functor may launch teams from a member of a team.
func TestNestedTeams(t *testing.T) {
	onTeamSpaces(t, func(t *testing.T, s exec.Space) {
		var n atomic.Int32
		require.NoError(t, exec.ParallelFor(policy.Team(3, 4).On(s), func(m *team.Member) {
			m.Barrier()
			assert.NoError(t, exec.ParallelFor(policy.Team(2, 5).On(s), func(m *team.Member) {
				m.Barrier()
				n.Add(1)
			}))
			m.Barrier()
		}))
		assert.EqualValues(t, 120, n.Load())
	})
}

func TestLeaguesOfManyTeams(t *testing.T) {
	onTeamSpaces(t, func(t *testing.T, s exec.Space) {
		league := 1<<20 + 1
		if testing.Short() {
			league = 1<<16 + 1
		}
		var n int
		require.NoError(t, exec.ParallelReduce(policy.Team(league, 2).On(s), func(m *team.Member, acc *int) {
			*acc += m.LeagueRank()*2 + m.Rank()
		}, builtin.Sum(&n)))
		assert.Equal(t, (2*league-1)*league, n)
	})
}

// leagues is a policy of teams that is not made by package policy.
type leagues struct{ policy.TeamPolicy }

func (p leagues) Plan() policy.Plan {
	plan := p.TeamPolicy.Plan()
	plan.Team.Vector, plan.Items = 0, 2
	return plan
}

type moreLeagues struct{ policy.TeamPolicy }

func (p moreLeagues) Plan() policy.Plan {
	plan := p.TeamPolicy.Plan()
	plan.Items++
	return plan
}

func TestInvalidShapes(t *testing.T) {
	f := func(*team.Member) {}
	assert.ErrorContains(t, exec.ParallelFor(leagues{policy.Team(2, 3)}, f), "exec: the policy plans 2 items and a shape of teams")
	assert.ErrorContains(t, exec.ParallelFor(moreLeagues{policy.Team(2, 3)}, f), "expected as many teams as items")
}
