package exec_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// oneByOne is a policy whose indices come in no runs.
type oneByOne[I any] struct{ exec.Policy[I] }

// seen is what launches of all kinds make of the indices of a policy: the bits of their
// results, and the values of the indices in the order of the items.
type seen struct {
	order   []float64
	results []uint64
}

// sees runs launches of all kinds over a policy.
func sees[I any, P exec.Policy[I]](t *testing.T, p P, value func(I) float64) (s seen) {
	t.Helper()
	on := p.Plan()
	require.NoError(t, exec.ParallelFor(p, func(i I) { s.order = append(s.order, value(i)) })) //gokkosvet:ignore on Serial
	require.Len(t, s.order, on.Items)
	var a, b, c, d float64
	var w, x wide
	done := func(err error, values ...float64) {
		require.NoError(t, err)
		s.results = append(s.results, allBits(values...)...)
	}
	done(exec.ParallelReduce(p, func(i I, acc *float64) { *acc += value(i) }, builtin.Sum(&a)), a)
	done(exec.ParallelReduce(p, func(i I, acc *wide) { acc.sum += value(i) }, reducers.New(&w, addWide)), w.sum)
	done(exec.ParallelReduce2(p, func(i I, a, b *float64) { *a += value(i); *b += 1 / value(i) }, builtin.Sum(&a), builtin.Sum(&b)), a, b)
	done(exec.ParallelReduce2(p, func(i I, w *wide, b *float64) { w.sum += value(i); *b += 1 / value(i) }, reducers.New(&w, addWide), builtin.Sum(&b)), w.sum, b)
	done(exec.ParallelReduce3(p, func(i I, a, b, c *float64) { *a += value(i); *b += 1 / value(i); *c += value(i) / 3 },
		builtin.Sum(&a), builtin.Sum(&b), builtin.Sum(&c)), a, b, c)
	done(exec.ParallelReduce3(p, func(i I, a *float64, w *wide, c *float64) { *a += value(i); w.sum += 1 / value(i); *c += value(i) / 3 },
		builtin.Sum(&a), reducers.New(&w, addWide), builtin.Sum(&c)), a, w.sum, c)
	done(exec.ParallelReduce4(p, func(i I, a, b, c, d *float64) {
		*a += value(i)
		*b += 1 / value(i)
		*c += value(i) / 3
		*d += value(i) / 5
	},
		builtin.Sum(&a), builtin.Sum(&b), builtin.Sum(&c), builtin.Sum(&d)), a, b, c, d)
	done(exec.ParallelReduce4(p, func(i I, a *float64, b *float64, w, x *wide) {
		*a += value(i)
		*b += 1 / value(i)
		w.sum += value(i) / 3
		x.sum += value(i) / 5
	}, builtin.Sum(&a), builtin.Sum(&b), reducers.New(&w, addWide), reducers.New(&x, addWide)), a, b, w.sum, x.sum)
	done(exec.ParallelFold(exec.Map(p, value), builtin.Sum(&a)), a)
	done(exec.ParallelScan(p, func(i I, acc *float64, _ bool) { *acc += value(i) }, builtin.Sum(&a)), a)
	return s
}

var (
	runChunks   = []int{0, 1, 3, 16, 20, 700}
	innerOrders = []policy.Order{policy.Right, policy.Left}
)

// same checks that launches with runs and those without saw and gave the same.
func same(t *testing.T, name string, runs, indices seen) {
	t.Helper()
	assert.Equal(t, indices, runs, name)
}

// visits returns the values of the indices in the order of the items, which a loop and a
// reduction see alike.
func visits[I any, P exec.Policy[I]](t *testing.T, p P, value func(I) float64) (order []float64) {
	t.Helper()
	require.NoError(t, exec.ParallelFor(p, func(i I) { order = append(order, value(i)) })) //gokkosvet:ignore on Serial
	var reduced []float64
	require.NoError(t, exec.ParallelReduce(p, func(i I, acc *float64) { reduced = append(reduced, value(i)) }, builtin.Sum(new(float64)))) //gokkosvet:ignore on Serial
	require.Equal(t, order, reduced)
	return order
}

