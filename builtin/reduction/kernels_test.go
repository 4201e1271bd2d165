package reduction_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin/reduction"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// bins are those of a multi-reduction: a result of each kind for every bin.
type bins struct {
	sum, low, high []float64
	count          []int
}

func newBins(n int, init float64) bins {
	b := bins{make([]float64, n), make([]float64, n), make([]float64, n), make([]int, n)}
	b.reset(init)
	return b
}

func (b bins) reset(init float64) {
	for k := range b.sum {
		b.sum[k], b.low[k], b.high[k], b.count[k] = init, init, init, int(init)
	}
}

type binned struct {
	sum   reduction.Array[reduction.Sum[float64]]
	low   reduction.Array[reduction.Min[float64]]
	high  reduction.Array[reduction.Max[float64]]
	count sums
}

func (b bins) reducer() reducers.Reducer[binned] {
	return reducers.WithInitial(reducers.Compose(
		reducers.Field(func(a *binned) *reduction.Array[reduction.Sum[float64]] { return &a.sum }, reduction.Span(b.sum, reduction.Plus)),
		reducers.Field(func(a *binned) *reduction.Array[reduction.Min[float64]] { return &a.low }, reduction.Span(b.low, reduction.Minimum)),
		reducers.Field(func(a *binned) *reduction.Array[reduction.Max[float64]] { return &a.high }, reduction.Span(b.high, reduction.Maximum)),
		reducers.Field(func(a *binned) *sums { return &a.count }, reduction.Span(b.count, reduction.Plus)),
	))
}

// Several multi-reductions at once over bins chosen by the data: no bins, one, as many as
// items and more, most of which are empty, with results that go on or begin anew.
func TestMultiReduce(t *testing.T) {
	first := map[string]bins{}
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for _, n := range []int{0, 1, 100, 4097} {
			for _, size := range []int{0, 1, 13, 100, 5000} {
				x := numbers(n)
				bin := func(i int) int { return int(uint32(i)*2654435761>>7) % size }
				b, want := newBins(size, 3), newBins(size, 3)
				for use := range 3 { // the second one goes on where the first one ended
					if use == 2 {
						b.reset(-1)
						want.reset(-1)
					}
					require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(space), func(i int, acc *binned) {
						if size == 0 || i%7 == 3 {
							return
						}
						k := bin(i)
						acc.sum.At(k).Add(x[i])
						acc.low.At(k).Combine(x[i])
						acc.high.At(k).Combine(x[i])
						acc.count.At(k).Inc()
					}, b.reducer()))
					total := 0.0
					for i := range n {
						if size > 0 && i%7 != 3 {
							k := bin(i)
							want.sum[k] += x[i]
							want.low[k] = min(want.low[k], x[i])
							want.high[k] = max(want.high[k], x[i])
							want.count[k]++
							total += math.Abs(x[i])
						}
					}
					assert.Equal(t, want.low, b.low)
					assert.Equal(t, want.high, b.high)
					assert.Equal(t, want.count, b.count)
					assert.InDeltaSlice(t, want.sum, b.sum, 1e-14*total)
					copy(want.sum, b.sum) // from here on, bits count
					name := fmt.Sprint(n, size, use)
					if space == (exec.Serial{}) {
						first[name] = bins{sum: append([]float64{}, b.sum...)}
					}
					assert.Equal(t, first[name].sum, b.sum, name)
				}
			}
		}
	})
}

// One kernel in each of the forms that SYCL has for the index: an id, an item, an item of
// two dimensions and an nd_item. Each has a scalar, a span, an operation of the user and the
// initial value of one of them.
func TestIndexForms(t *testing.T) {
	const n, m = 12, 16
	gcd := func(a, b int) int {
		for b != 0 {
			a, b = b, a%b
		}
		return a
	}
	onSpaces(t, func(t *testing.T, space exec.Space) {
		var sum, divisor int
		var columns []int
		type (
			plus = reduction.Sum[int]
			user = reduction.Value[int]
		)
		body := func(i int, s *plus, c *sums, d *user) {
			s.Add(i)
			c.At(i % m).Inc()
			d.Combine(6 * i)
		}
		check := func(err error) {
			t.Helper()
			require.NoError(t, err)
			assert.Equal(t, 1000+n*m*(n*m-1)/2, sum)
			for k := range columns {
				assert.Equal(t, n, columns[k])
			}
			assert.Equal(t, 6, divisor)
		}
		rs := func() reducers.Reducer[plus] { sum = 1000; return reducers.WithInitial(reduction.Plus(&sum)) }
		rc := func() reducers.Reducer[sums] {
			columns = make([]int, m)
			columns[3] = 5
			return reduction.Span(columns, reduction.Plus)
		}
		rd := func() reducers.Reducer[user] { divisor = 1; return reduction.New(&divisor, gcd).WithIdentity(0) }

		check(exec.ParallelReduce3(policy.Range(0, n*m).On(space), body, rs(), rc(), rd()))
		check(exec.ParallelReduce3(policy.Range(5, 5+n*m).On(space).Items(), func(it policy.Item[int], s *plus, c *sums, d *user) {
			body(it.Linear(), s, c, d)
		}, rs(), rc(), rd()))
		check(exec.ParallelReduce3(policy.MDRange2([2]int{2, -3}, [2]int{2 + n, m - 3}).Tile([2]int{5, 4}).On(space).Items(), func(it policy.Item[policy.Index2], s *plus, c *sums, d *user) {
			assert.Equal(t, policy.Index2{I: n, J: m}, it.Extents())
			body(it.Linear(), s, c, d)
		}, rs(), rc(), rd()))
		check(exec.ParallelReduce3(policy.Team(n, m).On(space), func(it *team.Member, s *plus, c *sums, d *user) {
			body(it.LeagueRank()*it.Size()+it.Rank(), s, c, d)
		}, rs(), rc(), rd()))
	})
}
