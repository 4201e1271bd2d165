package reduction_test

import (
	"errors"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/builtin/reduction"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

type sums = reduction.Array[reduction.Sum[int]]

// Cells outside of the window keep their content.
func TestSpanWindow(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for extent := range 6 {
			x := []int{90, 91, 92, 93, 94, 95, 96, 97}
			want := append([]int(nil), x...)
			window := x[2 : 2+extent]
			require.NoError(t, exec.ParallelReduce(policy.Range(0, 100).On(space), func(i int, acc *sums) {
				assert.Equal(t, extent, acc.Len())
				if extent > 0 {
					acc.At(i % extent).Inc()
				}
			}, reduction.Span(window, reduction.Plus)))
			for k := range extent {
				want[2+k] = (100 + extent - 1 - k) / extent
			}
			assert.Equal(t, want, x, "extent %d", extent)
		}
	})
}

func TestSpanWindow_OfView(t *testing.T) {
	v := views.Must(views.New2[int]("counts", 3, 4))
	require.NoError(t, views.Fill(v, 9, policy.On(exec.Serial{})))
	row, contiguous := views.Must(v.Sub(views.Index(1), views.All())).Slice()
	require.True(t, contiguous)
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 10).On(exec.Serial{}), func(i int, acc *sums) { acc.At(i % 4).Inc() },
		reduction.Span(row, reduction.Plus)))
	for i := range 3 {
		for j := range 4 {
			want := 9
			if i == 1 {
				want = []int{3, 3, 2, 2}[j]
			}
			assert.Equal(t, want, v.At(i, j), "(%d, %d)", i, j)
		}
	}
}

// Items decide by their data where they contribute, none, once or several times.
func TestSpanDataDependentBins(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		const bins = 300
		for _, n := range sizes {
			hash := func(i int) int { return int(int64(i) * 2654435761 % 1_000_003) }
			want := make([]int, bins)
			got := make([]int, bins)
			for i := range n {
				for k := range hash(i) % 4 {
					want[(hash(i)+k*k)%bins] += k + 1
				}
			}
			require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(space), func(i int, acc *sums) {
				for k := range hash(i) % 4 {
					acc.At((hash(i) + k*k) % bins).Add(k).Inc()
				}
			}, reduction.Span(got, reduction.Plus)))
			assert.Equal(t, want, got, "n = %d", n)
		}
	})
}

// Every cell has a content of its own that is dropped, or included once.
func TestSpanPresets(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for _, n := range []int{0, 1, 10, 4097} {
			presets := []int{1000, 200, 30, 4}
			dropped, with := append([]int(nil), presets...), append([]int(nil), presets...)
			require.NoError(t, exec.ParallelReduce2(policy.Range(0, n).On(space), func(i int, a, b *sums) {
				a.At(i & 3).Inc()
				b.At(i & 3).Inc()
			}, reduction.Span(dropped, reduction.Plus), reducers.WithInitial(reduction.Span(with, reduction.Plus))))
			for k := range presets {
				count := (n + 3 - k) / 4
				assert.Equal(t, count, dropped[k], "n = %d, cell %d", n, k)
				assert.Equal(t, presets[k]+count, with[k], "n = %d, cell %d", n, k)
			}
		}
	})
}

// Elements have the methods of their operation.
func TestSpanOperators(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		lows, words := []float64{-9, -9, -9}, []string{"old", "old", "old"}
		join := func(c *string) reduction.Variable[reduction.Value[string], string] {
			return reduction.New(c, func(a, b string) string { return a + b })
		}
		flags := []bool{false, false}
		require.NoError(t, exec.ParallelReduce3(policy.Range(0, 12).On(space),
			func(i int, low *reduction.Array[reduction.Min[float64]], w *reduction.Array[reduction.Value[string]], f *reduction.Array[reduction.LOr[bool]]) {
				low.At(i % 3).Combine(float64(i)).Combine(float64(20 - i))
				if i%3 != 2 {
					w.At(i % 3).Combine(string(rune('a' + i)))
				}
				f.At(1).Combine(i == 7)
				if e := low.At(0).Identity(); e < 1e300 {
					panic(e)
				}
			}, reduction.Span(lows, reduction.Minimum), reducers.Ordered(reduction.Span(words, join)), reduction.Span(flags, reduction.LogicalOr)))
		assert.Equal(t, []float64{0, 1, 2}, lows)
		assert.Equal(t, []string{"adgj", "behk", "old"}, words, "nobody contributes to the last")
		assert.Equal(t, []bool{false, true}, flags)
	})
}

