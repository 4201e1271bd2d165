package mpi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// exit is how the error begins that other ranks get where a functor ends its goroutine.
const exit = "exec: launch: the goroutine was ended on rank "

var errBoom = errors.New("boom")

// faults are launches that go wrong, on whatever rank, and how they end on all of them.
var faults = map[string]struct {
	run  func(on exec.Space, sum *float64) error
	want string
	is   error
}{
	"panic": {func(on exec.Space, sum *float64) error {
		return exec.ParallelReduce(policy.Range(0, 1000).Chunk(1).WithLabel("kettle").On(on), func(i int, _ *float64) {
			if i%300 == 299 {
				panic(fmt.Sprint("boom ", i))
			}
		}, builtin.Sum(sum))
	}, `boom 299 in items 299 to 300 of "kettle"`, nil},
	"panic of an error": {func(on exec.Space, sum *float64) error {
		return exec.ParallelReduce(policy.Range(0, 1000).Chunk(1).On(on), func(i int, _ *float64) {
			if i >= 990 {
				panic(errBoom)
			}
		}, builtin.Sum(sum))
	}, `boom in items 990 to 991 of ""`, nil},
	"panic in the first half of a slice": {func(on exec.Space, sum *float64) error {
		x := make([]float64, 1<<12) // too large for an Allgather
		return exec.ParallelReduce2(policy.Range(0, 1000).Chunk(1).On(on), func(i int, acc *[]float64, _ *float64) {
			if i == 400 || i == 900 {
				panic(i)
			}
		}, reducers.Slice(&x, builtin.Sum), builtin.Sum(sum))
	}, `400 in items 400 to 401 of ""`, nil},
	"join": {func(on exec.Space, sum *float64) error {
		return exec.ParallelReduce(policy.Range(0, 1000).Chunk(1).On(on), func(int, *float64) {}, reducers.New(sum, func(_, _ *float64) { panic("join") }))
	}, `join in items 0 to 2 of ""`, nil},
	"join of the root": {func(on exec.Space, sum *float64) error {
		return exec.ParallelReduce(policy.Range(0, 1000).Chunk(1).On(on), func(_ int, acc *float64) { *acc++ }, reducers.New(sum, func(dst, src *float64) {
			if *dst += *src; *dst == 1000 {
				panic("root")
			}
		}))
	}, `root in items 0 to 1000 of ""`, nil},
	"join of the right half": {func(on exec.Space, sum *float64) error {
		return exec.ParallelReduce(policy.Range(0, 1000).Chunk(1).On(on), func(_ int, acc *float64) { *acc++ }, reducers.New(sum, func(dst, src *float64) {
			if *dst += *src; *dst == 488 {
				panic("right")
			}
		}))
	}, `right in items 512 to 1000 of ""`, nil},
	"join of a scan": {func(on exec.Space, sum *float64) error {
		return exec.ParallelScan(policy.Range(0, 1000).Chunk(1).On(on), func(_ int, acc *float64, _ bool) { *acc++ }, reducers.New(sum, func(dst, src *float64) {
			if *dst += *src; *src == 4 {
				panic("four")
			}
		}))
	}, `four in items 0 to 1000 of ""`, nil},
	"join of prefixes": {func(on exec.Space, sum *float64) error {
		return exec.ParallelScan(policy.Range(0, 1000).Chunk(1).On(on), func(_ int, acc *float64, _ bool) { *acc++ }, reducers.New(sum, func(dst, src *float64) {
			if *dst += *src; *dst == 300 {
				panic("three hundred")
			}
		}))
	}, `three hundred in items 0 to 1000 of ""`, nil},
	"exit": {func(on exec.Space, sum *float64) error {
		return exec.ParallelReduce(policy.Range(0, 1000).On(on), func(i int, _ *float64) {
			if i == 500 {
				runtime.Goexit()
			}
		}, builtin.Sum(sum))
	}, exit + "in items 480 to 512, as by runtime.Goexit", nil},
	"exit of a join": {func(on exec.Space, sum *float64) error {
		return exec.ParallelReduce(policy.Range(0, 1000).Chunk(1).On(on), func(_ int, acc *float64) { *acc++ }, reducers.New(sum, func(dst, src *float64) {
			if *dst += *src; *dst == 1000 {
				runtime.Goexit()
			}
		}))
	}, exit + "in items 0 to 1, as by runtime.Goexit", nil},
	"exit of a scan": {func(on exec.Space, sum *float64) error {
		return exec.ParallelScan(policy.Range(0, 1000).Chunk(1).On(on), func(i int, acc *float64, final bool) {
			if *acc++; final && i == 700 {
				runtime.Goexit()
			}
		}, builtin.Sum(sum))
	}, exit + "in items 700 to 701, as by runtime.Goexit", nil},
	"error that panics": {func(on exec.Space, sum *float64) error {
		return exec.ParallelReduce(policy.Range(0, 1000).Chunk(1).On(on), func(i int, _ *float64) {
			if i == 5 {
				panic(error((*fs.PathError)(nil)))
			}
		}, builtin.Sum(sum))
	}, `<nil> in items 5 to 6 of ""`, nil},
	"divergence": {func(on exec.Space, sum *float64) error {
		return exec.ParallelReduce(policy.Team(100, 2).On(on), func(m *team.Member, _ *float64) {
			if m.LeagueRank() == 70 && m.Rank() == 0 {
				m.Barrier() //gokkosvet:ignore a divergence to be found
			}
		}, builtin.Sum(sum))
	}, "", team.ErrDivergence},
	"final": {func(on exec.Space, sum *float64) error {
		return exec.ParallelReduce(policy.Range(0, 1000).On(on), func(int, *float64) {}, reducers.New(sum, func(_, _ *float64) {}, reducers.Final(func(*float64) { panic("final") })))
	}, `final in items 0 to 1000 of ""`, nil},
	"no form": {func(on exec.Space, sum *float64) error {
		var result chan int
		return exec.ParallelReduce2(policy.Range(0, 10).On(on), func(int, *chan int, *float64) {}, reducers.New(&result, func(_, _ *chan int) {}), builtin.Sum(sum))
	}, "exec: launch: reducers: a partial result of type chan int has no form in bytes", nil},
}

