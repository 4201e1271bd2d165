package exec_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// rowSpaces are one of each kind, with more workers than some boxes have leaves.
func rowSpaces(t *testing.T) map[string]exec.Space {
	goroutines := exec.NewGoroutines(7)
	t.Cleanup(func() { assert.NoError(t, goroutines.Close()) })
	device := simGPU(t, gpu.Device{})
	return map[string]exec.Space{"serial": exec.Serial{}, "goroutines": goroutines, "simgpu": device, "schedule 2": device.WithSchedule(2)}
}

// rowsOf are boxes of every rank with rows of several lengths, as functions of a space that
// reduce them: point by point, in lanes of rows, and with an accumulator for each leaf.
func rowsOf(tile, chunk int, inner policy.Order) map[string]func(s exec.Space) (points, lanes, rows float64, err error) {
	tiles := [6]int{tile, tile, tile, tile, tile, tile}
	return map[string]func(s exec.Space) (float64, float64, float64, error){
		"2": func(s exec.Space) (float64, float64, float64, error) {
			p := policy.MDRange2([2]int{-3, 5}, [2]int{40, 58}).Tile([2]int(tiles[:2])).Iterate(policy.Left, inner).Chunk(chunk).On(s)
			return threeSums(p, p.Rows(), func(x policy.Index2) float64 { return math.Sin(float64(100*x.I + x.J)) },
				func(x *policy.Index2) [2]*int { return [2]*int{&x.I, &x.J} }, inner)
		},
		"3": func(s exec.Space) (float64, float64, float64, error) {
			p := policy.MDRange3([3]int{-3, 5, 0}, [3]int{8, 15, 13}).Tile([3]int(tiles[:3])).Iterate(policy.Right, inner).Chunk(chunk).On(s)
			return threeSums(p, p.Rows(), func(x policy.Index3) float64 { return math.Sin(float64(100*x.I + 10*x.J + x.K)) },
				func(x *policy.Index3) [2]*int { return [2]*int{&x.I, &x.K} }, inner)
		},
		"4": func(s exec.Space) (float64, float64, float64, error) {
			p := policy.MDRange4([4]int{1, 2, 3, 4}, [4]int{5, 9, 8, 15}).Tile([4]int(tiles[:4])).Iterate(policy.Right, inner).Chunk(chunk).On(s)
			return threeSums(p, p.Rows(), func(x policy.Index4) float64 { return math.Sin(float64(100*x.I + 10*x.J + x.K + 7*x.L)) },
				func(x *policy.Index4) [2]*int { return [2]*int{&x.I, &x.L} }, inner)
		},
		"5": func(s exec.Space) (float64, float64, float64, error) {
			p := policy.MDRange5([5]int{}, [5]int{3, 4, 2, 5, 9}).Tile([5]int(tiles[:5])).Iterate(policy.Left, inner).Chunk(chunk).On(s)
			return threeSums(p, p.Rows(), func(x policy.Index5) float64 { return math.Sin(float64(100*x.I + 10*x.J + x.K + 7*x.L + 3*x.M)) },
				func(x *policy.Index5) [2]*int { return [2]*int{&x.I, &x.M} }, inner)
		},
		"6": func(s exec.Space) (float64, float64, float64, error) {
			p := policy.MDRange6([6]int{}, [6]int{7, 3, 2, 4, 3, 5}).Tile(tiles).Iterate(policy.Left, inner).Chunk(chunk).On(s)
			return threeSums(p, p.Rows(), func(x policy.Index6) float64 { return math.Sin(float64(100*x.I + 10*x.J + x.K + 7*x.L + 3*x.M + x.N)) },
				func(x *policy.Index6) [2]*int { return [2]*int{&x.I, &x.N} }, inner)
		},
	}
}

