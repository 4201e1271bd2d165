package team_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
)

// onSpaces calls f for spaces of every kind.
func onSpaces(t *testing.T, f func(t *testing.T, space exec.Space)) {
	pool := exec.NewGoroutines(2)
	sim := exec.NewSimGPU(gpu.H200())
	t.Cleanup(func() {
		require.NoError(t, pool.Close())
		require.NoError(t, sim.Close())
	})
	for name, space := range map[string]exec.Space{"serial": exec.Serial{}, "goroutines": pool, "simgpu": sim, "simgpu 1": sim.WithSchedule(1), "simgpu 2": sim.WithSchedule(2)} {
		t.Run(name, func(t *testing.T) { f(t, space) })
	}
}

// meetings are all the ways to meet, with the zero value that each returns when members cannot.
var meetings = map[string]func(m *team.Member) any{
	"Barrier":          func(m *team.Member) any { m.Barrier(); return nil },
	"SubGroup.Barrier": func(m *team.Member) any { m.SubGroup().Barrier(); return nil },
	"All":              func(m *team.Member) any { return group.All(m, true) },
	"Any":              func(m *team.Member) any { return group.Any(m, true) },
	"AllReduce":        func(m *team.Member) any { return team.AllReduce(m, 1, builtin.Sum) },
	"AllReduceFrom":    func(m *team.Member) any { return group.AllReduceFrom(m.SubGroup(), 1, 1, builtin.Sum) },
	"ExclusiveScan":    func(m *team.Member) any { return team.ExclusiveScan(m, 1, builtin.Prod) },
	"InclusiveScan":    func(m *team.Member) any { return group.InclusiveScan(m.SubGroup(), 1, builtin.Sum) },
	"Broadcast":        func(m *team.Member) any { return team.Broadcast(m, 1, 0) },
	"Shuffle":          func(m *team.Member) any { return group.Shuffle(m.SubGroup(), 1, 0) },
	"SingleValue":      func(m *team.Member) any { return team.SingleValue(m, func() int { return 1 }) },
	"JointAll":         func(m *team.Member) any { return group.JointAll(m, []int{}, func(int) bool { return true }) },
	"JointAny":         func(m *team.Member) any { return group.JointAny(m, []int{}, func(int) bool { return true }) },
	"JointReduce":      func(m *team.Member) any { return group.JointReduce(m, []int{}, builtin.Prod) },
	"JointScan":        func(m *team.Member) any { group.JointInclusiveScan(m, []int{}, []int{}, builtin.Sum); return nil },
	"Reduce": func(m *team.Member) any {
		x := 0
		team.Reduce(team.ThreadRange(m, 9), func(_ int, acc *int) { *acc++ }, builtin.Sum(&x))
		return x
	},
	"Scan": func(m *team.Member) any {
		x := 0
		team.Scan(team.ThreadRange(m, 9), func(_ int, acc *int, _ bool) { *acc++ }, builtin.Sum(&x))
		return x
	},
}

// A panic reaches the caller, whatever a deferred function waits for, as that of the lowest member.
func TestPanicThroughDeferredCollectives(t *testing.T) {
	cause := errors.New("cause")
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for name, meet := range meetings {
			for _, size := range []int{1, 2, 4, 33} {
				for _, elsewhere := range []bool{false, true} {
					err := panicOf(t, func() error {
						return exec.ParallelFor(policy.Team(3, size).On(space), func(m *team.Member) {
							defer func() {
								x := meet(m)
								if elsewhere && size > 1 && m.LeagueRank() == 1 && m.Rank() == size/2 && x != nil {
									assert.Zero(t, x, name)
								}
							}()
							if m.LeagueRank() == 1 && m.Rank() >= size/2 {
								panic(fmt.Errorf("%w of member %d", cause, m.Rank()))
							}
							if elsewhere {
								m.Barrier()
							}
						})
					})
					require.ErrorIs(t, err, cause, name)
					require.ErrorContains(t, err, fmt.Sprintf("cause of member %d\n", size/2), name)
					require.ErrorContains(t, err, "team_test.TestPanicThroughDeferredCollectives.", name)
				}
			}
		}
	})
}

// runtime.Goexit of a member ends the caller, whatever a deferred function waits for.
func TestGoexitThroughDeferredCollectives(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for name, meet := range meetings {
			for _, size := range []int{1, 2, 33} {
				done := make(chan error, 1)
				go func() {
					defer close(done)
					done <- exec.ParallelFor(policy.Team(3, size).On(space), func(m *team.Member) {
						defer meet(m)
						if m.LeagueRank() == 1 && m.Rank() == size/2 {
							runtime.Goexit()
						}
						m.Barrier()
					})
				}()
				err, returned := <-done
				assert.False(t, returned, "%s in a team of %d: %v", name, size, err)
			}
		}
	})
}

// A member that recovers meets the others in the deferred function, and goes on.
func TestCollectivesAfterRecover(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for name, meet := range meetings {
			require.NoError(t, exec.ParallelFor(policy.Team(3, 8).On(space), func(m *team.Member) {
				func() {
					defer func() {
						_ = recover()
						meet(m)
						assert.Equal(t, 8, team.AllReduce(m, 1, builtin.Sum))
					}()
					if m.Rank()%3 == 1 {
						panic("recovered")
					}
				}()
				m.Barrier()
			}), name)
		}
	})
}

// A deferred barrier that the runtime calls is named by a line of the functor: that of the
// defer statement, or where the function ends.
func TestDivergedDeferredBarriers(t *testing.T) {
	const place = `^(deferred )?barrier at panic_test\.go:\d+`
	assert.Regexp(t, place+`: 7 of 8 lanes arrived \(1-7\); lane 0 returned early$`, sameOnEverySchedule(t, func(m *team.Member) {
		for range m.Rank() {
			defer m.Barrier()
		}
	}))

	line := at(6)
	assert.Regexp(t, place+` after a panic at `+line+`: 1 of 8 lanes arrived \(3\); 7 lanes returned early`, sameOnEverySchedule(t, func(m *team.Member) {
		defer func() { _ = recover() }()
		if m.Rank() == 3 {
			func() {
				defer m.Barrier()
				panic("recovered")
			}()
		}
	}))
}

// panicOf returns what f panics with.
func panicOf(t *testing.T, f func() error) (p *exec.Panic) {
	t.Helper()
	defer func() {
		var ok bool
		p, ok = recover().(*exec.Panic)
		require.True(t, ok, "a panic of the functor")
	}()
	require.NoError(t, f())
	return nil
}
