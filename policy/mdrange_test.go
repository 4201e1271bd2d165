package policy_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/policy"
)

// box is an MDRange of any rank, with points as slices.
type box struct {
	lower, upper, tile []int // tile may be nil
	outer, inner       policy.Order
	iterate            bool
}

// walker is what [box.policy] makes: the policy of the box's rank.
type walker struct {
	plan   policy.Plan
	next   steps
	runs   steps
	planes steps
	rows   walked
	tiles  func(lengths []int) walked // which has each tile as the points of its lower and its upper corner
}

// steps are a method Next, with what it writes as points.
type steps func(begin, end, length int) (points [][]int, next int)

// walked is a policy that was made of the box's.
type walked struct {
	plan policy.Plan
	next steps
}

func (b box) policy() walker {
	switch len(b.lower) {
	case 2:
		return newWalker(b, policy.MDRange2([2]int(b.lower), [2]int(b.upper)), func(s []int) [2]int { return [2]int(s) },
			func(x policy.Index2) []int { return []int{x.I, x.J} })
	case 3:
		return newWalker(b, policy.MDRange3([3]int(b.lower), [3]int(b.upper)), func(s []int) [3]int { return [3]int(s) },
			func(x policy.Index3) []int { return []int{x.I, x.J, x.K} })
	case 4:
		return newWalker(b, policy.MDRange4([4]int(b.lower), [4]int(b.upper)), func(s []int) [4]int { return [4]int(s) },
			func(x policy.Index4) []int { return []int{x.I, x.J, x.K, x.L} })
	case 5:
		return newWalker(b, policy.MDRange5([5]int(b.lower), [5]int(b.upper)), func(s []int) [5]int { return [5]int(s) },
			func(x policy.Index5) []int { return []int{x.I, x.J, x.K, x.L, x.M} })
	case 6:
		return newWalker(b, policy.MDRange6([6]int(b.lower), [6]int(b.upper)), func(s []int) [6]int { return [6]int(s) },
			func(x policy.Index6) []int { return []int{x.I, x.J, x.K, x.L, x.M, x.N} })
	}
	panic("no such rank")
}

// mdrange is policy.MDRangePolicy[I, B], whose B cannot be named here.
type mdrange[I, B, P, R, T any] interface {
	indexed[I]
	NextRuns(begin, end int, dst []policy.Run) (n, next int)
	NextPlanes(begin, end int, dst []policy.Plane) (n, next int)
	Tile(B) P
	Iterate(outer, inner policy.Order) P
	Rows() R
	Tiles(B) T
}

type indexed[I any] interface {
	Plan() policy.Plan
	Next(begin, end int, dst []I) (n, next int)
}

func newWalker[I, B any, R indexed[policy.Row[I]], T indexed[policy.Tile[I]], P mdrange[I, B, P, R, T]](b box, p P, array func([]int) B, point func(I) []int) walker {
	if b.iterate {
		p = p.Iterate(b.outer, b.inner)
	}
	if b.tile != nil {
		p = p.Tile(array(b.tile))
	}
	fast := len(b.lower) - 1
	second := fast - 1
	if b.inner == policy.Left {
		fast, second = 0, 1
	}
	one := func(i I) [][]int { return [][]int{point(i)} }
	line := func(from []int, dim, begin, end int) (points [][]int) {
		for at := begin; at < end; at++ {
			x := slices.Clone(from)
			x[dim] = at
			points = append(points, x)
		}
		return points
	}
	rows := p.Rows()
	return walker{
		plan: p.Plan(),
		next: stepsOf(p.Next, one),
		runs: stepsOf(p.NextRuns, func(r policy.Run) [][]int {
			if r.Dim != fast || slices.ContainsFunc(r.At[len(b.lower):], func(x int) bool { return x != 0 }) {
				panic(fmt.Sprint("a run elsewhere: ", r))
			}
			return line(r.At[:len(b.lower)], r.Dim, r.At[r.Dim], r.At[r.Dim]+r.Len)
		}),
		planes: stepsOf(p.NextPlanes, func(r policy.Plane) (points [][]int) {
			if r.Dim != fast || r.Outer != second {
				panic(fmt.Sprint("a plane elsewhere: ", r))
			}
			for range r.Rows {
				points = append(points, line(r.At[:len(b.lower)], r.Dim, r.At[r.Dim], r.At[r.Dim]+r.Len)...)
				r.At[r.Outer]++
			}
			return points
		}),
		rows: walked{rows.Plan(), stepsOf(rows.Next, func(r policy.Row[I]) [][]int {
			if point(r.At)[fast] != r.Begin {
				panic(fmt.Sprint("a row elsewhere: ", r))
			}
			return line(point(r.At), fast, r.Begin, r.End)
		})},
		tiles: func(lengths []int) walked {
			t := p.Tiles(array(lengths))
			return walked{t.Plan(), stepsOf(t.Next, func(t policy.Tile[I]) [][]int { return [][]int{point(t.Lower), point(t.Upper)} })}
		},
	}
}