// An array reduction of extent n is n scalar reductions.
func TestSpanIsManyScalars(t *testing.T) {
	var first []float64
	onSpaces(t, func(t *testing.T, space exec.Space) {
		x := numbers(3000)
		p := policy.Range(0, len(x)).On(space)
		got, sliced := make([]float64, 3), make([]float64, 3)
		require.NoError(t, exec.ParallelReduce(p, func(i int, acc *reduction.Array[reduction.Sum[float64]]) { acc.At(i % 3).Add(x[i]) },
			reduction.Span(got, reduction.Plus)))
		require.NoError(t, exec.ParallelReduce(p, func(i int, acc *[]float64) { (*acc)[i%3] += x[i] }, reducers.Slice(&sliced, builtin.Sum)))
		assert.Equal(t, sliced, got, "the bits of reducers.Slice")
		for k := range got {
			var scalar float64
			require.NoError(t, exec.ParallelReduce(p, func(i int, acc *reduction.Sum[float64]) {
				if i%3 == k {
					acc.Add(x[i])
				}
			}, reduction.Plus(&scalar)))
			assert.InEpsilon(t, scalar, got[k], 1e-12)
		}
		if first == nil {
			first = got
		}
		assert.Equal(t, first, got)
	})
}

func TestSpanOverTeams(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		counts := make([]int, 5)
		require.NoError(t, exec.ParallelReduce(policy.Team(11, 5).On(space), func(m *team.Member, acc *sums) {
			acc.At(m.Rank()).Inc()
		}, reduction.Span(counts, reduction.Plus)))
		assert.Equal(t, []int{11, 11, 11, 11, 11}, counts)
	})
}

// The panic names the index and the extent, and cells keep their content.
func TestSpanOutOfRange(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for _, k := range []int{4, -1} {
			x := []int{1, 2, 3, 4, 5, 6}
			want := "index out of range [4] with length 4"
			if k < 0 {
				want = "index out of range [-1]"
			}
			func() {
				defer func() {
					p, ok := recover().(*exec.Panic)
					require.True(t, ok)
					var fault runtime.Error
					require.ErrorAs(t, p, &fault)
					assert.ErrorContains(t, fault, want)
				}()
				_ = exec.ParallelReduce(policy.Range(0, 9).On(space), func(i int, acc *sums) {
					acc.At(0).Inc()
					if i == 7 {
						acc.At(k).Inc()
					}
				}, reduction.Span(x[1:5], reduction.Plus))
			}()
			assert.Equal(t, []int{1, 2, 3, 4, 5, 6}, x)
		}
	})
}

func TestTwoReductionsOfOneVariable(t *testing.T) {
	p := policy.Range(0, 9).On(exec.Serial{})
	x := []int{1, 2, 3, 4, 5, 6}
	sum := func(k int) reducers.Reducer[reduction.Sum[int]] { return reduction.Plus(&x[k]) }
	span := func(begin, end int) reducers.Reducer[sums] { return reduction.Span(x[begin:end], reduction.Plus) }
	type pair struct {
		a reduction.Sum[int]
		b reduction.Max[int]
	}
	for name, launch := range map[string]func() error{
		"one operation": func() error {
			return exec.ParallelReduce2(p, func(int, *reduction.Sum[int], *reduction.Sum[int]) { panic("ran") }, sum(0), sum(0))
		},
		"two operations": func() error {
			return exec.ParallelReduce2(p, func(int, *reduction.Sum[int], *reduction.Max[int]) { panic("ran") }, sum(0), reduction.Maximum(&x[0]))
		},
		"an operation of one's own, included": func() error {
			return exec.ParallelReduce2(p, func(int, *reduction.Value[int], *reduction.Sum[int]) { panic("ran") }, reducers.WithInitial(reduction.New(&x[0], addInt)), sum(0))
		},
		"a builtin reducer": func() error {
			return exec.ParallelReduce2(p, func(int, *int, *reduction.Sum[int]) { panic("ran") }, builtin.Sum(&x[0]), sum(0))
		},
		"folds": func() error {
			return exec.ParallelFold(exec.Map(p, func(i int) int { panic("ran") }), reduction.Plus(&x[0]), reduction.Maximum(&x[0]))
		},
		"an element of a span": func() error {
			return exec.ParallelReduce2(p, func(int, *sums, *reduction.Sum[int]) { panic("ran") }, span(1, 4), sum(3))
		},
		"two spans that overlap": func() error {
			return exec.ParallelReduce2(p, func(int, *sums, *sums) { panic("ran") }, span(0, 3), span(2, 5))
		},
		"one span in another": func() error {
			return exec.ParallelReduce2(p, func(int, *sums, *sums) { panic("ran") }, span(0, 5), reducers.WithInitial(span(2, 3)))
		},
		"fields": func() error {
			return exec.ParallelReduce(p, func(int, *pair) { panic("ran") },
				reducers.Field(func(s *pair) *reduction.Sum[int] { return &s.a }, sum(0)),
				reducers.Field(func(s *pair) *reduction.Max[int] { return &s.b }, reduction.Maximum(&x[0])))
		},
		"a field and another": func() error {
			return exec.ParallelReduce2(p, func(int, *struct{ a reduction.Sum[int] }, *sums) { panic("ran") },
				reducers.Compose(reducers.Field(func(s *struct{ a reduction.Sum[int] }) *reduction.Sum[int] { return &s.a }, sum(2))), span(0, 6))
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.ErrorContains(t, launch(), "same result place")
			assert.Equal(t, []int{1, 2, 3, 4, 5, 6}, x)
		})
	}
	t.Run("neighbours are two variables", func(t *testing.T) {
		require.NoError(t, exec.ParallelReduce4(p, func(_ int, a, b *sums, c, d *reduction.Sum[int]) {
			a.At(1).Inc()
			b.At(0).Inc()
			c.Inc()
			d.Inc()
		}, span(0, 2), span(2, 4), sum(4), sum(5)))
		assert.Equal(t, []int{0, 9, 9, 0, 9, 9}, x)
	})
}

