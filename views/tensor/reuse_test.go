package tensor_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

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

// A call takes the plan and the columns of the one before only as far as they are its own: forms that differ in one
// thing follow one another here, with reductions in another order and outputs that read what was there.
func TestFormsAfterForms(t *testing.T) {
	memory := make([]int64, 48)
	for k := range memory {
		memory[k] = int64(k*37%101) - 50
	}
	of := func(extents, strides []int) views.View[int64] {
		span := 1
		for d, n := range extents {
			span += (n - 1) * strides[d]
		}
		if slices.Contains(extents, 0) {
			span = 0
		}
		return views.Must(views.Of("x", memory[:span], extents, views.Stride(strides)))
	}
	type form struct {
		x    views.View[int64]
		dims []int
	}
	forms := []form{
		{of([]int{4, 6}, []int{6, 1}), []int{1}},
		{of([]int{4, 6}, []int{6, 1}), []int{0}},
		{of([]int{4, 6}, []int{1, 4}), []int{0}}, // other strides only
		{of([]int{4, 6}, []int{12, 2}), []int{0}},
		{of([]int{2, 2, 6}, []int{12, 6, 1}), []int{2}}, // results of another rank
		{of([]int{0, 6}, []int{6, 1}), []int{1}},        // no results
		{of([]int{4, 0}, []int{6, 1}), []int{1}},        // of nothing
		{of([]int{6, 4}, []int{4, 1}), []int{1}},
		{of([]int{2, 2, 6}, []int{12, 6, 1}), []int{0, 2}},
	}
	sum := func(z views.View[int64]) tensor.Operation[int64] {
		return tensor.Fold(builtin.Sum[int64], tensor.Into(z).Scaled(2, 3))
	}
	largest := func(z views.View[int64]) tensor.Operation[int64] {
		return tensor.Fold(builtin.Max[int64], tensor.Into(z).Scaled(1, -1))
	}
	squares := func(z views.View[int64]) tensor.Operation[int64] {
		return tensor.FoldMap(func(x int64) int32 { return int32(x * x) }, builtin.Sum[int32], tensor.IntoMap(z, func(acc int32, n int) int64 { return int64(acc) + int64(n) }))
	}
	reductions := []func(z views.View[int64]) tensor.Operation[int64]{sum, largest, squares}
	orders := [][]int{{0, 1}, {1, 0}, {2}, {0, 1, 2}, {2, 1, 0}, {1}}
	for _, space := range spaces(t) {
		for turn := range 3 * len(forms) * len(orders) {
			f, order := forms[turn%len(forms)], orders[turn/2%len(orders)]
			outputs, items := 1, 1
			var kept []int
			for d, n := range f.x.Extents() {
				if slices.Contains(f.dims, d) {
					items *= n
				} else {
					outputs, kept = outputs*n, append(kept, n)
				}
			}
			var operations []tensor.Operation[int64]
			got := make([][]int64, len(order))
			for k, r := range order {
				got[k] = make([]int64, outputs)
				for n := range got[k] {
					got[k][n] = int64(10*turn + n)
				}
				operations = append(operations, reductions[r](views.Must(views.Of("z", got[k], kept))))
			}
			require.NoError(t, tensor.Reduce(tensor.Over(f.x, f.dims...).On(space), operations...))
			values := map[int][]int64{}
			at := make([]int, f.x.Rank())
			for e := range f.x.Len() {
				number := 0
				for d := len(at) - 1; d >= 0; d-- {
					at[d], e = e%f.x.Extent(d), e/f.x.Extent(d)
				}
				for d, n := range f.x.Extents() {
					if !slices.Contains(f.dims, d) {
						number = number*n + at[d]
					}
				}
				values[number] = append(values[number], f.x.At(at...))
			}
			for k, r := range order {
				for n, y := range got[k] {
					total, top, square := int64(0), int64(math.MinInt64), int64(0)
					for _, v := range values[n] {
						total, top, square = total+v, max(top, v), square+v*v
					}
					old := int64(10*turn + n)
					want := []int64{2*total + 3*old, top - old, square + int64(items)}[r]
					require.Equal(t, want, y, "turn %d: %v over %v, reduction %d, result %d on %s", turn, f.x, f.dims, r, n, space.Name())
				}
			}
		}
	}
}