// threeSums sums the values of the points of a box. ends are the first and the last coordinate.
func threeSums[I any, P exec.Policy[I], R exec.Policy[policy.Row[I]]](p P, r R, value func(I) float64, ends func(*I) [2]*int, inner policy.Order) (points, lanes, rows float64, err error) {
	end := 1
	if inner == policy.Left {
		end = 0
	}
	if err := exec.ParallelReduce(p, func(x I, acc *float64) { *acc += value(x) }, builtin.Sum(&points)); err != nil {
		return 0, 0, 0, err
	}
	err = exec.ParallelReduceLanes(r, func(r exec.RowLanes[I, float64]) {
		for at, acc := range r.Items() {
			x := r.At
			*ends(&x)[end] = at
			*acc += value(x)
		}
	}, builtin.Sum(&lanes))
	if err != nil {
		return 0, 0, 0, err
	}
	err = exec.ParallelReduce(r, func(r policy.Row[I], acc *float64) {
		for at := range r.All() {
			x := r.At
			*ends(&x)[end] = at
			*acc += value(x)
		}
	}, builtin.Sum(&rows))
	return points, lanes, rows, err
}

// Lanes of rows give the bits of points, and rows those of Serial, on every space.
func TestRowLanesAreThePoints(t *testing.T) {
	for name, s := range rowSpaces(t) {
		for _, tile := range []int{1, 3, 1000} {
			for _, chunk := range []int{0, 1, 16, 700} {
				for _, inner := range []policy.Order{policy.Right, policy.Left} {
					for rank, run := range rowsOf(tile, chunk, inner) {
						what := fmt.Sprintf("rank %s on %s, tile %d, chunk %d, order %d", rank, name, tile, chunk, inner)
						points, _, wantRows, err := run(exec.Serial{})
						require.NoError(t, err, what)
						require.InDelta(t, points, wantRows, 1e-9, what)
						same, lanes, rows, err := run(s)
						require.NoError(t, err, what)
						require.Equal(t, allBits(points, points, wantRows), allBits(same, lanes, rows), what)
					}
				}
			}
		}
	}
}

// Rows go over the points of a box in their order, along whichever dimension.
func TestRowsHaveThePoints(t *testing.T) {
	for _, inner := range []policy.Order{policy.Right, policy.Left} {
		p2 := policy.MDRange2([2]int{-3, 5}, [2]int{2, 12}).Iterate(policy.Left, inner).On(exec.Serial{})
		requireRows(t, p2, p2.Rows(), inner, func(x *policy.Index2) (first, last *int) { return &x.I, &x.J })
		p3 := policy.MDRange3([3]int{-3, 5, 1}, [3]int{0, 9, 6}).Iterate(policy.Left, inner).On(exec.Serial{})
		requireRows(t, p3, p3.Rows(), inner, func(x *policy.Index3) (first, last *int) { return &x.I, &x.K })
		p4 := policy.MDRange4([4]int{-3, 5, 1, 2}, [4]int{0, 9, 6, 4}).Iterate(policy.Left, inner).On(exec.Serial{})
		requireRows(t, p4, p4.Rows(), inner, func(x *policy.Index4) (first, last *int) { return &x.I, &x.L })
		p5 := policy.MDRange5([5]int{-3, 5, 1, 2, 7}, [5]int{0, 9, 6, 4, 9}).Iterate(policy.Left, inner).On(exec.Serial{})
		requireRows(t, p5, p5.Rows(), inner, func(x *policy.Index5) (first, last *int) { return &x.I, &x.M })
	}
}

func requireRows[I any, P exec.Policy[I], R exec.Policy[policy.Row[I]]](t *testing.T, p P, r R, inner policy.Order, ends func(*I) (first, last *int)) {
	t.Helper()
	var points, ofRows []I
	require.NoError(t, exec.ParallelFor(p, func(x I) { points = append(points, x) })) //gokkosvet:ignore on Serial
	require.NoError(t, exec.ParallelFor(r, func(r policy.Row[I]) {
		for at := range r.All() {
			x := r.At
			first, last := ends(&x)
			if inner == policy.Left {
				last = first
			}
			*last = at
			ofRows = append(ofRows, x) //gokkosvet:ignore on Serial
		}
	}))
	require.Equal(t, points, ofRows)
}

