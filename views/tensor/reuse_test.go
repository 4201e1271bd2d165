package tensor_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// Calls of the same types have each other's memory: whatever the shape of the call before, what it did with its
// results, and if it panicked, a call gives the results of one that is alone.
func TestCallsAfterCalls(t *testing.T) {
	type call struct {
		extents []int
		dim     int
		scale   float64
		fail    bool
	}
	calls := []call{
		{[]int{300, 700}, 1, 1, false}, {[]int{3, 5}, 1, 1, false}, {[]int{2, 100_000}, 1, 1, false}, // split: with roots
		{[]int{40, 30}, 0, 1, false}, {[]int{700, 300}, 0, 2, false}, {[]int{0, 4}, 0, 1, false}, {[]int{300, 20}, 1, 1, true},
		{[]int{100_000, 2}, 0, 1, false}, {[]int{4, 3}, 0, 1, true}, {[]int{3, 4}, 0, -1, false},
	}
	x := make([]float64, 300*700)
	for k := range x {
		x[k] = math.Sin(float64(k)) * float64(k%1000)
	}
	run := func(c call, space exec.Space) (sums, squares []float64) {
		n := c.extents[1-c.dim]
		sums, squares = make([]float64, n), make([]float64, n)
		v := views.Must(views.Of("x", x[:c.extents[0]*c.extents[1]], c.extents))
		into := tensor.IntoMap(views.Must(views.Of("squares", squares, []int{n})), func(acc float64, _ int) float64 {
			if c.fail {
				panic("on purpose")
			}
			return acc
		})
		reduce := func() error {
			return tensor.Reduce(tensor.Over(v, c.dim).On(space),
				tensor.Fold(builtin.Sum[float64], tensor.Into(views.Must(views.Of("sums", sums, []int{n}))).Scaled(c.scale, 0)),
				tensor.Fold(builtin.SumSq[float64], into))
		}
		if c.fail {
			require.Panics(t, func() { _ = reduce() })
			return make([]float64, n), make([]float64, n)
		}
		require.NoError(t, reduce())
		return sums, squares
	}
	for _, space := range spaces(t) {
		for turn := range 3 * len(calls) {
			c := calls[turn*turn%len(calls)]
			sums, squares := run(c, space)
			for k := range sums {
				var values []float64
				for i := range c.extents[c.dim] {
					at := [2]int{}
					at[c.dim], at[1-c.dim] = i, k
					values = append(values, x[at[0]*c.extents[1]+at[1]])
				}
				var sum, square float64
				if !c.fail {
					p := policy.Range(0, len(values)).On(exec.Serial{})
					require.NoError(t, exec.ParallelFold(exec.Slice(p, values), builtin.Sum(&sum), builtin.SumSq(&square)))
				}
				require.Equal(t, [2]float64{c.scale * sum, square}, [2]float64{sums[k], squares[k]}, "turn %d: %+v, result %d on %s", turn, c, k, space.Name())
			}
		}
	}
}

// Accumulators that refer to memory are not another call's after they were somebody's result.
func TestResultsShareNoMemoryWithLaterCalls(t *testing.T) {
	x := views.Must(views.Of("x", []int{1, 2, 3, 4, 5, 6}, []int{2, 3}))
	all := func(result *[]int) listing {
		return listing{reducers.New(result, func(dst, src *[]int) { *dst = append(*dst, *src...) }, reducers.Init(func(val *[]int) { *val = nil }))}
	}
	var results []views.View1[[]int]
	for range 20 {
		y := views.Must(views.New1[[]int]("y", 2))
		require.NoError(t, tensor.Reduce(tensor.Over(x, 1).On(exec.Serial{}), tensor.Fold(all, tensor.Into(y))))
		results = append(results, y)
	}
	for _, y := range results {
		assert.Equal(t, "[1 2 3] [4 5 6]", fmt.Sprint(y.At(0), y.At(1)))
	}
}

// listing lists values.
type listing struct{ reducers.Func[[]int] }

func (l listing) Fold() reducers.Fold[int] {
	return reducers.NewFold(l, func(lanes [][]int, _ int, x []int) { lanes[0] = append(lanes[0], x...) })
}