// What goes wrong on one rank goes wrong on all of them, no result is stored, and the next
// launch is as good as ever.
func TestFaultsAreEverywhere(t *testing.T) {
	spaces := inner(t)
	bothWays(t, func(t *testing.T) {
		for name, f := range faults {
			t.Run(name, func(t *testing.T) {
				for _, ranks := range ranksOf()[1:] {
					sums := make([]float64, ranks)
					errs := everywhere(t, ranks, local.Faults{}, func(c *Comm) error {
						on := On(c, spaces[c.Rank()%len(spaces)])
						sums[c.Rank()] = 42
						err := errEnded
						func() {
							defer func() {
								if p, ok := recover().(*exec.Panic); ok {
									err = fmt.Errorf("%v in items %d to %d of %q", p.Value, p.Begin, p.End, p.Label)
								}
							}()
							done := make(chan any)
							go func() {
								defer func() { done <- recover() }()
								err = f.run(on, &sums[c.Rank()])
							}()
							if p := <-done; p != nil {
								panic(p)
							}
						}()
						if wrong := usable(on); wrong != nil {
							return wrong
						}
						return err
					})
					ended := 0
					for rank, err := range errs {
						require.Equal(t, 42.0, sums[rank], "rank %d of %d", rank, ranks)
						switch {
						case f.is != nil:
							require.ErrorIs(t, err, f.is, "rank %d of %d", rank, ranks)
						case err == errEnded && strings.HasPrefix(f.want, exit):
							ended++
						case strings.HasPrefix(f.want, exit):
							require.True(t, strings.HasPrefix(err.Error(), exit) && strings.HasSuffix(err.Error(), f.want[len(exit):]), "%v", err)
						case name == "no form":
							require.ErrorContains(t, err, "chan int")
						default:
							require.EqualError(t, err, f.want, "rank %d of %d", rank, ranks)
						}
					}
					require.Equal(t, strings.HasPrefix(f.want, exit), ended > 0, "a goroutine has ended")
				}
			})
		}
	})
}

