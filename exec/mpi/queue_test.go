package mpi

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// impatient makes ranks wait for a launch in common for that long only, until the end of a test.
func impatient(t testing.TB, grace time.Duration) {
	before := mismatchGrace
	t.Cleanup(func() { mismatchGrace = before })
	mismatchGrace = grace
}

// notYet is in functors that are called only if a launch runs before ranks compare it.
func notYet() {
	if !alwaysShort {
		panic("not to be called")
	}
}

// Ranks that make different launches are told so, all in the same words, and then go on.
func TestOtherLaunches(t *testing.T) {
	impatient(t, 5*time.Millisecond)
	sum := func(on exec.Space, p policy.RangePolicy) error {
		var sum float64
		return exec.ParallelReduce(p.On(on), func(int, *float64) {}, builtin.Sum(&sum))
	}
	for name, launch := range map[string]func(on exec.Space, odd bool) error{
		"items": func(on exec.Space, odd bool) error {
			if odd {
				return sum(on, policy.Range(0, 11))
			}
			return sum(on, policy.Range(0, 10))
		},
		"chunk": func(on exec.Space, odd bool) error {
			if odd {
				return sum(on, policy.Range(0, 100).Chunk(8))
			}
			return sum(on, policy.Range(0, 100))
		},
		"first index": func(on exec.Space, odd bool) error {
			if odd {
				return sum(on, policy.Range(1, 11))
			}
			return sum(on, policy.Range(0, 10))
		},
		"label": func(on exec.Space, odd bool) error {
			if odd {
				return sum(on, policy.Range(0, 10).WithLabel("odd"))
			}
			return sum(on, policy.Range(0, 10))
		},
		"functor": func(on exec.Space, odd bool) error {
			if odd {
				return exec.ParallelFor(policy.Range(0, 10).On(on), func(int) { notYet() })
			}
			return exec.ParallelFor(policy.Range(0, 10).On(on), func(int) { notYet(); notYet() })
		},
		"refused": func(on exec.Space, odd bool) error {
			if odd {
				return sum(on, policy.Range(10, 0))
			}
			return sum(on, policy.Range(0, 10))
		},
		"refused scan": func(on exec.Space, odd bool) error {
			var sum float64
			p := policy.Range(0, 10).On(on)
			if odd {
				p = policy.Range(10, 0).On(on)
			}
			return exec.ParallelScan(p, func(int, *float64, bool) {}, builtin.Sum(&sum))
		},
		"refused without a functor": func(on exec.Space, odd bool) error {
			f := func(int) {}
			if odd {
				f = nil
			}
			return exec.ParallelFor(policy.Range(0, 10).On(on), f)
		},
		"refused by one inner space": func(on exec.Space, odd bool) error {
			if odd {
				on = On(on.(Space).Comm(), exec.NewSimGPU(gpu.H200()))
			}
			return exec.ParallelFor(policy.Team(10, 2048).On(on), func(*team.Member) {})
		},
		"refused for a reducer": func(on exec.Space, odd bool) error {
			var sum float64
			r := reducers.Folder[float64](builtin.Sum(&sum))
			if odd {
				r = nil
			}
			return exec.ParallelFold(exec.Map(policy.Range(0, 10).On(on), noise), r)
		},
		"refused as a slice is short": func(on exec.Space, odd bool) error {
			x := make([]float64, 10)
			if odd {
				x = x[1:]
			}
			var sum float64
			return exec.ParallelFold(exec.Slice(policy.Range(0, 10).On(on), x), builtin.Sum(&sum))
		},
		"pattern": func(on exec.Space, odd bool) error {
			if odd {
				return exec.ParallelFor(policy.Range(0, 10).On(on), func(int) { notYet() })
			}
			return sum(on, policy.Range(0, 10))
		},
		"reducer": func(on exec.Space, odd bool) error {
			var a float64
			r := builtin.Sum(&a)
			if odd {
				return exec.ParallelFold(exec.Map(policy.Range(0, 10).On(on), noise), builtin.Max(&a))
			}
			return exec.ParallelFold(exec.Map(policy.Range(0, 10).On(on), noise), r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T) {
				for _, ranks := range ranksOf()[1:] {
					odd := ranks / 2
					errs := everywhere(t, ranks, local.Faults{}, func(c *Comm) error {
						on := On(c, exec.Serial{})
						err := launch(on, c.Rank() == odd)
						if wrong := usable(on); wrong != nil {
							return wrong
						}
						return err
					})
					for rank, err := range errs {
						require.ErrorContains(t, err, "mpi: the ranks of world make different launches, expected the same ones:\n\trank 0: ", "rank %d of %d", rank, ranks)
						require.ErrorContains(t, err, fmt.Sprintf("\n\trank %d: ", odd))
						if !strings.HasPrefix(name, "refused") { // which say on their rank what is wrong
							require.Equal(t, errs[0].Error(), err.Error())
						}
					}
				}
			})
		})
	}
}

// What all ranks refuse is the error that it is.
func TestRefusedEverywhere(t *testing.T) {
	for rank, err := range everywhere(t, 3, local.Faults{}, func(c *Comm) error {
		on := On(c, exec.Serial{})
		err := exec.ParallelFor(policy.Range(5, 3).On(on), func(int) {})
		if wrong := usable(on); wrong != nil {
			return wrong
		}
		return err
	}) {
		require.EqualError(t, err, exec.ParallelFor(policy.Range(5, 3), func(int) {}).Error(), "rank %d", rank)
	}
}

