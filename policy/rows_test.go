package policy_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// Runs and rows of any part of a box are that part of the nest of loops, and as few as they can
// be: each but the last one ends where its line ends in the tile.
func TestRunsAndRowsAreANestOfLoops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBox(t)
		p, want := b.policy(), b.points()
		begin := rapid.IntRange(0, len(want)).Draw(t, "begin")
		end := rapid.IntRange(begin, len(want)).Draw(t, "end")
		for name, next := range map[string]steps{"runs": p.runs, "planes": p.planes, "rows": p.rows.next} {
			var got [][]int
			for at := begin; at < end; {
				points, rest := next(at, end, rapid.IntRange(1, 20).Draw(t, "most"))
				require.Equal(t, at+len(points), rest, name)
				require.Greater(t, rest, at, name)
				got = append(got, points...)
				at = rest
			}
			require.True(t, slices.EqualFunc(want[begin:end], got, slices.Equal), "%s of %v: items %d to %d are %v", name, b, begin, end, got)
		}
		require.Equal(t, len(want), p.rows.plan.Items)
		require.True(t, p.rows.plan.Whole)
	})
}

// lengths returns how long the rows of a box are.
func lengths(p policy.RowsPolicy[policy.Index2, [2]int]) (all []int) {
	rows := make([]policy.Row[policy.Index2], 100)
	n, _ := p.Next(0, p.Plan().Items, rows)
	for _, r := range rows[:n] {
		all = append(all, r.Len())
	}
	return all
}

func TestRowsEndWhereLinesEnd(t *testing.T) {
	p := policy.MDRange2([2]int{-1, 2}, [2]int{2, 7})
	assert.Equal(t, []int{5, 5, 5}, lengths(p.Rows()))
	assert.Equal(t, []int{3, 3, 3, 3, 3}, lengths(p.Iterate(policy.Right, policy.Left).Rows()))
	assert.Equal(t, []int{3, 3, 2, 2, 3, 2}, lengths(p.Tile([2]int{2, 3}).Rows()))
	assert.Equal(t, []int{5, 5, 5}, lengths(p.Tile([2]int{2, math.MaxInt}).Rows()))

	row := make([]policy.Row[policy.Index2], 3)
	n, next := p.Rows().Next(3, 12, row)
	assert.Equal(t, []int{3, 12}, []int{n, next})
	assert.Equal(t, []policy.Row[policy.Index2]{
		{At: policy.Index2{I: -1, J: 5}, Span: policy.Span{Begin: 5, End: 7}},
		{At: policy.Index2{I: 0, J: 2}, Span: policy.Span{Begin: 2, End: 7}},
		{At: policy.Index2{I: 1, J: 2}, Span: policy.Span{Begin: 2, End: 4}},
	}, row)
	n, next = p.Rows().Next(3, 3, row)
	assert.Equal(t, []int{0, 3}, []int{n, next})
	n, next = p.NextRuns(3, 12, nil)
	assert.Equal(t, []int{0, 3}, []int{n, next})
}

func TestRangeIsOneRun(t *testing.T) {
	var runs [2]policy.Run
	n, next := policy.Range(math.MinInt, -5).NextRuns(3, 10, runs[:])
	assert.Equal(t, []int{1, 10}, []int{n, next})
	assert.Equal(t, [2]policy.Run{{At: [6]int{math.MinInt + 3}, Len: 7}}, runs)
}

// Tiles are those of a loop nest, in the outer order, each with the points that it has there.
func TestTilesAreTheOuterLoops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBox(t)
		if b.tile == nil {
			b.tile = slices.Repeat([]int{3}, len(b.lower))
		}
		p := b.policy().tiles(b.tile)
		corners, next := p.next(0, p.plan.Items, p.plan.Items+1)
		require.Equal(t, p.plan.Items, next)
		require.False(t, p.plan.Whole)
		var got [][]int
		for k := 0; k < len(corners); k += 2 {
			ones := slices.Repeat([]int{1}, len(b.lower))
			loop(corners[k], corners[k+1], ones, b.inner, func(x []int) { got = append(got, slices.Clone(x)) })
		}
		require.True(t, slices.EqualFunc(b.points(), got, slices.Equal), "%v: %v", b, got)
		if k := rapid.IntRange(0, 50).Draw(t, "tile"); k < p.plan.Items { // on its own
			one, next := p.next(k, p.plan.Items, 1)
			require.Equal(t, k+1, next)
			require.Equal(t, corners[2*k:2*k+2], one)
		}
	})
}