// What follows from a reducer holds for a later call only if that makes the same one: reducers of one accumulator follow
// one another here, some of a constructor that makes others each time.
func TestReducersAfterReducers(t *testing.T) {
	x := views.Must(views.Of("x", []float64{1, 2, 3, 4, 5, 6}, []int{2, 3}))
	turn := 0
	either := func(result *float64) builtin.Reduction[float64, float64] {
		if turn%2 == 0 {
			return builtin.Sum(result)
		}
		return builtin.Prod(result)
	}
	elsewhere := make([]float64, 2)
	for _, c := range []struct {
		of   func(result *float64) builtin.Reduction[float64, float64]
		want [2][2]float64 // in even and odd turns
	}{
		{either, [2][2]float64{{6, 15}, {6, 120}}},
		{builtin.Max[float64], [2][2]float64{{3, 6}, {3, 6}}},
		{builtin.SumSq[float64], [2][2]float64{{14, 77}, {14, 77}}},
		{func(result *float64) builtin.Reduction[float64, float64] {
			factor := float64(turn%2 + 1)
			return reducers.New(result, func(dst, src *float64) { *dst += *src }, reducers.Final(func(x *float64) { *x *= factor }))
		}, [2][2]float64{{6, 15}, {12, 30}}},
		{builtin.Norm2[float64], [2][2]float64{{math.Sqrt(14), math.Sqrt(77)}, {math.Sqrt(14), math.Sqrt(77)}}},
		{func(*float64) builtin.Reduction[float64, float64] { return builtin.Sum(&elsewhere[turn%2]) }, [2][2]float64{{6, 15}, {6, 15}}},
	} {
		for turn = range 4 {
			first, second := views.Must(views.New1[float64]("first", 2)), views.Must(views.New1[float64]("second", 2))
			reduce := func(of func(result *float64) builtin.Reduction[float64, float64]) [2]float64 {
				require.NoError(t, tensor.Reduce(tensor.Over(x, 1).On(exec.Serial{}), tensor.Fold(of, tensor.Into(first)), tensor.Fold(builtin.Min[float64], tensor.Into(second))))
				assert.Equal(t, [2]float64{1, 4}, [2]float64{second.At(0), second.At(1)})
				return [2]float64{first.At(0), first.At(1)}
			}
			assert.Equal(t, [2]float64{6, 15}, reduce(builtin.Sum[float64]))
			assert.Equal(t, c.want[turn%2], reduce(c.of))
			assert.Equal(t, [2]float64{6, 15}, reduce(builtin.Sum[float64]))
			err := tensor.Reduce(tensor.Over(x, 1).On(exec.Serial{}), tensor.Fold(func(*float64) builtin.Reduction[float64, float64] { return builtin.Sum[float64](nil) }, tensor.Into(first)))
			require.ErrorContains(t, err, "nil result place")
		}
	}
}

// What stays for a later call refers to nothing of the caller's, not even the result place that a constructor chose.
func TestReducersElsewhereAreNotKept(t *testing.T) {
	x := views.Must(views.Of("x", []float64{1, 2, 3, 4, 5, 6}, []int{2, 3}))
	y := views.Must(views.New1[float64]("y", 2))
	freed := make(chan bool, 1)
	func() {
		elsewhere := new([100]float64)
		runtime.AddCleanup(elsewhere, func(int) { freed <- true }, 0)
		of := func(*float64) builtin.Reduction[float64, float64] { return builtin.Sum(&elsewhere[0]) }
		require.NoError(t, tensor.Reduce(tensor.Over(x, 1).On(exec.Serial{}), tensor.Fold(of, tensor.Into(y))))
	}()
	runtime.GC() // once: a pool keeps what is in it
	select {
	case <-freed:
	case <-time.After(time.Minute):
		t.Error("the result place is kept")
	}
}
