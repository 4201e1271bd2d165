package mpi

import (
	"cmp"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// sumOf sums numbers from a seed on.
func sumOf(on exec.Space, seed int) (sum float64) {
	exec.Must(exec.ParallelReduce(policy.Range(seed, seed+100).On(on), func(i int, acc *float64) { *acc += noise(i) }, builtin.Sum(&sum)))
	return sum
}

// A functor that launches on the communicator it runs on does so on its rank alone, whatever
// runs there beside it, and members of teams as well.
func TestNestedLaunches(t *testing.T) {
	spaces := inner(t)
	for name, nest := range map[string]func(on exec.Space) (float64, error){
		"range": func(on exec.Space) (sum float64, err error) {
			err = exec.ParallelReduce(policy.Range(0, 50).Chunk(1).On(on), func(i int, acc *float64) { *acc += sumOf(on, i) }, builtin.Sum(&sum))
			return sum, err
		},
		"three levels": func(on exec.Space) (sum float64, err error) {
			err = exec.ParallelReduce(policy.Range(0, 20).Chunk(1).On(on), func(i int, acc *float64) {
				var below float64
				exec.Must(exec.ParallelReduce(policy.Range(0, 5).Chunk(1).On(on), func(k int, acc *float64) { *acc += sumOf(on, 5*i+k) }, builtin.Sum(&below)))
				*acc += below
			}, builtin.Sum(&sum))
			return sum, err
		},
		"teams": func(on exec.Space) (sum float64, err error) {
			err = exec.ParallelReduce(policy.Team(20, 3).On(on), func(m *team.Member, acc *float64) {
				*acc += sumOf(on, 3*m.LeagueRank()+m.Rank())
				m.Barrier()
			}, builtin.Sum(&sum))
			return sum, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := nest(exec.Serial{})
			require.NoError(t, err)
			for _, ranks := range []int{2, 3, 7} {
				errs := everywhere(t, ranks, local.Faults{}, func(c *Comm) error {
					got, err := nest(On(c, spaces[c.Rank()%len(spaces)]))
					if err == nil && got != want {
						err = fmt.Errorf("%v, not %v", got, want)
					}
					return err
				})
				for rank, err := range errs {
					require.NoError(t, err, "rank %d of %d", rank, ranks)
				}
			}
		})
	}
}

// A functor that launches on another communicator does so on the ranks of that, while the first
// one has other launches as well.
func TestNestedOnAnotherCommunicator(t *testing.T) {
	spaces := inner(t)
	want := sumOf(exec.Serial{}, 7)
	var times atomic.Int32
	require.NoError(t, Local(6, func(c *Comm) error {
		l, err := c.link.Dup()
		if err != nil {
			return err
		}
		other, err := newComm(l)
		if err != nil {
			return err
		}
		beside := make(chan error)
		go func() { // launches on the other communicator at the same time
			for range 20 {
				p := policy.Range(0, 10).WithLabel("beside").On(On(other, exec.Serial{}))
				if err := exec.ParallelFor(p, func(int) {}); err != nil {
					beside <- err
					return
				}
			}
			beside <- nil
		}()
		on, inside := On(c, spaces[c.Rank()%len(spaces)]), On(other, exec.Serial{})
		for range 5 {
			err = exec.ParallelFor(policy.Range(0, 6).Chunk(1).WithLabel("outer").On(on), func(int) { // one on each rank
				var sum float64
				p := policy.Range(7, 107).WithLabel("inner").On(inside)
				exec.Must(exec.ParallelReduce(p, func(i int, acc *float64) {
					times.Add(1)
					*acc += noise(i)
				}, builtin.Sum(&sum)))
				if sum != want {
					panic(fmt.Sprint(sum, " not ", want))
				}
			})
			if err != nil {
				return err
			}
		}
		return <-beside
	}))
	require.Equal(t, int32(5*100), times.Load(), "each item on one rank")
}

// A goroutine that a functor has started cannot launch where the functor runs: that is an error, and
// no hang, also of those that it starts. Who has nothing to do with the functor waits.
func TestLaunchesOfStartedGoroutines(t *testing.T) {
	defer func(before time.Duration) { startedGrace = before }(startedGrace)
	startedGrace = 20 * time.Millisecond
	started := func(f func() error) error {
		err := make(chan error)
		go func() { err <- f() }()
		return <-err
	}
	two := exec.NewGoroutines(2)
	defer two.Close()
	for name, inner := range map[string]exec.Space{"serial": exec.Serial{}, "goroutines": two} {
		for depth, nest := range []func(f func() error) error{started, func(f func() error) error { return started(func() error { return started(f) }) }} {
			t.Run(fmt.Sprint(name, ", depth ", depth), func(t *testing.T) {
				for rank, err := range everywhere(t, 3, local.Faults{}, func(c *Comm) error {
					space := On(c, inner)
					err := exec.ParallelFor(policy.Range(0, 3).Chunk(1).On(space), func(int) {
						if err := nest(func() error { return usable(space) }); !errors.Is(err, errStarted) {
							panic(fmt.Sprintf("%v, expected %v", err, errStarted))
						}
					})
					return cmp.Or(err, usable(space))
				}) {
					require.NoError(t, err, "rank %d", rank)
				}
			})
		}
	}
	for rank, err := range everywhere(t, 3, local.Faults{}, func(c *Comm) error {
		on, running, beside := On(c, exec.Serial{}), make(chan bool), make(chan error)
		go func() {
			<-running
			beside <- usable(on)
		}()
		err := exec.ParallelFor(policy.Range(0, 3).Chunk(1).On(on), func(int) {
			running <- true
			time.Sleep(3 * startedGrace)
		})
		return cmp.Or(err, <-beside)
	}) {
		require.NoError(t, err, "rank %d", rank)
	}
}

// Numbers of communicators are read from the stack as they were written.
func TestInside(t *testing.T) {
	for _, id := range []uint{1, 2, 3, 4, 5, 16, 17, 64, 255, 256, 1000, 65537} {
		j := stackJob{run: func() bool { return inside(id) && !inside(id+1) && !inside(id/base) }}
		require.True(t, (&guest{j, id}).Run(0, 0, 1, 0), "%d", id)
		require.True(t, guestSteps{stackSteps{run: j.run}, id}.RunLanes(0, 0, nil), "%d", id)
		require.True(t, (&guest{stackJob{run: func() bool { return (&guest{j, id + 1}).Run(0, 0, 1, 0) || inside(id) }}, id}).Run(0, 0, 1, 0), "%d", id)
		require.False(t, inside(id))
	}
}

type stackJob struct {
	full
	run func() bool
}

func (j stackJob) Run(_, _, _, _ int) bool { return j.run() }

type stackSteps struct {
	space.Steps
	run func() bool
}

func (s stackSteps) RunLanes(int, int, []int) bool { return s.run() }