// Results are there when the call returns, and only if all went well.
func TestResultsAppearWhenTheCallReturns(t *testing.T) {
	if os.Getenv("GOKKOS_SIMGPU") == "check" {
		t.Skip("a functor that reads the results of its launch is a finding")
	}
	onSpaces(t, func(t *testing.T, space exec.Space) {
		fail := errors.New("fail")
		x, y, cells := 7, 8, []int{1, 2}
		launch := func(p policy.RangePolicy, bad int) error {
			return exec.ParallelReduce3(p, func(i int, a *reduction.Sum[int], b *reduction.Value[int], c *sums) {
				a.Inc()
				b.Combine(1)
				c.At(i & 1).Inc()
				if x != 7 || y != 8 || cells[0] != 1 {
					panic("the variable changed while the kernel ran")
				}
				if i == bad {
					panic(fail)
				}
			}, reduction.Plus(&x), reducers.WithInitial(reduction.New(&y, addInt)), reduction.Span(cells, reduction.Plus))
		}
		kept := func() {
			t.Helper()
			assert.Equal(t, []int{7, 8, 1, 2}, append([]int{x, y}, cells...))
		}
		func() {
			defer func() { require.ErrorIs(t, recover().(error), fail) }()
			_ = launch(policy.Range(0, 500).On(space), 321)
		}()
		kept()
		assert.ErrorContains(t, launch(policy.Range(3, 0).On(space), -1), "reversed")
		kept()
		require.NoError(t, launch(policy.Range(0, 500).On(space), -1))
		assert.Equal(t, []int{500, 508, 250, 250}, append([]int{x, y}, cells...))
	})
}

func TestUnusableReductions(t *testing.T) {
	p := policy.Range(0, 9).On(exec.Serial{})
	var none *int
	x, cells := 4, []int{5}
	nothing := func(*int) reduction.Variable[reduction.Sum[int], int] { return nil }
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"nil variable": {exec.ParallelReduce(p, func(int, *reduction.Sum[int]) { panic("ran") }, reduction.Plus(none)), "nil result place"},
		"nil variable, identity given": {exec.ParallelReduce(p, func(int, *reduction.Sum[int]) { panic("ran") },
			reduction.Plus(none).WithIdentity(1)), "nil result place"},
		"nil variable, own operation": {exec.ParallelReduce(p, func(int, *reduction.Value[int]) { panic("ran") },
			reduction.New(none, addInt)), "New was given a nil result place, expected a *int"},
		"nil operation": {exec.ParallelReduce(p, func(int, *reduction.Value[int]) { panic("ran") },
			reduction.New[int](&x, nil)), "New was given a nil operation, expected a func(int, int) int"},
		"nil operation of elements": {exec.ParallelReduce(p, func(int, *sums) { panic("ran") }, reduction.Span[reduction.Sum[int]](cells, nil)), "reduction: Span needs"},
		"nil elements":              {exec.ParallelReduce(p, func(int, *sums) { panic("ran") }, reduction.Span(cells, nothing)), "nil"},
		"elements of one variable": {exec.ParallelReduce(p, func(int, *sums) { panic("ran") },
			reduction.Span(cells, func(*int) reduction.Variable[reduction.Sum[int], int] { return reduction.Plus(&x) })), "makes no reduction of the variable it is called with"},
		"nil fold": {exec.ParallelFold(exec.Map(p, func(int) int { panic("ran") }), reduction.New[int](&x, nil)), "New was given a nil operation"},
	} {
		assert.ErrorContains(t, c.err, c.want, name)
	}
	assert.Equal(t, 4, x)
	assert.Equal(t, []int{5}, cells)
}
