package mpi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
	"github.com/gokkos/gokkos/exec/space/device"
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

// looksAtOnce lets launches look at once whether they can have a turn. A number comes for each that waits on.
func looksAtOnce(t *testing.T) (looked chan int) {
	looked = make(chan int, 1000)
	grace, before := startedGrace, waitsOn
	t.Cleanup(func() { startedGrace, waitsOn = grace, before })
	over := make(chan time.Time)
	close(over)
	startedGrace, waitsOn = func() <-chan time.Time { return over }, func() { looked <- 1 }
	return looked
}

// A goroutine that a functor has started cannot launch where the functor runs: that is an error, and
// no hang, also of those that it starts. Who has nothing to do with the functor waits.
func TestLaunchesOfStartedGoroutines(t *testing.T) {
	looked := looksAtOnce(t)
	started := func(f func() error) error {
		err := make(chan error)
		go func() { err <- f() }()
		return <-err
	}
	two := exec.NewGoroutines(2)
	defer two.Close()
	for name, inner := range map[string]exec.Space{"serial": exec.Serial{}, "goroutines": two} {
		for way, nest := range map[string]func(f func() error) error{
			"go":       started,
			"go of go": func(f func() error) error { return started(func() error { return started(f) }) },
			"WaitGroup.Go": func(f func() error) (err error) {
				var group sync.WaitGroup
				group.Go(func() { err = f() })
				group.Wait()
				return err
			},
			"go of WaitGroup.Go": func(f func() error) (err error) {
				var group sync.WaitGroup
				group.Go(func() { err = started(f) })
				group.Wait()
				return err
			},
			"pool": func(f func() error) error {
				work, done := make(chan func() error), make(chan error)
				func() { // which returns before the goroutine launches
					go func() {
						for f := range work {
							done <- f()
						}
					}()
				}()
				work <- f
				close(work)
				return <-done
			},
		} {
			t.Run(name+", "+way, func(t *testing.T) {
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
	for len(looked) > 0 {
		<-looked
	}
	for rank, err := range everywhere(t, 3, local.Faults{}, func(c *Comm) error {
		on, running := On(c, exec.Serial{}), make(chan bool)
		var before sync.WaitGroup
		var beside error
		before.Go(func() {
			<-running
			beside = usable(on)
		})
		err := exec.ParallelFor(policy.Range(0, 3).Chunk(1).On(on), func(int) {
			running <- true //gokkosvet:ignore on the host
			<-looked        //gokkosvet:ignore on the host
		})
		before.Wait()
		return cmp.Or(err, beside)
	}) {
		require.NoError(t, err, "rank %d", rank)
	}
}

// What a functor has started may launch once the functor's launch is over, during another one too.
func TestLaunchesOfLateGoroutines(t *testing.T) {
	looked := looksAtOnce(t)
	for rank, err := range everywhere(t, 3, local.Faults{}, func(c *Comm) error {
		on, running, late := On(c, exec.Serial{}), make(chan bool), make(chan error)
		launch := func(f func(int)) error { return exec.ParallelFor(policy.Range(0, 3).Chunk(1).On(on), f) }
		err := launch(func(int) {
			go func() { //gokkosvet:ignore on the host
				<-running          //gokkosvet:ignore on the host
				late <- usable(on) //gokkosvet:ignore on the host
			}()
		})
		return cmp.Or(err, launch(func(int) {
			running <- true //gokkosvet:ignore on the host
			<-looked        //gokkosvet:ignore on the host
		}), <-late)
	}) {
		require.NoError(t, err, "rank %d", rank)
	}
}

// A goroutine keeps its labels in a functor and after it, in what profiles tell of it.
func TestLabels(t *testing.T) {
	require.NotNil(t, labelsType, "package pprof does not tell what labels are")
	two := exec.NewGoroutines(2)
	defer two.Close()
	for _, inner := range []exec.Space{exec.Serial{}, two} {
		require.NoError(t, Local(2, func(c *Comm) (err error) {
			p := policy.Range(0, 40).Chunk(1).On(On(c, inner))
			who := fmt.Sprint("rank ", c.Rank())
			pprof.Do(context.Background(), pprof.Labels("who", who), func(context.Context) {
				before := goroutineLabels()
				err = exec.ParallelFor(p, func(i int) {
					if labels := goroutineLabels(); labels == before || labels == nil {
						panic("the labels are not those of the launch")
					}
					if i != 20*c.Rank() || inner != (exec.Serial{}) {
						return
					}
					var text strings.Builder
					if err := pprof.Lookup("goroutine").WriteTo(&text, 1); err != nil {
						panic(err)
					}
					if !strings.Contains(text.String(), fmt.Sprintf("%q:%q", "who", who)) {
						panic("a profile tells no labels: " + text.String())
					}
				})
				if err == nil && goroutineLabels() != before {
					err = errors.New("other labels after the launch")
				}
			})
			return err
		}))
	}
	var m marks
	first := m.of(nil)
	assert.Equal(t, first, m.of(nil))
	assert.Equal(t, first, m.of(first), "of a goroutine that another one has started")
	m.begin()
	seen := map[unsafe.Pointer]bool{first: true}
	for range 3 * spareLabels {
		second := m.of(nil)
		require.False(t, seen[second], "labels of two launches")
		seen[second] = true
		m.begin()
	}
}

// Numbers of communicators are read from the stack as they were written.
func TestInside(t *testing.T) {
	for _, id := range []uint{1, 2, 3, 4, 5, 16, 17, 64, 255, 256, 1000, 65537} {
		j := stackJob{run: func() bool { return inside(id) && !inside(id+1) && !inside(id/base) }}
		require.True(t, (&guest{full: j, id: id}).Run(0, 0, 1, 0), "%d", id)
		require.True(t, guestSteps{stackSteps{run: j.run}, id, nil}.RunLanes(0, 0, nil), "%d", id)
		require.True(t, (&guest{full: stackJob{run: func() bool { return (&guest{full: j, id: id + 1}).Run(0, 0, 1, 0) || inside(id) }}, id: id}).Run(0, 0, 1, 0), "%d", id)
		require.False(t, inside(id))
	}
}

type stackJob struct {
	full
	run func() bool
}

func (j stackJob) Run(_, _, _, _ int) bool { return j.run() }

type stackSteps struct {
	device.Steps
	run func() bool
}

func (s stackSteps) RunLanes(int, int, []int) bool { return s.run() }