// The rows of a leaf join into one accumulator, in ascending order; the leaves are those of the
// points.
func TestRowsJoinInOrder(t *testing.T) {
	type leaf struct{ rows [][]int } // each leaf starts anew
	join := func(dst, src *leaf) { dst.rows = append(append(dst.rows, []int{-1}), src.rows...) }
	for name, s := range rowSpaces(t) {
		var got leaf
		p := policy.MDRange2([2]int{0, 0}, [2]int{4, 6}).Chunk(8).On(s)
		require.NoError(t, exec.ParallelReduce(p.Rows(), func(r policy.Row[policy.Index2], acc *leaf) {
			acc.rows = append(acc.rows, []int{r.At.I, r.Begin, r.End})
		}, reducers.New(&got, join)), name)
		want := [][]int{{0, 0, 6}, {1, 0, 2}, {-1}, {1, 2, 6}, {2, 0, 4}, {-1}, {2, 4, 6}, {3, 0, 6}}
		assert.True(t, slices.EqualFunc(want, got.rows, slices.Equal), "%s: %v", name, got.rows)
	}
}

// A tile is an item: tiles go to lanes as items do, and a plain loop over tiles sees the same.
func TestTilesAreItems(t *testing.T) {
	value := func(x policy.Tile[policy.Index2]) float64 {
		return math.Sin(float64(100*x.Lower.I+x.Lower.J)) / float64(x.Upper.J)
	}
	for name, s := range rowSpaces(t) {
		for _, chunk := range []int{0, 1, 40} {
			p := policy.MDRange2([2]int{-3, 5}, [2]int{97, 205}).Iterate(policy.Left, policy.Right).Chunk(chunk).On(s).Tiles([2]int{3, 2})
			tiles := make([]policy.Tile[policy.Index2], p.Plan().Items)
			p.Next(0, len(tiles), tiles)
			var got, want, a, b, c float64
			require.NoError(t, exec.ParallelReduce(p, func(x policy.Tile[policy.Index2], acc *float64) { *acc += value(x) }, builtin.Sum(&got)))
			require.NoError(t, exec.ParallelReduce(policy.Range(0, len(tiles)).Chunk(chunk).On(exec.Serial{}), func(i int, acc *float64) { *acc += value(tiles[i]) }, builtin.Sum(&want)))
			assert.Equal(t, allBits(want), allBits(got), name)
			require.NoError(t, exec.ParallelReduce3(p, func(x policy.Tile[policy.Index2], a, b, c *float64) { *a += value(x); *b += 1; *c -= value(x) },
				builtin.Sum(&a), builtin.Sum(&b), builtin.Sum(&c)))
			assert.Equal(t, allBits(want, float64(len(tiles)), -want), allBits(a, b, c), name)
		}
	}
}

// partial is a policy that gives whole leaves, or says so.
type partial struct {
	plan policy.Plan
	next func(begin, end int, dst []policy.Span) (n, next int)
}

func (p partial) Plan() policy.Plan { return p.plan }
func (p partial) Next(begin, end int, dst []policy.Span) (n, next int) {
	return p.next(begin, end, dst)
}

// wrongRows is a policy of six items that gives any rows for them.
type wrongRows struct {
	next func(begin, end int, dst []policy.Row[policy.Index2]) (n, next int)
}

func (p wrongRows) Plan() policy.Plan {
	return policy.Plan{Items: 6, Chunk: 8, Whole: true, Space: exec.Serial{}}
}
func (p wrongRows) Next(begin, end int, dst []policy.Row[policy.Index2]) (n, next int) {
	return p.next(begin, end, dst)
}

// points are rows of which each is one item.
type points struct {
	policy.RowsPolicy[policy.Index2, [2]int]
}

func (p points) Plan() policy.Plan {
	plan := p.RowsPolicy.Plan()
	plan.Whole = false
	return plan
}