// stepsOf returns a method Next whose indices stand for those points.
func stepsOf[X any](next func(begin, end int, dst []X) (int, int), points func(X) [][]int) steps {
	return func(begin, end, length int) (all [][]int, rest int) {
		dst := make([]X, length)
		n, rest := next(begin, end, dst)
		for _, x := range dst[:n] {
			all = append(all, points(x)...)
		}
		var zero X
		for _, x := range dst[n:] {
			if any(x) != any(zero) {
				panic("Next wrote behind what it says")
			}
		}
		return all, rest
	}
}

// loop calls f for every point of the box from lower up to upper with the given
// steps, as nested loops do whose outermost loop runs over the first dimension
// of the order.
func loop(lower, upper, step []int, order policy.Order, f func(point []int)) {
	dims := make([]int, len(lower))
	for d := range dims {
		dims[d] = d
	}
	if order == policy.Left {
		slices.Reverse(dims)
	}
	at := slices.Clone(lower)
	var nest func(k int)
	nest = func(k int) {
		if k == len(dims) {
			f(at)
			return
		}
		d := dims[k]
		for at[d] = lower[d]; at[d] < upper[d]; at[d] += min(step[d], upper[d]-lower[d]) {
			nest(k + 1)
		}
	}
	nest(0)
}

// points is the oracle: a nest of loops over the origins of the tiles around a
// nest of loops over the points of a tile.
func (b box) points() (points [][]int) {
	rank := len(b.lower)
	tile, ones := b.tile, slices.Repeat([]int{1}, rank)
	if tile == nil {
		tile = slices.Repeat([]int{1 << 20}, rank)
	}
	loop(b.lower, b.upper, tile, b.outer, func(origin []int) {
		end := make([]int, rank)
		for d := range end {
			end[d] = origin[d] + min(tile[d], b.upper[d]-origin[d])
		}
		loop(origin, end, ones, b.inner, func(p []int) { points = append(points, slices.Clone(p)) })
	})
	return points
}

func (b box) String() string {
	return fmt.Sprintf("%v-%v tile %v outer %d inner %d", b.lower, b.upper, b.tile, b.outer, b.inner)
}