// Whether the indices of a policy come in runs or one by one decides nothing.
// TestRunsOfEveryRank has the ranks that are left out here.
func TestRunsAreTheIndices(t *testing.T) {
	for _, chunk := range runChunks {
		for _, inner := range innerOrders {
			box := func(lower, upper, tile []int) {
				name := fmt.Sprint(upper, " tile ", tile, " inner ", inner, " chunk ", chunk)
				switch len(lower) {
				case 2:
					p := policy.MDRange2([2]int(lower), [2]int(upper)).Tile([2]int(tile)).Iterate(policy.Left, inner).Chunk(chunk).On(exec.Serial{})
					v := func(i policy.Index2) float64 { return 1.1 + math.Sin(float64(100*i.I+i.J)) }
					same(t, name, sees(t, p, v), sees(t, oneByOne[policy.Index2]{p}, v))
				case 3:
					p := policy.MDRange3([3]int(lower), [3]int(upper)).Tile([3]int(tile)).Iterate(policy.Right, inner).Chunk(chunk).On(exec.Serial{})
					v := func(i policy.Index3) float64 { return 1.1 + math.Sin(float64(100*(100*i.I+i.J)+i.K)) }
					same(t, name, sees(t, p, v), sees(t, oneByOne[policy.Index3]{p}, v))
				case 6:
					p := policy.MDRange6([6]int(lower), [6]int(upper)).Tile([6]int(tile)).Iterate(policy.Right, inner).Chunk(chunk).On(exec.Serial{})
					v := func(i policy.Index6) float64 {
						return 1.1 + math.Sin(float64(100*(100*(100*(100*(100*i.I+i.J)+i.K)+i.L)+i.M)+i.N))
					}
					same(t, name, sees(t, p, v), sees(t, oneByOne[policy.Index6]{p}, v))
				}
			}
			box([]int{0, 0}, []int{1, 1}, []int{1, 1})
			box([]int{-3, 5}, []int{40, 58}, []int{7, 9})
			box([]int{-3, 5}, []int{40, 58}, []int{100, 100})
			box([]int{0, -1, 2}, []int{11, 8, 25}, []int{4, 3, 5})
			box([]int{0, -1, 2, 5, 0, 1}, []int{2, 3, 6, 7, 4, 12}, []int{2, 3, 2, 7, 3, 5})
		}
		for _, n := range []int{0, 1, 31, 33, 1000} {
			p := policy.Range(-5, n-5).Chunk(chunk).On(exec.Serial{})
			v := func(i int) float64 { return 1.1 + math.Sin(float64(i)) }
			same(t, fmt.Sprint(n, " chunk ", chunk), sees(t, p, v), sees(t, oneByOne[int]{p}, v))
		}
	}
}

// zigzag is a policy of n rows of three, in which every other one has a run of two and one of
// one. Its indices are of any type of two integers.
type zigzag[I any] struct {
	n     int
	index func(i, j int) I
	runs  func(begin, end int, dst []policy.Run) (n, next int) // instead of its own
}

func (p zigzag[I]) Plan() policy.Plan { return policy.Plan{Items: 3 * p.n, Space: exec.Serial{}} }

func (p zigzag[I]) Next(begin, end int, dst []I) (n, next int) {
	for n = 0; n < len(dst) && begin < end; n++ {
		dst[n] = p.index(begin/3, begin%3)
		begin++
	}
	return n, begin
}

func (p zigzag[I]) NextRuns(begin, end int, dst []policy.Run) (n, next int) {
	if p.runs != nil {
		return p.runs(begin, end, dst)
	}
	for n = 0; n < len(dst) && begin < end; n++ {
		items := min(3-begin%3, 1+begin%2, end-begin)
		dst[n] = policy.Run{At: [6]int{begin / 3, begin % 3, 5: 9}, Dim: 1, Len: items} // 9 is in no dimension
		begin += items
	}
	return n, begin
}

type (
	cell  struct{ row, column int }
	rank1 int
)

