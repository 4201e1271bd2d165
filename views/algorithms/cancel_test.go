package algorithms_test

import (
	"cmp"
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views/algorithms"
)

// After a cancel no worker calls a user's function for more than a piece of a leaf, however long leaves are; and the
// bound does not grow with the number of elements.
func TestCancelIsHeardWithinAPiece(t *testing.T) {
	const n, chunk = 1 << 21, 1024
	x, keys, other := make([]int, n), make([]int, n), make([]int, n)
	for i := range x {
		x[i] = int(uint32(i) * 7919 % n)
	}
	all := worlds(t)
	for _, w := range []world{all[0], all[5], all[len(all)-1]} {
		for name, run := range map[string]func(look func(), at policy.Launch) error{
			"SortFunc": func(look func(), at policy.Launch) error {
				return algorithms.SortFunc(on(w, x), func(a, b int) int { look(); return cmp.Compare(a, b) }, at)
			},
			"SortByKeyFunc": func(look func(), at policy.Launch) error {
				return algorithms.SortByKeyFunc(on(w, x), on(w, keys), func(a, b int) int { look(); return cmp.Compare(a, b) }, at)
			},
			"UniqueFunc": func(look func(), at policy.Launch) error {
				return ignore(algorithms.UniqueFunc(on(w, x), func(a, b int) bool { look(); return a == b }, at))
			},
			"StablePartition": func(look func(), at policy.Launch) error {
				return ignore(algorithms.StablePartition(on(w, x), func(a int) bool { look(); return a%2 == 0 }, at))
			},
			"RemoveIf": func(look func(), at policy.Launch) error {
				return ignore(algorithms.RemoveIf(on(w, x), func(a int) bool { look(); return a%2 == 0 }, at))
			},
			"CountIf": func(look func(), at policy.Launch) error {
				return ignore(algorithms.CountIf(on(w, x), func(a int) bool { look(); return a%2 == 0 }, at))
			},
			"FindIf": func(look func(), at policy.Launch) error {
				return ignore(algorithms.FindIf(on(w, x), func(a int) bool { look(); return a < 0 }, at))
			},
			"ForEach": func(look func(), at policy.Launch) error {
				return algorithms.ForEach(on(w, x), func(int, *int) { look() }, at)
			},
			"ReduceByKey": func(look func(), at policy.Launch) error {
				return ignore(algorithms.ReduceByKey(on(w, keys), on(w, other), on(w, keys), on(w, x), func(to *int) reducers.Func[int] {
					return reducers.New(to, func(dst, src *int) { look(); *dst += *src })
				}, at))
			},
			"InclusiveScan": func(look func(), at policy.Launch) error {
				return algorithms.InclusiveScan(on(w, other), on(w, x), reducers.New(new(int), func(dst, src *int) { look(); *dst += *src }), at)
			},
			"ExclusiveScan": func(look func(), at policy.Launch) error {
				return algorithms.ExclusiveScan(on(w, other), on(w, x), reducers.New(new(int), func(dst, src *int) { look(); *dst += *src }), at)
			},
			"MinElementFunc": func(look func(), at policy.Launch) error {
				return ignore(algorithms.MinElementFunc(on(w, x), func(a, b int) int { look(); return cmp.Compare(a, b) }, at))
			},
			"MinMaxElementFunc": func(look func(), at policy.Launch) error {
				_, _, err := algorithms.MinMaxElementFunc(on(w, x), func(a, b int) int { look(); return cmp.Compare(a, b) }, at)
				return err
			},
			"IsPartitioned": func(look func(), at policy.Launch) error {
				_, err := algorithms.IsPartitioned(on(w, x), func(a int) bool { look(); return true }, at)
				return err
			},
		} {
			for _, after := range []int64{1, 1000, 100_000, n - n/8} {
				ctx, cancel := context.WithCancel(t.Context())
				var looks, late atomic.Int64
				var cancelled atomic.Bool
				err := run(func() {
					if cancelled.Load() {
						late.Add(1)
					}
					if looks.Add(1) == after {
						cancel()
						cancelled.Store(true)
					}
				}, w.on.WithContext(ctx))
				cancel()
				require.ErrorIs(t, err, context.Canceled, "%s on %s after %d", name, w.name, after)
				most := int64(w.on.Space().Concurrency()) * 8 * chunk // as many comparisons of an insertion sort
				require.Less(t, late.Load(), most, "%s on %s after %d", name, w.name, after)
			}
		}
	}
}

// cutting is Serial, and cancels a context when a launch begins.
type cutting struct {
	exec.Serial
	cancel       func()
	at, launches int
}

func (c *cutting) Launch(g space.Grid, j space.Job) error {
	if c.launches++; c.launches == c.at {
		c.cancel()
	}
	return c.Serial.Launch(g, j)
}

// Of a sort of numbers no phase begins after a cancel: passes, and what goes between them.
func TestNoPhaseOfASortBeginsAfterACancel(t *testing.T) {
	x := make([]int64, 50_000)
	for i := range x {
		x[i] = int64(i*7919%len(x)) << 30
	}
	for name, sort := range map[string]func(on policy.Launch) error{
		"Sort":      func(on policy.Launch) error { return algorithms.Sort(line(x), on) },
		"SortByKey": func(on policy.Launch) error { return algorithms.SortByKey(line(x), line(make([]string, len(x))), on) },
	} {
		for at := 1; at <= 6; at++ {
			ctx, cancel := context.WithCancel(t.Context())
			s := &cutting{cancel: cancel, at: at}
			require.ErrorIs(t, sort(policy.On(s).WithContext(ctx)), context.Canceled, name)
			require.Equal(t, at, s.launches, name)
		}
	}
}