func TestMDRangeIsANestOfLoops(t *testing.T) {
	orders := []policy.Order{policy.Right, policy.Left}
	for _, b := range []box{
		{lower: []int{0, 0}, upper: []int{3, 4}},
		{lower: []int{0, 0}, upper: []int{4, 6}, tile: []int{2, 3}},
		{lower: []int{-2, -5}, upper: []int{3, 2}, tile: []int{2, 3}},
		{lower: []int{1, 2}, upper: []int{4, 4}, tile: []int{100, math.MaxInt}},
		{lower: []int{0, 0}, upper: []int{5, 7}, tile: []int{1, 1}},
		{lower: []int{0, 0}, upper: []int{1, 7}, tile: []int{3, 3}},
		{lower: []int{0, 0}, upper: []int{7, 1}, tile: []int{3, 3}},
		{lower: []int{3, 0}, upper: []int{3, 7}, tile: []int{3, 3}},
		{lower: []int{0, 4}, upper: []int{5, 4}},
		{lower: []int{0, 0, 0}, upper: []int{3, 4, 5}},
		{lower: []int{-1, 0, 7}, upper: []int{4, 4, 12}, tile: []int{2, 3, 2}},
		{lower: []int{0, -9, 0}, upper: []int{4, -8, 6}, tile: []int{4, 1, 5}},
		{lower: []int{0, 0, 0}, upper: []int{4, 0, 6}, tile: []int{4, 1, 5}},
		{lower: []int{0, 0, 0, 0}, upper: []int{2, 3, 2, 4}},
		{lower: []int{-3, 1, 0, 5}, upper: []int{0, 4, 2, 9}, tile: []int{2, 2, 3, 3}},
		{lower: []int{0, 0, 0, 0, 0}, upper: []int{2, 3, 1, 2, 3}},
		{lower: []int{1, -1, 0, 3, 0}, upper: []int{3, 2, 3, 5, 3}, tile: []int{2, 2, 1, 5, 2}},
		{lower: []int{0, 0, 0, 0, 0, 0}, upper: []int{2, 1, 3, 2, 2, 2}},
		{lower: []int{0, -2, 0, 1, 0, -1}, upper: []int{3, 0, 2, 3, 3, 2}, tile: []int{2, 2, 1, 2, 2, 2}},
		{lower: []int{0, 0, 0, 0, 0, 0}, upper: []int{2, 1, 3, 2, 2, 0}},
	} {
		for _, b.outer = range orders {
			for _, b.inner = range orders {
				b.iterate = true
				t.Run(b.String(), func(t *testing.T) {
					p, want := b.policy(), b.points()
					require.NoError(t, p.plan.Err)
					require.Equal(t, len(want), p.plan.Items)
					for _, block := range []int{1, 2, 5, 128, 1000} {
						var got [][]int
						for at := 0; at < p.plan.Items; {
							points, next := p.next(at, p.plan.Items, block)
							require.Len(t, points, min(block, p.plan.Items-at))
							require.Equal(t, at+len(points), next)
							got = append(got, points...)
							at = next
						}
						require.Equal(t, want, got)
					}
					for item := range want { // each item on its own
						points, next := p.next(item, item+1, 3)
						require.Equal(t, want[item:item+1], points)
						require.Equal(t, item+1, next)
					}
				})
			}
		}
	}
}

func TestMDRangeIsRightWithoutIterate(t *testing.T) {
	b := box{lower: []int{0, 0}, upper: []int{5, 7}, tile: []int{2, 3}}
	p := b.policy()
	points, _ := p.next(0, 35, 35)
	assert.Equal(t, b.points(), points)
}

func anyBox(t *rapid.T) box {
	rank := rapid.IntRange(2, 6).Draw(t, "rank")
	most := map[int]int{2: 12, 3: 8, 4: 5, 5: 4, 6: 3}[rank]
	b := box{iterate: true}
	if rapid.Bool().Draw(t, "tiled") {
		b.tile = rapid.SliceOfN(rapid.IntRange(1, most+2), rank, rank).Draw(t, "tile")
	}
	for range rank {
		lower := rapid.IntRange(-20, 20).Draw(t, "lower")
		b.lower = append(b.lower, lower)
		b.upper = append(b.upper, lower+rapid.IntRange(0, most).Draw(t, "extent"))
	}
	order := rapid.SampledFrom([]policy.Order{policy.Left, policy.Right})
	b.outer, b.inner = order.Draw(t, "outer"), order.Draw(t, "inner")
	return b
}