// Policies of anybody may have runs, with indices of any type that consists of integers. The
// runs of others are not asked for.
func TestRunsOfAnyPolicy(t *testing.T) {
	asked := 0
	count := func(begin, end int, dst []policy.Run) (int, int) {
		asked++
		return zigzag[cell]{}.NextRuns(begin, end, dst)
	}
	check := func(name string, order []float64, runs bool) {
		t.Helper()
		require.Len(t, order, 300, name)
		for k, x := range order {
			require.EqualValues(t, 1+3*(k/3)+k%3, x, name)
		}
		assert.Equal(t, runs, asked > 0, name)
		asked = 0
	}
	cells := zigzag[cell]{n: 100, index: func(i, j int) cell { return cell{i, j} }, runs: count}
	check("struct", sees(t, cells, func(c cell) float64 { return float64(1 + 3*c.row + c.column) }).order, true)
	assert.Equal(t, sees(t, oneByOne[cell]{cells}, func(c cell) float64 { return float64(1 + c.row*c.column) }),
		sees(t, cells, func(c cell) float64 { return float64(1 + c.row*c.column) }))
	asked = 0

	arrays := zigzag[[2]int]{n: 100, index: func(i, j int) [2]int { return [2]int{i, j} }, runs: count}
	check("array", visits(t, arrays, func(c [2]int) float64 { return float64(1 + 3*c[0] + c[1]) }), true)

	type mixed struct {
		i int
		j int64
	}
	others := zigzag[mixed]{n: 100, index: func(i, j int) mixed { return mixed{i, int64(j)} }, runs: count}
	check("other fields", visits(t, others, func(c mixed) float64 { return float64(1 + 3*c.i + int(c.j)) }), false)

	longer := zigzag[[7]int]{n: 100, index: func(i, j int) [7]int { return [7]int{i, 6: j} }, runs: count}
	check("too many", visits(t, longer, func(c [7]int) float64 { return float64(1 + 3*c[0] + c[6]) }), false)

	texts := zigzag[string]{n: 100, index: func(i, j int) string { return fmt.Sprint(3*i + j) }, runs: count}
	check("no integers", visits(t, texts, func(c string) float64 { var x float64; _, _ = fmt.Sscan(c, &x); return 1 + x }), false)

	line := zigzag[rank1]{n: 100, index: func(i, j int) rank1 { return rank1(3*i + j) }, runs: func(begin, end int, dst []policy.Run) (n, next int) {
		asked++
		for n = 0; n < len(dst) && begin < end; n++ {
			dst[n] = policy.Run{At: [6]int{begin}, Len: min(5, end-begin)}
			begin += dst[n].Len
		}
		return n, begin
	}}
	check("integers of a name", visits(t, line, func(i rank1) float64 { return float64(1 + i) }), true)
	ints := zigzag[int]{n: 100, index: func(i, j int) int { return 3*i + j }, runs: line.runs}
	check("integers", sees(t, ints, func(i int) float64 { return float64(1 + i) }).order, true)
	inverse := func(i int) float64 { return 1 / float64(1+i) }
	assert.Equal(t, sees(t, oneByOne[int]{ints}, inverse), sees(t, ints, inverse))
}

func TestFaultyRunsAreAnError(t *testing.T) {
	own := zigzag[cell]{}.NextRuns
	for name, c := range map[string]struct {
		runs func(begin, end int, dst []policy.Run) (n, next int)
		says string
	}{
		"none":                    {func(begin, end int, dst []policy.Run) (int, int) { return 0, begin }, "NextRuns of a exec_test.zigzag[github.com/gokkos/gokkos/exec_test.cell] returned 0 runs and item 0 of the items 0 to 15"},
		"none at all":             {func(begin, end int, dst []policy.Run) (int, int) { return 0, end }, "returned 0 runs and item 16"},
		"more than there is room": {func(begin, end int, dst []policy.Run) (int, int) { return len(dst) + 1, end }, "expected 1 to 16 runs"},
		"too far": {func(begin, end int, dst []policy.Run) (int, int) {
			dst[0] = policy.Run{Dim: 1, Len: end - begin + 1}
			return 1, end + 1
		}, "returned 1 runs and item 17"},
		"other lengths": {func(begin, end int, dst []policy.Run) (int, int) {
			n, next := own(begin, end, dst)
			dst[1].Len++
			return n, next
		}, "of all the items before that one"},
		"an empty run": {func(begin, end int, dst []policy.Run) (int, int) {
			dst[0], dst[1] = policy.Run{}, policy.Run{Len: end - begin}
			return 2, end
		}, "returned 2 runs"},
		"lengths that wrap": {func(begin, end int, dst []policy.Run) (int, int) {
			for k, items := range []int{math.MaxInt, math.MaxInt, end - begin + 2} {
				dst[k] = policy.Run{Dim: 1, Len: items}
			}
			return 3, end
		}, "returned 3 runs and item 16 of the items 0 to 15"},
		"indices that wrap": {func(begin, end int, dst []policy.Run) (int, int) {
			dst[0] = policy.Run{At: [6]int{0, math.MaxInt - (end - begin) + 1}, Dim: 1, Len: end - begin}
			return 1, end
		}, fmt.Sprint("with indices below ", math.MaxInt)},
		"a dimension that there is not": {func(begin, end int, dst []policy.Run) (int, int) {
			n, next := own(begin, end, dst)
			dst[0].Dim = 2
			return n, next
		}, "in dimensions below 2"},
		"another index": {func(begin, end int, dst []policy.Run) (int, int) {
			n, next := own(begin, end, dst)
			dst[0].At[0]++
			return n, next
		}, "gives item 0 the index [1 0], and Next gives it [0 0]"},
	} {
		t.Run(name, func(t *testing.T) {
			total := 5
			p := zigzag[cell]{n: 100, index: func(i, j int) cell { return cell{i, j} }, runs: c.runs}
			err := exec.ParallelReduce(p, func(cell, *int) { t.Error("the functor ran") }, reducers.New(&total, addInt))
			assert.ErrorContains(t, err, c.says)
			assert.ErrorContains(t, exec.ParallelFor(p, func(cell) { t.Error("the functor ran") }), c.says)
			assert.Equal(t, 5, total)
		})
	}
}

