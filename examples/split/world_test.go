package split

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// everywhere calls f on each rank at a time and returns the errors, by rank. A panic is one.
func everywhere(w *World, f func(rank int, on exec.Space) error) []error {
	errs := make([]error, w.Size())
	var all sync.WaitGroup
	for rank := range errs {
		all.Go(func() {
			defer func() {
				if p, ok := recover().(*exec.Panic); ok {
					errs[rank] = fmt.Errorf("%v in items %d to %d of %q", p.Value, p.Begin, p.End, p.Label)
				}
			}()
			errs[rank] = errors.New("the goroutine ended")
			errs[rank] = f(rank, w.Rank(rank))
		})
	}
	all.Wait()
	return errs
}

// What goes wrong on one rank goes wrong on all of them, and no result is stored.
func TestFaultsAreEverywhere(t *testing.T) {
	boom := errors.New("boom")
	for name, f := range map[string]struct {
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
		"error": {func(on exec.Space, sum *float64) error {
			return exec.ParallelReduce(policy.Range(0, 1000).Chunk(1).On(on), func(i int, _ *float64) {
				if i >= 990 {
					panic(boom)
				}
			}, builtin.Sum(sum))
		}, `boom in items 990 to 991 of ""`, nil},
		"join": {func(on exec.Space, sum *float64) error {
			return exec.ParallelReduce(policy.Range(0, 1000).Chunk(1).On(on), func(int, *float64) {}, reducers.New(sum, func(_, _ *float64) { panic("join") }))
		}, `join in items 0 to 2 of ""`, nil},
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
		"join inside of a unit": {func(on exec.Space, sum *float64) error {
			return exec.ParallelScan(policy.Range(0, 20000).Chunk(1).On(on), func(i int, acc *float64, _ bool) {
				if i == 15000 {
					*acc += 7
				}
			}, reducers.New(sum, func(dst, src *float64) {
				if *dst += *src; *src == 7 {
					panic("seven")
				}
			}))
		}, `seven in items 0 to 20000 of ""`, nil},
		"exit from a join": {func(on exec.Space, sum *float64) error {
			//gokkosvet:ignore the last item counts
			return exec.ParallelScan(policy.Range(0, 1000).Chunk(1).On(on), func(i int, acc *float64, _ bool) { *acc = float64(i) }, reducers.New(sum, func(dst, src *float64) {
				if *dst = *src; *src == 700 {
					runtime.Goexit()
				}
			}))
		}, goexit + " 0 to 1000, as by runtime.Goexit", nil},
		"error that panics": {func(on exec.Space, sum *float64) error {
			return exec.ParallelReduce(policy.Range(0, 1000).Chunk(1).On(on), func(i int, _ *float64) {
				if i == 5 {
					panic(error((*fs.PathError)(nil)))
				}
			}, builtin.Sum(sum))
		}, `<nil> in items 5 to 6 of ""`, nil},
		"exit": {func(on exec.Space, sum *float64) error {
			return exec.ParallelReduce(policy.Range(0, 1000).On(on), func(i int, _ *float64) {
				if i == 500 {
					runtime.Goexit()
				}
			}, builtin.Sum(sum))
		}, goexit + " 480 to 512, as by runtime.Goexit", nil},
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
	} {
		t.Run(name, func(t *testing.T) {
			for world, w := range worlds(t) {
				sums := make([]float64, w.Size())
				errs := everywhere(w, func(rank int, on exec.Space) error {
					sums[rank] = 42
					return f.run(on, &sums[rank])
				})
				ended := 0
				for rank, err := range errs {
					require.Equal(t, 42.0, sums[rank], "%s, rank %d", world, rank)
					if goexitsHere(err, f.want) {
						ended++
						continue
					}
					if f.is != nil {
						require.ErrorIs(t, err, f.is, "%s, rank %d", world, rank)
					} else {
						require.EqualError(t, err, f.want, "%s, rank %d", world, rank)
					}
				}
				require.Equal(t, strings.HasPrefix(f.want, goexit), ended > 0, "%s: a goroutine has ended", world)
			}
		})
	}
}

// A rank whose functor ends its goroutine has none any more, the others an error.
const goexit = "exec: launch: the goroutine was ended on another process, in items"

func goexitsHere(err error, want string) bool {
	return strings.HasPrefix(want, goexit) && err.Error() == "the goroutine ended"
}

// One rank is told to stop, before or while it runs: all stop.
func TestOneRankCancels(t *testing.T) {
	for world, w := range worlds(t) {
		for _, before := range []bool{true, false} {
			sums := make([]float64, w.Size())
			errs := everywhere(w, func(rank int, on exec.Space) error {
				ctx := context.Background()
				cancel := func() {}
				if rank == w.Size()-1 {
					ctx, cancel = context.WithCancel(ctx)
					if before {
						cancel()
					}
				}
				sums[rank] = 42
				return exec.ParallelReduce(policy.Range(0, 1000).WithContext(ctx).On(on), func(i int, acc *float64) {
					if i > 990 {
						cancel()
					}
				}, builtin.Sum(&sums[rank]))
			})
			for rank, err := range errs {
				require.ErrorIs(t, err, context.Canceled, "%s, rank %d, before: %v", world, rank, before)
				assert.Equal(t, 42.0, sums[rank])
			}
		}
	}
}

// Ranks that make different launches are told so.
func TestOtherLaunches(t *testing.T) {
	w := NewWorld(exec.Serial{}, exec.Serial{})
	errs := everywhere(w, func(rank int, on exec.Space) error {
		return exec.ParallelFor(policy.Range(0, 10+rank).On(on), func(int) {})
	})
	for rank, err := range errs {
		require.ErrorContains(t, err, fmt.Sprintf("rank %d of 2 makes another launch than rank %d", rank, 1-rank))
	}
	errs = everywhere(w, func(rank int, on exec.Space) error {
		var result chan int
		return exec.ParallelReduce(policy.Range(0, 10).On(on), func(int, *chan int) {}, reducers.New(&result, func(_, _ *chan int) {}))
	})
	for _, err := range errs {
		require.ErrorContains(t, err, "chan int")
	}
}