// A walk over any part of a box, in blocks of any length, is that part of the
// nest of loops.
func TestMDRangeNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBox(t)
		p, want := b.policy(), b.points()
		require.NoError(t, p.plan.Err)
		require.Equal(t, len(want), p.plan.Items)
		begin := rapid.IntRange(0, len(want)).Draw(t, "begin")
		end := rapid.IntRange(begin, len(want)).Draw(t, "end")
		var got [][]int
		for at := begin; at < end; {
			block := rapid.IntRange(1, 150).Draw(t, "block")
			points, next := p.next(at, end, block)
			require.Len(t, points, min(block, end-at))
			require.Equal(t, at+len(points), next)
			got = append(got, points...)
			at = next
		}
		require.True(t, slices.EqualFunc(want[begin:end], got, slices.Equal), "%v: items %d to %d are %v", b, begin, end, got)
	})
	p := policy.MDRange2([2]int{}, [2]int{3, 3})
	n, next := p.Next(4, 4, make([]policy.Index2, 2))
	assert.Equal(t, []int{0, 4}, []int{n, next})
	n, next = p.Next(4, 9, nil)
	assert.Equal(t, []int{0, 4}, []int{n, next})
}

// Item numbers may need more than 32 bits, and the products on the way to a
// point nearly all 63.
func TestMDRangeOfManyItems(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("an int cannot count so many items")
	}
	shift := func(bits int) int { return 1 << bits } // no constant, for 32-bit vet
	long := shift(20)
	p := policy.MDRange2([2]int{0, 0}, [2]int{long, long})
	require.Equal(t, shift(40), p.Plan().Items)
	left := p.Iterate(policy.Left, policy.Left)
	for _, item := range []int{0, shift(33) - 1, shift(33), shift(39) + 12345, shift(40) - 3} {
		var dst [3]policy.Index2
		n, next := p.Next(item, item+3, dst[:])
		assert.Equal(t, 3, n)
		assert.Equal(t, item+3, next)
		for k, x := range dst {
			assert.Equal(t, policy.Index2{I: (item + k) / long, J: (item + k) % long}, x)
		}
		left.Next(item, item+3, dst[:])
		for k, x := range dst {
			assert.Equal(t, policy.Index2{I: (item + k) % long, J: (item + k) / long}, x)
		}
	}

	t.Run("tiles", func(t *testing.T) {
		tile := 3000 // does not divide
		p := p.Tile([2]int{tile, tile})
		// A whole row of tiles, then whole tiles, then whole rows of a tile.
		item := 200*tile*long + 77*tile*tile + 1234*tile + 567
		var dst [2]policy.Index2
		p.Next(item, item+2, dst[:])
		assert.Equal(t, policy.Index2{I: 200*tile + 1234, J: 77*tile + 567}, dst[0])
		assert.Equal(t, policy.Index2{I: 200*tile + 1234, J: 77*tile + 568}, dst[1])
		p.Next(shift(40)-1, shift(40), dst[:])
		assert.Equal(t, policy.Index2{I: long - 1, J: long - 1}, dst[0])
	})
	t.Run("as many as can be", func(t *testing.T) {
		a, b := 7, math.MaxInt/7 // MaxInt is divisible by 7
		require.Equal(t, math.MaxInt, a*b)
		for _, tile := range [][2]int{{7, b}, {2, 1000}, {3, b - 1}, {7, 1}, {1, b}} {
			p := policy.MDRange2([2]int{-3, math.MinInt}, [2]int{4, math.MinInt + b}).Tile(tile)
			require.NoError(t, p.Plan().Err)
			require.Equal(t, math.MaxInt, p.Plan().Items)
			var dst [4]policy.Index2
			n, next := p.Next(math.MaxInt-1, math.MaxInt, dst[:])
			assert.Equal(t, []int{1, math.MaxInt}, []int{n, next})
			assert.Equal(t, policy.Index2{I: 3, J: math.MinInt + b - 1}, dst[0])
		}
	})
	t.Run("one dimension as long as can be", func(t *testing.T) {
		p := policy.MDRange3([3]int{0, math.MinInt, 0}, [3]int{1, -1, 1})
		var dst [2]policy.Index3
		p.Next(math.MaxInt-2, math.MaxInt, dst[:])
		assert.Equal(t, [2]policy.Index3{{J: -3}, {J: -2}}, dst)
		p.Tile([3]int{1, math.MaxInt - 1, 1}).Next(math.MaxInt-2, math.MaxInt, dst[:])
		assert.Equal(t, [2]policy.Index3{{J: -3}, {J: -2}}, dst)
	})
}