// backwards is a box from its last point to its first one, by a Next of its own.
type backwards struct {
	policy.MDRangePolicy[policy.Index2, [2]int]
}

func (p backwards) Next(begin, end int, dst []policy.Index2) (n, next int) {
	last := p.Plan().Items - 1
	for n = 0; n < len(dst) && begin < end; n++ {
		p.MDRangePolicy.Next(last-begin, last-begin+1, dst[n:n+1])
		begin++
	}
	return n, begin
}

// A policy that embeds another one has its runs, too, which are no longer its items.
func TestRunsOfAnEmbeddedPolicy(t *testing.T) {
	p := backwards{policy.MDRange2([2]int{}, [2]int{5, 4}).On(exec.Serial{})}
	var got, want []policy.Index2
	require.NoError(t, exec.ParallelFor(p, func(i policy.Index2) { got = append(got, i) }))
	for i := 4; i >= 0; i-- {
		for j := 3; j >= 0; j-- {
			want = append(want, policy.Index2{I: i, J: j})
		}
	}
	assert.Equal(t, want, got, "indices are those of its own Next")
}

// corner walks along one dimension, and then along the other.
type corner struct{ policy.Plan }

func (c corner) Next(begin, end int, dst []policy.Index2) (n, next int) {
	for n = range min(len(dst), end-begin) {
		k := begin + n
		dst[n] = policy.Index2{I: 1 + max(k-9, 0), J: min(k, 9)}
	}
	return n + 1, begin + n + 1
}

func (c corner) NextRuns(begin, end int, dst []policy.Run) (n, next int) {
	if begin < 10 {
		dst[0] = policy.Run{At: [6]int{1, begin}, Dim: 1, Len: min(end, 10) - begin}
	} else {
		dst[0] = policy.Run{At: [6]int{begin - 8, 9}, Dim: 0, Len: end - begin}
	}
	next = begin + dst[0].Len
	if next == end || len(dst) == 1 {
		return 1, next
	}
	dst[1] = policy.Run{At: [6]int{next - 8, 9}, Dim: 0, Len: end - next}
	return 2, end
}

type cornerPolicy struct{ c corner }

func (p cornerPolicy) Plan() policy.Plan { return p.c.Plan }
func (p cornerPolicy) Next(begin, end int, dst []policy.Index2) (n, next int) {
	return p.c.Next(begin, end, dst)
}
func (p cornerPolicy) NextRuns(begin, end int, dst []policy.Run) (n, next int) {
	return p.c.NextRuns(begin, end, dst)
}

// Each run goes along its own dimension.
func TestRunsAlongSeveralDimensions(t *testing.T) {
	p := cornerPolicy{corner{policy.Range(0, 20).Chunk(32).On(exec.Serial{}).Plan()}}
	want := make([]policy.Index2, 20)
	p.Next(0, 20, want)
	var got []policy.Index2
	require.NoError(t, exec.ParallelFor(p, func(i policy.Index2) { got = append(got, i) }))
	assert.Equal(t, want, got)
}

// Pieces of a row of lanes stay in the range, wherever that ends.
func TestReduceAtTheLargestIntegers(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	calls, outside := 0, 0
	first := math.MaxInt - 300
	var sum int
	require.NoError(t, exec.ParallelReduce(policy.Range(first, math.MaxInt).Chunk(256).WithContext(ctx).On(exec.Serial{}), func(i int, acc *int) {
		if i < first {
			outside++
		}
		calls++
		*acc++
		time.Sleep(10 * time.Microsecond)
	}, builtin.Sum(&sum)))
	assert.Equal(t, []int{300, 300, 0}, []int{sum, calls, outside})
}

// A functor that the runs of a policy call may launch over the same policy.
func TestRunsInRuns(t *testing.T) {
	p := policy.MDRange2([2]int{}, [2]int{9, 50}).Chunk(64).On(exec.Serial{})
	calls := 0
	require.NoError(t, exec.ParallelFor(p, func(i policy.Index2) {
		if i.J == 49 {
			require.NoError(t, exec.ParallelFor(p, func(policy.Index2) { calls++ }))
		}
	}))
	assert.Equal(t, 9*450, calls)
}