// A panic of another rank says which rank that was, and has its stack.
func TestPanicHasAnOrigin(t *testing.T) {
	bothWays(t, func(t *testing.T) {
		panics := make([]*exec.Panic, 3)
		require.NoError(t, Local(3, func(c *Comm) error {
			defer func() { panics[c.Rank()] = recover().(*exec.Panic) }()
			return exec.ParallelFor(policy.Range(0, 90).Chunk(1).WithLabel("kettle").On(On(c, exec.Serial{})), func(i int) {
				if i == 45 {
					panic(&errBoom)
				}
			})
		}))
		for rank, p := range panics {
			require.Contains(t, string(p.Stack), "TestPanicHasAnOrigin")
			require.Equal(t, []int{45, 46}, []int{p.Begin, p.End})
			if rank == 1 {
				require.Equal(t, &errBoom, p.Value, "the value itself")
				require.Empty(t, p.Origin)
			} else {
				require.Equal(t, "rank 1 of 3 of world", p.Origin)
				require.Equal(t, fmt.Sprint(&errBoom), p.Value)
				require.Contains(t, p.Error(), `in items [45, 46) of "kettle" on rank 1 of 3 of world: `)
			}
		}
	})
}

// usable returns an error unless a space still computes.
func usable(on exec.Space) error {
	var sum int
	err := exec.ParallelReduce(policy.Range(0, 1000).Chunk(1).WithLabel("usable").On(on), func(i int, acc *int) { *acc += i }, builtin.Sum(&sum))
	if err != nil || sum != 499500 {
		return fmt.Errorf("the next launch is %d with error %w, expected 499500", sum, err)
	}
	return nil
}

// One rank is told to stop, before or while it runs: all stop.
func TestOneRankCancels(t *testing.T) {
	bothWays(t, func(t *testing.T) {
		for _, ranks := range ranksOf()[1:] {
			for _, before := range []bool{true, false} {
				sums := make([]float64, ranks)
				errs := everywhere(t, ranks, local.Faults{}, func(c *Comm) error {
					ctx := context.Background()
					cancel := func(error) {}
					if c.Rank() == c.Size()-1 {
						ctx, cancel = context.WithCancelCause(ctx)
						if before {
							cancel(context.DeadlineExceeded)
						}
					}
					sums[c.Rank()] = 42
					return exec.ParallelReduce(policy.Range(0, 1000).WithContext(ctx).On(On(c, exec.Serial{})), func(i int, acc *float64) {
						if i > 990 {
							cancel(context.DeadlineExceeded)
						}
					}, builtin.Sum(&sums[c.Rank()]))
				})
				for rank, err := range errs {
					require.EqualError(t, err, "exec: launch cancelled: context deadline exceeded", "rank %d of %d", rank, ranks)
					require.ErrorIs(t, err, context.DeadlineExceeded, "rank %d of %d, before: %v", rank, ranks, before)
					require.Equal(t, 42.0, sums[rank])
				}
			}
		}
	})
}

// broken is a space that cannot run, or breaks its contract.
type broken struct {
	exec.Serial
	err error
}

func (broken) Name() string { return "broken" }
func (b broken) Launch(g space.Grid, j space.Job) error {
	if b.err != nil {
		return b.err
	}
	panic("broken")
}

// clumsy breaks its contract in a way of its own.
type clumsy struct {
	exec.Serial
	slot int
}

func (c clumsy) Launch(g space.Grid, j space.Job) error {
	err := c.Serial.Launch(g, j)
	j.Run(0, 0, 1, c.slot)
	return err
}