func TestMDRangeErrors(t *testing.T) {
	half := math.MaxInt/2 + 1
	for _, tc := range []struct {
		name string
		plan policy.Plan
		says string
	}{
		{"reversed", policy.MDRange2([2]int{0, 3}, [2]int{4, 2}).Plan(),
			"policy: MDRange2: dimension 1 from 3 to 2 is reversed, expected lower <= upper"},
		{"reversed, so that the length wraps", policy.MDRange3([3]int{0, 0, math.MaxInt}, [3]int{4, 2, math.MinInt}).Plan(),
			"MDRange3: dimension 2"},
		{"reversed beside an empty one", policy.MDRange2([2]int{0, 3}, [2]int{0, 2}).Plan(), "reversed"},
		{"too long", policy.MDRange4([4]int{0, math.MinInt, 0, 0}, [4]int{4, 0, 1, 1}).Plan(),
			"longer than an int can count"},
		{"too many", policy.MDRange2([2]int{}, [2]int{half, 2}).Plan(),
			fmt.Sprintf("policy: MDRange2 of [%d 2] points has more items than an int can count", half)},
		{"too many by a power of two", policy.MDRange3([3]int{}, [3]int{half, 4, 1}).Plan(), "MDRange3 of"},
		{"too many by far", policy.MDRange6([6]int{}, [6]int{half, half, half, half, half, half}).Plan(), "MDRange6 of"},
		{"tile 0", policy.MDRange5([5]int{}, [5]int{1, 2, 3, 4, 5}).Tile([5]int{1, 1, 0, 1, 1}).Plan(),
			"policy: MDRange5: a tile of length 0 in dimension 2, expected at least 1"},
		{"tile negative", policy.MDRange6([6]int{}, [6]int{1, 2, 3, 4, 5, 6}).Tile([6]int{1, 1, 1, 1, 1, math.MinInt}).Plan(),
			"MDRange6: a tile of length " + strconv.Itoa(math.MinInt)},
		{"tile 0 in an empty dimension", policy.MDRange2([2]int{}, [2]int{0, 3}).Tile([2]int{0, 1}).Plan(), "a tile of length 0"},
		{"outer order", policy.MDRange2([2]int{}, [2]int{2, 3}).Iterate(3, policy.Left).Plan(),
			"policy: MDRange2: Iterate(Order(3), Left), expected Left or Right, or Hilbert for the tiles of two dimensions"},
		{"inner order", policy.MDRange2([2]int{}, [2]int{2, 3}).Iterate(policy.Right, 9).Plan(), "Iterate(Right, Order(9))"},
	} {
		t.Run(tc.name, func(t *testing.T) { assert.ErrorContains(t, tc.plan.Err, tc.says) })
	}

	t.Run("an empty dimension has no items, however long the others", func(t *testing.T) {
		for _, upper := range [][3]int{{0, half, half}, {half, half, 0}, {half, 0, half}} {
			plan := policy.MDRange3([3]int{}, upper).Plan()
			assert.NoError(t, plan.Err)
			assert.Zero(t, plan.Items)
		}
	})
	t.Run("without items after an error", func(t *testing.T) {
		assert.Zero(t, policy.MDRange2([2]int{0, 3}, [2]int{4, 2}).Plan().Items)
		assert.Zero(t, policy.MDRange2([2]int{}, [2]int{half, 2}).Plan().Items)
	})
}

