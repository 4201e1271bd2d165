package exec_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// upperFirst runs the upper half of the leaves, in one call, and the lower one where a functor says so.
type upperFirst struct {
	lower func()
	ran   bool // all of the upper half
}

func (*upperFirst) Name() string     { return "upper first" }
func (*upperFirst) Concurrency() int { return 2 }

func (s *upperFirst) Launch(g space.Grid, j space.Job) error {
	j.Open(2, 2)
	s.lower = func() { j.Run(1, 0, g.Leaves/2, 0) }
	s.ran = j.Run(0, g.Leaves/2, g.Leaves, 1)
	return nil
}

// leafwise are launches over integers whose leaves have chunk items. They call f with the first integer of each call of a functor.
var leafwise = map[string]func(on policy.Launch, n, chunk int, f func(i int)) error{
	"for": func(on policy.Launch, n, chunk int, f func(i int)) error {
		return exec.ParallelFor(policy.Range(0, n).Chunk(chunk).With(on), f)
	},
	"for spans": func(on policy.Launch, n, chunk int, f func(i int)) error {
		return exec.ParallelFor(policy.Spans(0, n).Chunk(chunk).With(on), func(s policy.Span) { f(s.Begin) })
	},
	"reduce": func(on policy.Launch, n, chunk int, f func(i int)) error {
		var a int
		return exec.ParallelReduce(policy.Range(0, n).Chunk(chunk).With(on), func(i int, _ *int) { f(i) }, builtin.Sum(&a))
	},
	"reduce spans": func(on policy.Launch, n, chunk int, f func(i int)) error {
		var a builtin.ValLoc[float64, int]
		return exec.ParallelReduce(policy.Spans(0, n).Chunk(chunk).With(on), func(s policy.Span, _ *builtin.ValLoc[float64, int]) { f(s.Begin) }, builtin.MinLoc(&a))
	},
	"reduce 2": func(on policy.Launch, n, chunk int, f func(i int)) error {
		var a, b int
		return exec.ParallelReduce2(policy.Range(0, n).Chunk(chunk).With(on), func(i int, _, _ *int) { f(i) }, builtin.Sum(&a), builtin.Max(&b))
	},
	"reduce 3": func(on policy.Launch, n, chunk int, f func(i int)) error {
		var a, b, c int
		return exec.ParallelReduce3(policy.Spans(0, n).Chunk(chunk).With(on), func(s policy.Span, _, _, _ *int) { f(s.Begin) }, builtin.Sum(&a), builtin.Max(&b), builtin.Min(&c))
	},
	"reduce 4": func(on policy.Launch, n, chunk int, f func(i int)) error {
		var a, b, c, d int
		return exec.ParallelReduce4(policy.Range(0, n).Chunk(chunk).With(on), func(i int, _, _, _, _ *int) { f(i) }, builtin.Sum(&a), builtin.Max(&b), builtin.Min(&c), builtin.Prod(&d))
	},
	"lanes": func(on policy.Launch, n, chunk int, f func(i int)) error {
		var a int
		return exec.ParallelReduceLanes(policy.Spans(0, n).Chunk(chunk).With(on), func(s exec.Lanes[int]) { f(s.Begin) }, builtin.Sum(&a))
	},
}

// A worker runs no leaf behind one that has failed, in the middle of a node, too.
func TestLeavesBehindAFault(t *testing.T) {
	const n, chunk = 64, 4
	for name, launch := range leafwise {
		var s upperFirst
		var began []int
		p := recovered(func() {
			_ = launch(policy.On(&s), n, chunk, func(i int) {
				if began = append(began, i); i == n/2+chunk { //gokkosvet:ignore leaves follow each other
					s.lower()
				}
				if i == n/4 {
					panic("here")
				}
			})
		})
		require.NotNil(t, p, name)
		assert.Equal(t, [2]int{n / 4, n/4 + chunk}, [2]int{p.Begin, p.End}, name)
		assert.Less(t, slices.Max(began), n/2+2*chunk, "%s: %v", name, began)
		assert.False(t, s.ran, "%s: a node without some of its leaves", name)
	}
}

func recovered(f func()) (p *exec.Panic) {
	defer func() { p, _ = recover().(*exec.Panic) }()
	f()
	return nil
}

// A launch that is cancelled begins no other leaf.
func TestLeavesBehindACancel(t *testing.T) {
	const n, chunk = 64, 4
	for name, launch := range leafwise {
		ctx, cancel := context.WithCancel(t.Context())
		var began []int
		err := launch(policy.On(exec.Serial{}).WithContext(ctx), n, chunk, func(i int) {
			if began = append(began, i); i == 2*chunk { //gokkosvet:ignore on Serial
				cancel()
			}
		})
		require.ErrorIs(t, err, context.Canceled, name)
		assert.Less(t, slices.Max(began), 3*chunk, "%s: %v", name, began)
	}
}