// A space that fails on some ranks fails on all of them, as the lowest of these says.
func TestInnerSpacesFail(t *testing.T) {
	closed := exec.NewGoroutines(2)
	require.NoError(t, closed.Close())
	for name, c := range map[string]struct {
		spaces []exec.Space
		want   string
		is     error
	}{
		"one":             {[]exec.Space{exec.Serial{}, broken{err: errBoom}, exec.Serial{}, exec.Serial{}}, "mpi: rank 1 of 4: boom", nil},
		"two":             {[]exec.Space{exec.Serial{}, exec.Serial{}, broken{err: errBoom}, broken{err: errors.New("late")}}, "mpi: rank 2 of 4: boom", nil},
		"two of rank 0's": {[]exec.Space{exec.Serial{}, broken{err: errBoom}, broken{err: errors.New("late")}, exec.Serial{}}, "mpi: rank 1 of 4: boom", nil},
		"the first":       {[]exec.Space{broken{err: errBoom}, broken{err: errors.New("late")}}, "mpi: rank 0 of 2: boom", nil},
		"closed":          {[]exec.Space{exec.Serial{}, closed, exec.Serial{}}, "mpi: rank 1 of 3: " + space.ErrClosed.Error(), space.ErrClosed},
		"clumsy":          {[]exec.Space{exec.Serial{}, clumsy{slot: 7}, clumsy{slot: 8}}, "exec: the space ran worker 0 and slot 7, having opened 1 workers and 1 slots", nil},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T) {
				ranks := len(c.spaces)
				sums := make([]float64, ranks)
				errs := everywhere(t, ranks, local.Faults{}, func(comm *Comm) error {
					sums[comm.Rank()] = 42
					err := exec.ParallelReduce(policy.Range(0, 100).On(On(comm, c.spaces[comm.Rank()])), func(int, *float64) {}, builtin.Sum(&sums[comm.Rank()]))
					if wrong := usable(On(comm, exec.Serial{})); wrong != nil {
						return wrong
					}
					return err
				})
				for rank, err := range errs {
					require.ErrorContains(t, err, c.want, "rank %d", rank)
					if c.is != nil {
						require.ErrorIs(t, err, c.is, "rank %d", rank)
					}
					require.Equal(t, 42.0, sums[rank])
				}
			})
		})
	}
}

// A space that panics does so on its rank, and is an error on the others.
func TestInnerSpacePanics(t *testing.T) {
	errs := everywhere(t, 3, local.Faults{}, func(c *Comm) (err error) {
		var on exec.Space = exec.Serial{}
		if c.Rank() == 1 {
			on = broken{}
			defer func() { err = fmt.Errorf("panic: %v", recover()) }()
		}
		return exec.ParallelFor(policy.Range(0, 100).On(On(c, on)), func(int) {})
	})
	require.EqualError(t, errs[0], "mpi: rank 1 of 3: space broken did not return from Launch")
	require.EqualError(t, errs[1], "panic: broken")
	require.EqualError(t, errs[2], "mpi: rank 1 of 3: space broken did not return from Launch")
}

// What is wrong with a Space is an error of its launches.
func TestNoSpace(t *testing.T) {
	var none Space
	require.EqualError(t, exec.ParallelFor(policy.Range(0, 10).On(none), func(int) {}), "mpi: a Space without a communicator, expected one made by On")
	require.Equal(t, "mpi", none.Name())
	require.Equal(t, 1, none.Concurrency())
	require.NoError(t, Local(1, func(c *Comm) error {
		err := exec.ParallelFor(policy.Range(0, 10).On(On(c, nil)), func(int) {})
		require.EqualError(t, err, "mpi: On was given a nil space, expected the one that runs this rank's items")
		_, _, err = Part(On(c, exec.Serial{}), policy.Range(5, 3))
		require.ErrorContains(t, err, "Range(5, 3)")
		_, _, err = On(c, exec.Serial{}).PartOf(policy.Range(3, 5), 1)
		require.EqualError(t, err, "mpi: PartOf rank 1 of 1")
		return nil
	}))
}