// Launches in another order are an error, too, as long as there is one goroutine.
func TestAnotherOrder(t *testing.T) {
	impatient(t, 5*time.Millisecond)
	errs := everywhere(t, 3, local.Faults{}, func(c *Comm) error {
		on := On(c, exec.Serial{})
		labels := []string{"a", "b"}
		if c.Rank() == 1 {
			labels = []string{"b", "a"}
		}
		first := exec.ParallelFor(policy.Range(0, 10).WithLabel(labels[0]).On(on), func(int) {})
		second := exec.ParallelFor(policy.Range(0, 10).WithLabel(labels[1]).On(on), func(int) {})
		return fmt.Errorf("%w, %w", first, second)
	})
	for _, err := range errs {
		require.Equal(t, errs[0].Error(), err.Error())
		require.ErrorContains(t, err, `"a"`)
		require.ErrorContains(t, err, `"b"`)
	}
}

// Goroutines launch in any order, and other ones on each rank, for a while: each launch gets its
// own result, on all ranks.
func TestLaunchesOfSeveralGoroutines(t *testing.T) {
	impatient(t, 20*time.Second)
	const callers, launches = 5, 12
	bothWays(t, func(t *testing.T) {
		for _, ranks := range []int{2, 3, 7} {
			for seed := range uint64(3) {
				errs := everywhere(t, ranks, local.Faults{Seed: seed, Late: .2, Waiting: .2}, func(c *Comm) error {
					on := On(c, exec.Serial{})
					errs := make([]error, callers)
					var all sync.WaitGroup
					for caller := range callers {
						rng := rand.New(rand.NewPCG(seed, uint64(100*c.Rank()+caller)))
						all.Go(func() {
							for k := range launches {
								time.Sleep(time.Duration(rng.IntN(300)) * time.Microsecond)
								if err := counted(on, caller, k); err != nil {
									errs[caller] = err
									return
								}
							}
						})
					}
					all.Wait()
					for _, err := range errs {
						if err != nil {
							return err
						}
					}
					return nil
				})
				for rank, err := range errs {
					require.NoError(t, err, "rank %d of %d, seed %d", rank, ranks, seed)
				}
			}
		}
	})
}

// counted makes a launch that is known by its label.
func counted(on exec.Space, caller, k int) error {
	n, sum := 50+k, 0
	p := policy.Range(0, n).WithLabel(fmt.Sprint("caller ", caller)).On(on)
	if err := exec.ParallelReduce(p, func(i int, acc *int) { *acc += i * (caller + 1) }, builtin.Sum(&sum)); err != nil {
		return err
	}
	if want := (caller + 1) * n * (n - 1) / 2; sum != want {
		return fmt.Errorf("launch %d of caller %d is %d, expected %d", k, caller, sum, want)
	}
	return nil
}

// Two launches that cannot be told apart are errors, wherever they are seen at one time.
func TestLaunchesAlike(t *testing.T) {
	errs := everywhere(t, 3, local.Faults{}, func(c *Comm) error {
		on := On(c, exec.Serial{})
		launch := func() error { return exec.ParallelFor(policy.Range(0, 10).On(on), func(int) {}) }
		if c.Rank() != 1 {
			return fmt.Errorf("%w, %w", launch(), launch())
		}
		c.launch.mu.Lock() // until both have come
		c.launch.busy = true
		c.launch.mu.Unlock()
		two := make(chan error)
		for range 2 {
			go func() { two <- launch() }()
		}
		for {
			c.launch.mu.Lock()
			waiting := len(c.launch.waiting)
			c.launch.mu.Unlock()
			if waiting == 2 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		c.launch.leave(&ticket{has: true})
		return fmt.Errorf("%w, %w", <-two, <-two)
	})
	for rank, err := range errs {
		require.EqualError(t, err, errAlike.Error()+", "+errAlike.Error(), "rank %d", rank)
	}
}

// Ranks that are told to wait and then have no launch in common go on afterwards, those that
// waited included.
func TestMismatchEndsAllThatWait(t *testing.T) {
	before := mismatched
	defer func() { mismatched = before }()
	var full [2]atomic.Bool // all launches of a rank wait
	mismatched = func(q *queue, _ time.Time, waiting int) bool {
		both := full[0].Load() && full[1].Load()
		full[q.link.Rank()].Store(waiting == 3)
		return both
	}
	errs := everywhere(t, 2, local.Faults{}, func(c *Comm) error {
		on := On(c, exec.Serial{})
		errs := make(chan error, 3)
		for k := range 3 {
			go func() {
				errs <- exec.ParallelFor(policy.Range(0, 10).WithLabel(fmt.Sprint(c.Rank(), "/", k)).On(on), func(int) {})
			}()
		}
		first := <-errs
		for range 2 {
			if err := <-errs; first == nil || err != first {
				return fmt.Errorf("%w, expected the same error for all three: %w", err, first)
			}
		}
		return usable(on)
	})
	require.NoError(t, errs[0])
	require.NoError(t, errs[1])
}
