package exec_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// inOrder is a space that runs the leaves in an order, each on a goroutine that a functor may
// end, and joins them then. Before the leaf of that number in the order it breaks its contract.
type inOrder struct {
	order  func(leaves int) []int
	breaks int
}

func (inOrder) Name() string     { return "in order" }
func (inOrder) Concurrency() int { return 1 }

func (s inOrder) Launch(g space.Grid, j space.Job) error {
	j.Open(1, max(g.Leaves, 1))
	ok := make([]bool, g.Leaves)
	alone := func(f func()) {
		var done sync.WaitGroup
		done.Go(f)
		done.Wait()
	}
	for k, leaf := range s.order(g.Leaves) {
		if k == s.breaks {
			j.Join(0, 0)
			j.Join(1, 1) // of which nobody hears
		}
		alone(func() { ok[leaf] = j.Run(0, leaf, leaf+1, leaf) })
	}
	for w := 1; w < g.Leaves; w *= 2 {
		for k := 0; k+w < g.Leaves; k += 2 * w {
			both := ok[k] && ok[k+w]
			ok[k] = false
			if both {
				alone(func() { ok[k] = j.Join(k, k+w) })
			}
		}
	}
	return nil
}

// orders are orders in which leaves can be run.
func orders() (all []func(leaves int) []int) {
	for seed := range uint64(8) {
		all = append(all, func(leaves int) []int {
			order := make([]int, leaves)
			for k := range order {
				order[k] = k
			}
			switch seed {
			case 0:
			case 1:
				slices.Reverse(order)
			default:
				rand.New(rand.NewPCG(seed, 1)).Shuffle(leaves, func(a, b int) { order[a], order[b] = order[b], order[a] })
			}
			return order
		})
	}
	return all
}

// liar is a policy whose Next breaks the contract in some items.
type liar struct {
	policy.RangePolicy
	at []int
}

func (p liar) Next(begin, end int, dst []int) (n, next int) {
	if slices.Contains(p.at, begin) {
		return 0, begin
	}
	return p.RangePolicy.Next(begin, end, dst)
}

func (p liar) On(s exec.Space) liar { p.RangePolicy = p.RangePolicy.On(s); return p }

// end returns how a launch ends, in words.
func end(launch func() error) (how string) {
	var done sync.WaitGroup
	done.Go(func() {
		how = "the goroutine ends"
		defer func() {
			if p, ok := recover().(*exec.Panic); ok {
				how = fmt.Sprintf("panic in [%d, %d): %v", p.Begin, p.End, p.Value)
			}
		}()
		how = fmt.Sprint(launch())
	})
	done.Wait()
	return how
}

func panicAt(items ...int) func(int, *float64) {
	return func(i int, acc *float64) {
		if slices.Contains(items, i) {
			panic(fmt.Sprint("boom ", i))
		}
		*acc++
	}
}