func TestTilesErrorsAndLimits(t *testing.T) {
	half := math.MaxInt/2 + 1
	for says, p := range map[string]policy.Plan{
		"policy: MDRange2: a tile of length 0 in dimension 1, expected at least 1":                                      policy.MDRange2([2]int{}, [2]int{3, 4}).Tiles([2]int{1, 0}).Plan(),
		"MDRange2: a tile of length -1 in dimension 0":                                                                  policy.MDRange2([2]int{}, [2]int{3, 0}).Tiles([2]int{-1, 1}).Plan(),
		"policy: MDRange2: dimension 1 from 3 to 2 is reversed, expected lower <= upper":                                policy.MDRange2([2]int{0, 3}, [2]int{4, 2}).Tiles([2]int{2, 2}).Plan(),
		"MDRange3: dimension 2 from 3 to 2 is reversed":                                                                 policy.MDRange3([3]int{0, 0, 3}, [3]int{4, 2, 2}).Rows().Plan(),
		"MDRange4: dimension 1 from -9223372036854775808 to 0 is longer than an int can count":                          policy.MDRange4([4]int{0, math.MinInt, 0, 0}, [4]int{4, 0, 1, 1}).Rows().Plan(),
		"MDRange2 of [4611686018427387904 2] points has more items than an int can count":                               policy.MDRange2([2]int{}, [2]int{half, 2}).Tiles([2]int{half, 2}).Plan(),
		"policy: MDRange2: Iterate(Order(3), Left), expected Left or Right, or Hilbert for the tiles of two dimensions": policy.MDRange2([2]int{}, [2]int{2, 3}).Iterate(3, policy.Left).Rows().Plan(),
		"policy: a chunk of -1 items, expected at least 1, or 0 for the rule's own":                                     policy.MDRange2([2]int{}, [2]int{2, 3}).Chunk(-1).Tiles([2]int{2, 2}).Plan(),
	} {
		if math.MaxInt > math.MaxInt32 {
			assert.ErrorContains(t, p.Err, says)
		} else {
			assert.Error(t, p.Err)
		}
	}

	// The corners of the last tile, where sums on the way come near the limits.
	tile := make([]policy.Tile[policy.Index2], 1)
	p := policy.MDRange2([2]int{math.MinInt, -3}, [2]int{-1, -2}).Tiles([2]int{math.MaxInt - 1, 5})
	assert.Equal(t, 2, p.Plan().Items)
	p.Next(1, 2, tile)
	assert.Equal(t, policy.Tile[policy.Index2]{Lower: policy.Index2{I: -2, J: -3}, Upper: policy.Index2{I: -1, J: -2}}, tile[0])
	assert.Equal(t, 1, policy.MDRange2([2]int{}, [2]int{math.MaxInt, 1}).Tiles([2]int{math.MaxInt, math.MaxInt}).Plan().Items)
	assert.Zero(t, policy.MDRange3([3]int{}, [3]int{half, half, 0}).Tiles([3]int{1, 1, 1}).Plan().Items)
	assert.Equal(t, policy.Plan{}, policy.MDRangePolicy[policy.Index2, [2]int]{}.Tiles([2]int{}).Plan())
	assert.Equal(t, policy.Plan{Whole: true}, policy.MDRangePolicy[policy.Index2, [2]int]{}.Rows().Plan())
}

func TestRowsAndTilesKeepThePlan(t *testing.T) {
	p := policy.MDRange2([2]int{}, [2]int{3, 4}).Chunk(2).On(named("here")).WithLabel("stencil")
	want := p.Plan()
	assert.Equal(t, want, p.Tiles([2]int{1, 1}).Plan())
	want.Items = 4
	assert.Equal(t, want, p.Tile([2]int{1, 1}).Tiles([2]int{2, 2}).Plan(), "the last lengths count")
	want.Items, want.Whole = 12, true
	assert.Equal(t, want, p.Rows().Plan())
}

// Planes are as large as they can be: all whole rows up to the end of the tile, and of the box.
func TestPlanesAreAllRows(t *testing.T) {
	sizes := func(p policy.MDRangePolicy[policy.Index3, [3]int], begin, end int) (all [][2]int) {
		planes := make([]policy.Plane, 100)
		n, next := p.NextPlanes(begin, end, planes)
		require.Equal(t, end, next)
		for _, r := range planes[:n] {
			all = append(all, [2]int{r.Rows, r.Len})
		}
		return all
	}
	p := policy.MDRange3([3]int{}, [3]int{2, 5, 4})
	assert.Equal(t, [][2]int{{5, 4}, {5, 4}}, sizes(p, 0, 40))
	assert.Equal(t, [][2]int{{1, 3}, {4, 4}, {2, 4}, {1, 1}}, sizes(p, 1, 29))
	assert.Equal(t, [][2]int{{5, 2}, {5, 2}, {5, 2}, {5, 2}}, sizes(p.Iterate(policy.Right, policy.Left), 0, 40))
	assert.Equal(t, [][2]int{{3, 4}, {3, 4}, {2, 4}, {2, 4}}, sizes(p.Tile([3]int{2, 3, 4}), 0, 40))
}

// What a launch carries is set on a box, and on its rows and tiles, with the same plan.
func TestRowsAndTilesCarryALaunch(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	box := policy.MDRange2([2]int{}, [2]int{5, 7})
	set := box.On(exec.Serial{}).WithContext(ctx).WithLabel("x")
	assert.Equal(t, set.Rows().Plan(), box.Rows().On(exec.Serial{}).WithContext(ctx).WithLabel("x").Plan())
	assert.Equal(t, set.Tiles([2]int{2, 2}).Plan(), box.Tiles([2]int{2, 2}).On(exec.Serial{}).WithContext(ctx).WithLabel("x").Plan())
	all := policy.On(exec.Serial{}).WithContext(ctx).WithLabel("x")
	assert.Equal(t, set.Rows().Plan(), box.Rows().With(all).Plan())
	assert.Equal(t, set.Tiles([2]int{2, 2}).Plan(), box.Tiles([2]int{2, 2}).With(all).Plan())
	assert.Equal(t, "x", set.Rows().Plan().Label)
	assert.NotNil(t, set.Rows().Plan().Context)
}