// Values of several leaves are joined as those of one by one are, of whatever type: a reduction that is not associative tells.
func TestSeveralLeavesHaveTheBitsOfTheTree(t *testing.T) {
	type pair struct{ a, b float64 }
	mix := func(dst, src *pair) { dst.a, dst.b = dst.a*1.5-src.a, math.Sqrt(math.Abs(dst.b+src.b))+src.a }
	device := simGPU(t, gpu.Device{})
	for _, n := range []int{1, 15, 16, 17, 63, 64, 1000, 1023, 4097, 100_000} {
		for _, first := range []int{0, -7} {
			run := func(on exec.Space) (got [4]pair) {
				var x float64
				p, r := policy.Range(first, first+n).On(on), reducers.New(&got[0], mix)
				item := func(i int, acc *pair) { acc.a += 1 / float64(i+10); acc.b = acc.b/3 + float64(i) }
				require.NoError(t, exec.ParallelReduce(p, item, r))
				require.NoError(t, exec.ParallelReduce2(p, func(i int, a *pair, b *float64) { item(i, a); *b += 1 / float64(i+10) }, reducers.New(&got[1], mix), builtin.Sum(&x)))
				got[3].a = x
				require.NoError(t, exec.ParallelReduce(policy.Spans(first, first+n).On(on), func(s policy.Span, acc *pair) {
					for i := range s.All() {
						item(i, acc)
					}
				}, reducers.New(&got[2], mix)))
				return got
			}
			want := run(inOrder{orders()[0], -1}) // leaf by leaf
			assert.Equal(t, want[0], want[1])
			for _, on := range []exec.Space{exec.Serial{}, device} {
				assert.Equal(t, want, run(on), "%d items from %d on %s", n, first, on.Name())
			}
		}
	}
}

// The same of rows of a box, which end within leaves, and of points.
func TestSeveralLeavesOfRowsHaveTheBitsOfTheTree(t *testing.T) {
	type pair struct{ a, b float64 }
	mix := func(dst, src *pair) { dst.a, dst.b = dst.a*1.5-src.a, math.Sqrt(math.Abs(dst.b+src.b))+src.a }
	item := func(i, j int, acc *pair) { acc.a += 1 / float64(7*i+j+30); acc.b = acc.b/3 + float64(i-j) }
	device := simGPU(t, gpu.Device{})
	for _, size := range [][2]int{{1, 1}, {3, 5}, {31, 31}, {2, 1000}, {700, 3}, {120, 99}} {
		p := policy.MDRange2([2]int{-2, 1}, [2]int{size[0] - 2, size[1] + 1})
		run := func(on exec.Space) (got [5]pair, sums [4]float64) {
			row := func(r policy.Row[policy.Index2], acc *pair) {
				for j := range r.All() {
					item(r.At.I, j, acc)
				}
			}
			require.NoError(t, exec.ParallelReduce2(p.Rows().On(on), func(r policy.Row[policy.Index2], a *pair, s *float64) {
				row(r, a)
				*s += 1 / float64(r.Begin+9)
			}, reducers.New(&got[0], mix), builtin.Sum(&sums[0])))
			require.NoError(t, exec.ParallelReduce3(p.Rows().On(on), func(r policy.Row[policy.Index2], a *pair, s, m *float64) {
				row(r, a)
				*s += 1 / float64(r.Begin+9)
				*m = max(*m, *s)
			}, reducers.New(&got[1], mix), builtin.Sum(&sums[1]), builtin.Max(&sums[2])))
			require.NoError(t, exec.ParallelReduce4(p.On(on), func(at policy.Index2, a, b *pair, s, m *float64) {
				item(at.I, at.J, a)
				item(at.J, at.I, b)
				*s += a.a
				*m = max(*m, *s)
			}, reducers.New(&got[2], mix), reducers.New(&got[3], mix), builtin.Sum(&sums[3]), builtin.Max(&sums[2])))
			require.NoError(t, exec.ParallelReduceLanes(p.Rows().On(on), func(r exec.RowLanes[policy.Index2, pair]) {
				for j, acc := range r.Items() {
					item(r.At.I, j, acc)
				}
			}, reducers.New(&got[4], mix)))
			return got, sums
		}
		want, sums := run(inOrder{orders()[0], -1}) // leaf by leaf
		for _, on := range []exec.Space{exec.Serial{}, device} {
			got, s := run(on)
			assert.Equal(t, want, got, "%v on %s", size, on.Name())
			assert.Equal(t, sums, s, "%v on %s", size, on.Name())
		}
	}
}

// A launch may have as many items as an int can count: no leaf of it ends behind the last one.
func TestAsManyItemsAsAnIntCanCount(t *testing.T) {
	for name, first := range map[string]int{"from 0": 0, "to 0": -math.MaxInt} {
		p := policy.Spans(first, first+math.MaxInt).On(exec.Serial{})
		for what, launch := range map[string]func(f func(s policy.Span)) error{
			"for": func(f func(s policy.Span)) error { return exec.ParallelFor(p, f) },
			"reduce": func(f func(s policy.Span)) error {
				var a int
				return exec.ParallelReduce(p, func(s policy.Span, _ *int) { f(s) }, builtin.Sum(&a))
			},
			"lanes": func(f func(s policy.Span)) error {
				var a int
				return exec.ParallelReduceLanes(p, func(s exec.Lanes[int]) { f(s.Span) }, builtin.Sum(&a))
			},
			"scan": func(f func(s policy.Span)) error {
				var a int
				return exec.ParallelScan(p, func(s policy.Span, _ *int, final bool) {
					if final {
						f(s)
					}
				}, builtin.Sum(&a))
			},
		} {
			next := first
			require.NoError(t, launch(func(s policy.Span) {
				if s.Begin != next || s.End <= s.Begin {
					panic(s)
				}
				next = s.End
			}), "%s, %s", what, name)
			assert.Equal(t, first+math.MaxInt, next, "%s, %s", what, name)
		}
	}
}

// A scan over spans that is cancelled begins no other leaf either, of those that a worker runs at once.
func TestLeavesOfAScanBehindACancel(t *testing.T) {
	for _, chunk := range []int{0, 4} {
		ctx, cancel := context.WithCancel(t.Context())
		var calls, total int
		err := exec.ParallelScan(policy.Spans(0, 1000).Chunk(chunk).On(exec.Serial{}).WithContext(ctx), func(_ policy.Span, _ *int, final bool) {
			if calls++; calls == 3 && !final {
				cancel()
			}
		}, builtin.Sum(&total))
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 3, calls, "chunk %d", chunk)
	}
}