func TestMDRangeMethodsReturnCopies(t *testing.T) {
	p := policy.MDRange2([2]int{}, [2]int{4, 4})
	first := func(p policy.MDRangePolicy[policy.Index2, [2]int]) []policy.Index2 {
		dst := make([]policy.Index2, 3)
		p.Next(0, 16, dst)
		return dst
	}
	want := first(p)
	tiled := p.Tile([2]int{2, 2})
	assert.Equal(t, []policy.Index2{{I: 0, J: 0}, {I: 0, J: 1}, {I: 1, J: 0}}, first(tiled))
	assert.Equal(t, []policy.Index2{{I: 0, J: 0}, {I: 1, J: 0}, {I: 0, J: 1}}, first(tiled.Iterate(policy.Right, policy.Left)))
	assert.Equal(t, []policy.Index2{{I: 0, J: 0}, {I: 0, J: 1}, {I: 1, J: 0}}, first(tiled))
	assert.Equal(t, []policy.Index2{{I: 0, J: 0}, {I: 0, J: 1}, {I: 0, J: 2}}, first(tiled.Tile([2]int{4, 4})), "the last Tile counts")
	assert.Error(t, p.Tile([2]int{0, 0}).Plan().Err)
	assert.NoError(t, p.Plan().Err)
	assert.Equal(t, want, first(p))
}

// Compare orders indices as slices of their coordinates are ordered.
func TestIndexCompare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.OneOf(rapid.IntRange(-1, 1), rapid.SampledFrom([]int{math.MinInt, math.MaxInt}))
		x := [6]int(rapid.SliceOfN(coordinate, 6, 6).Draw(t, "x"))
		y := x // mostly equal, so that every coordinate decides now and then
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			y[rapid.IntRange(0, 5).Draw(t, "d")] = coordinate.Draw(t, "v")
		}
		for rank := 2; rank <= 6; rank++ {
			want := slices.Compare(x[:rank], y[:rank])
			assert.Equal(t, want, compare(x[:rank], y[:rank]), "rank %d", rank)
			assert.Equal(t, -want, compare(y[:rank], x[:rank]), "rank %d", rank)
			assert.Zero(t, compare(x[:rank], x[:rank]))
		}
	})
	points := []policy.Index2{{I: 1, J: 0}, {I: 0, J: 2}, {I: 0, J: -1}, {I: -5, J: 9}}
	slices.SortFunc(points, policy.Index2.Compare)
	assert.Equal(t, []policy.Index2{{I: -5, J: 9}, {I: 0, J: -1}, {I: 0, J: 2}, {I: 1, J: 0}}, points)
}

func compare(x, y []int) int {
	switch len(x) {
	case 2:
		return policy.Index2{I: x[0], J: x[1]}.Compare(policy.Index2{I: y[0], J: y[1]})
	case 3:
		return policy.Index3{I: x[0], J: x[1], K: x[2]}.Compare(policy.Index3{I: y[0], J: y[1], K: y[2]})
	case 4:
		return policy.Index4{I: x[0], J: x[1], K: x[2], L: x[3]}.Compare(policy.Index4{I: y[0], J: y[1], K: y[2], L: y[3]})
	case 5:
		return policy.Index5{I: x[0], J: x[1], K: x[2], L: x[3], M: x[4]}.
			Compare(policy.Index5{I: y[0], J: y[1], K: y[2], L: y[3], M: y[4]})
	default:
		return policy.Index6{I: x[0], J: x[1], K: x[2], L: x[3], M: x[4], N: x[5]}.
			Compare(policy.Index6{I: y[0], J: y[1], K: y[2], L: y[3], M: y[4], N: y[5]})
	}
}

// A nest of loops sees indices in the order that Compare puts them in.
func TestIndexOrderIsThatOfRight(t *testing.T) {
	dst := make([]policy.Index3, 24)
	policy.MDRange3([3]int{-1, 0, 5}, [3]int{1, 3, 9}).Next(0, 24, dst)
	assert.True(t, slices.IsSortedFunc(dst, policy.Index3.Compare))
}