// How a launch ends is decided by what goes wrong in it, not by the order of its leaves.
func TestEndsAlikeInEveryOrder(t *testing.T) {
	const n = 100
	lies := func(at ...int) liar { return liar{policy.Range(0, n).Chunk(1), at} }
	reduce := func(p liar, f func(int, *float64)) func(exec.Space) error {
		return func(on exec.Space) error { return exec.ParallelReduce(p.On(on), f, builtin.Sum(new(float64))) }
	}
	// The total of a scan is 100, and its prefixes join up to 16 and up to 50 on the way.
	scan := func(f func(i int), join func(sum float64)) func(exec.Space) error {
		return func(on exec.Space) error {
			return exec.ParallelScan(policy.Range(0, n).Chunk(1).On(on), func(i int, acc *float64, final bool) {
				f(i)
				*acc++
			}, reducers.New(new(float64), func(dst, src *float64) {
				*dst += *src
				join(*dst)
			}))
		}
	}
	boom := func(items ...int) func(int) {
		f := panicAt(items...)
		return func(i int) { f(i, new(float64)) }
	}
	tear := func(at float64) func(float64) {
		return func(sum float64) {
			if sum == at {
				panic(fmt.Sprint("join ", at))
			}
		}
	}
	for name, c := range map[string]struct {
		launch func(exec.Space) error
		want   string
	}{
		"policy behind a panic":      {reduce(lies(70), panicAt(30)), "panic in [30, 31): boom 30"},
		"policy before a panic":      {reduce(lies(30), panicAt(70)), "exec: Next of a exec_test.liar returned 0 indices and item 30, expected 1 and 31"},
		"policy twice":               {reduce(lies(71, 70, 90), panicAt()), "exec: Next of a exec_test.liar returned 0 indices and item 70, expected 1 and 71"},
		"panics":                     {reduce(lies(), panicAt(70, 30, 99)), "panic in [30, 31): boom 30"},
		"scan, leaf":                 {scan(boom(90), func(float64) {}), "panic in [90, 91): boom 90"},
		"scan, join":                 {scan(boom(), tear(50)), "panic in [0, 100): join 50"},
		"scan, joins":                {scan(boom(), func(sum float64) { tear(50)(sum); tear(16)(sum) }), "panic in [0, 100): join 16"},
		"scan, join before a leaf":   {scan(boom(90), tear(16)), "panic in [90, 91): boom 90"},
		"scan, exit before a leaf":   {scan(boom(90), exitAt(16)), "panic in [90, 91): boom 90"},
		"scan, exit of all the rest": {scan(boom(), exitAt(16)), "the goroutine ends"},
	} {
		t.Run(name, func(t *testing.T) {
			for k, order := range orders() {
				require.Equal(t, c.want, end(func() error { return c.launch(inOrder{order, -1}) }), "order %d", k)
				for _, breaks := range []int{0, 50} { // what items did counts before what the space did
					require.Equal(t, c.want, end(func() error { return c.launch(inOrder{order, breaks}) }), "order %d, the space breaks its contract", k)
				}
			}
			if name == "scan, exit before a leaf" {
				return // it ends the goroutine that others run everything on
			}
			three := exec.NewGoroutines(3)
			defer three.Close()
			sim := exec.NewSimGPU(gpu.H200())
			defer sim.Close()
			for _, on := range []exec.Space{exec.Serial{}, three, sim, sim.WithSchedule(1), sim.WithSchedule(2)} {
				require.Equal(t, c.want, end(func() error { return c.launch(on) }), on.Name())
			}
		})
	}
}

func exitAt(at float64) func(float64) {
	return func(sum float64) {
		if sum == at {
			runtime.Goexit()
		}
	}
}

// The first thing that a space does wrong is what it is told, whether the launch is cancelled or
// not, and what it returns is told as well.
func TestFirstBreachCounts(t *testing.T) {
	const want = "exec: the space joined leaves 0 to -1 with leaves 0 to -1, which are not the halves of a node"
	for _, cancelAt := range []int{-1, 0, 20, 99} {
		for k, order := range orders()[:2] {
			ctx, cancel := context.WithCancel(context.Background())
			on := faulty{func(g space.Grid, j space.Job) error {
				return errors.Join(inOrder{order, 0}.Launch(g, j), nil)
			}}
			err := exec.ParallelFor(policy.Range(0, 100).Chunk(1).WithContext(ctx).On(on), func(i int) {
				if i == cancelAt {
					cancel()
				}
			})
			assert.EqualError(t, err, want, "order %d, cancelled at %d", k, cancelAt)
			cancel()
		}
	}
	for returned, says := range map[error]string{
		errors.New("lost"): want + "\nlost",
		ranks.ErrFailed:    want,
		errors.Join(ranks.ErrFailed, errors.New("lost")): want + "\n" + ranks.ErrFailed.Error() + "\nlost",
	} {
		err := exec.ParallelFor(policy.Range(0, 100).On(faulty{func(_ space.Grid, j space.Job) error {
			j.Open(1, 1)
			j.Join(0, 0)
			return returned
		}}), func(int) {})
		assert.EqualError(t, err, says)
	}
}

// Where a launch is carried, each error is told once.
func TestCarriedBreachIsToldOnce(t *testing.T) {
	err := exec.ParallelFor(policy.Range(0, 100).On(faulty{func(g space.Grid, j space.Job) error {
		c := j.(ranks.Carrier)
		_, err := c.AppendFingerprint(nil)
		require.NoError(t, err)
		return ranks.Assemble(g, c, []ranks.Node{{First: 0, Last: 16, Data: []byte("none of these")}})
	}}), func(int) {})
	require.ErrorContains(t, err, "exec: launch: leaves 0 to 15 from another process: ")
	assert.Equal(t, 1, strings.Count(err.Error(), "13 bytes"), err)
}