// A policy of anybody may have several indices for a leaf.
func TestWholePolicies(t *testing.T) {
	thirds := partial{policy.Plan{Items: 100, Whole: true, Space: exec.Serial{}}, func(begin, end int, dst []policy.Span) (n, next int) {
		for n = 0; n < min(len(dst), 2) && begin < end; n++ {
			dst[n] = policy.Span{Begin: begin, End: min(begin+3, end)}
			begin = dst[n].End
		}
		return n, begin
	}}
	var sum, lanes, total float64
	require.NoError(t, exec.ParallelReduce(thirds, func(s policy.Span, acc *float64) {
		assert.LessOrEqual(t, s.Len(), 3)
		for i := range s.All() {
			*acc += worth(i)
		}
	}, builtin.Sum(&sum)))
	require.NoError(t, exec.ParallelReduce(policy.Spans(0, 100).On(exec.Serial{}), func(s policy.Span, acc *float64) {
		for i := range s.All() {
			*acc += worth(i)
		}
	}, builtin.Sum(&total)))
	assert.Equal(t, allBits(total), allBits(sum))
	require.NoError(t, exec.ParallelScan(thirds, func(s policy.Span, acc *float64, _ bool) {
		for i := range s.All() {
			*acc += worth(i)
		}
	}, builtin.Sum(&sum)))
	assert.Equal(t, allBits(total), allBits(sum))

	for name, c := range map[string]struct {
		next func(begin, end int, dst []policy.Span) (n, next int)
		says string
	}{
		"stands still": {func(begin, _ int, _ []policy.Span) (int, int) { return 1, begin }, "which is Whole, returned 1 indices and item 0, expected 1 to 4 and 1 to 4"},
		"none":         {func(_, end int, _ []policy.Span) (int, int) { return 0, end }, "returned 0 indices"},
		"too far":      {func(_, end int, _ []policy.Span) (int, int) { return 1, end + 1 }, "and item 5"},
		"too many":     {func(_, end int, dst []policy.Span) (int, int) { return len(dst) + 1, end }, "returned 5 indices"},
	} {
		p := partial{thirds.plan, c.next}
		err := exec.ParallelFor(p, func(policy.Span) { t.Error("the functor ran") })
		assert.ErrorContains(t, err, c.says, name)
	}

	for name, c := range map[string]struct {
		rows []policy.Span
		says string
	}{
		"too long":    {[]policy.Span{{Begin: 0, End: math.MaxInt}}, fmt.Sprintf("returned an index of %d items at item 0, expected 0 to 6", math.MaxInt)},
		"wrap":        {[]policy.Span{{Begin: 0, End: 5}, {Begin: 0, End: 2}}, "returned an index of 2 items at item 5, expected 0 to 1"},
		"backwards":   {[]policy.Span{{Begin: 5, End: 0}}, "returned an index of -5 items at item 0"},
		"not so many": {[]policy.Span{{Begin: 0, End: 5}}, "returned indices of the items up to 5, expected 6"},
	} {
		p := wrongRows{func(_, end int, dst []policy.Row[policy.Index2]) (n, next int) {
			for n = range c.rows {
				dst[n].Span = c.rows[n]
			}
			return n + 1, end
		}}
		items := 0
		err := exec.ParallelReduceLanes(p, func(l exec.RowLanes[policy.Index2, float64]) { items += l.Len() }, builtin.Sum(&lanes)) //gokkosvet:ignore the launch is refused
		assert.ErrorContains(t, err, c.says, name)
		assert.LessOrEqual(t, items, 5, name)
	}

	err := exec.ParallelReduceLanes(thirds, func(exec.Lanes[float64]) { t.Error("the functor ran") }, builtin.Sum(&lanes))
	assert.EqualError(t, err, "exec: ParallelReduceLanes over a exec_test.partial, expected Spans, or the rows of a box")
	err = exec.ParallelReduceLanes(points{policy.MDRange2([2]int{}, [2]int{3, 3}).Rows()}, func(exec.RowLanes[policy.Index2, float64]) { t.Error("the functor ran") }, builtin.Sum(&lanes))
	assert.ErrorContains(t, err, "ParallelReduceLanes over a exec_test.points")
	bad := policy.MDRange2([2]int{0, 2}, [2]int{1, 1}).Rows()
	err = exec.ParallelReduceLanes(bad, func(exec.RowLanes[policy.Index2, float64]) { t.Error("the functor ran") }, builtin.Sum(&lanes))
	assert.EqualError(t, err, "policy: MDRange2: dimension 1 from 2 to 1 is reversed, expected lower <= upper")
	assert.Zero(t, lanes)
}
