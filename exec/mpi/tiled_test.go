package mpi

import (
	"cmp"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

type tiles2 = policy.TilesPolicy[policy.Index2, [2]int]

// tiledArrays: tiles are where their items are, the halo is what the owners have and nothing else is
// fetched, and Gather and Scatter are each other's inverse.
func tiledArrays(c *Comm) error {
	for _, order := range []policy.Order{policy.Hilbert, policy.Right, policy.Left} {
		for _, size := range [][4]int{{32, 32, 4, 4}, {23, 17, 5, 3}, {9, 40, 9, 1}, {1, 1, 3, 3}, {3, 5, 9, 9}} {
			for _, chunk := range []int{0, 1} {
				tiles := policy.MDRange2([2]int{}, [2]int{size[0], size[1]}).Iterate(order, policy.Right).Chunk(chunk).On(On(c, exec.Serial{})).Tiles([2]int{size[2], size[3]})
				for k, width := range []int{0, 1, 6, math.MaxInt} {
					point := [][]int{{}, {2, 3}}[(k+chunk)%2]
					if err := oneTiledArray(c, tiles, point, width); err != nil {
						return fmt.Errorf("%v, points of %v, chunk %d, halo %d: %w", tiles, point, chunk, width, err)
					}
				}
			}
		}
	}
	return nil
}

// pointOf is what an array has at a point, and a place in it.
func pointOf(i, j, k int) int32 { return int32(10000*i + 10*j + k + 1) }

// expectPoints is an error unless v has the points for which there says so, and 0 elsewhere.
func expectPoints(what string, v views.View[int32], lower policy.Index2, there func(i, j int) bool) error {
	k, before := 0, [2]int{-1, -1}
	for at, x := range v.All() {
		if now := [2]int{at[0], at[1]}; now != before {
			k, before = 0, now
		}
		i, j := at[0]+lower.I, at[1]+lower.J
		want := pointOf(i, j, k)
		if !there(i, j) {
			want = 0
		}
		if x != want {
			return fmt.Errorf("%s: (%d, %d) has %d in place %d, expected %d", what, i, j, x, k, want)
		}
		k++
	}
	return nil
}

// fillTiles sets the points of tiles, in a view whose (0, 0) is the point lower.
func fillTiles(v views.View[int32], lower policy.Index2, there func(i, j int) bool) {
	k, before := 0, [2]int{-1, -1}
	for at := range v.All() {
		if now := [2]int{at[0], at[1]}; now != before {
			k, before = 0, now
		}
		if i, j := at[0]+lower.I, at[1]+lower.J; there(i, j) {
			v.Set(at, pointOf(i, j, k))
		}
		k++
	}
}

func oneTiledArray(c *Comm, tiles tiles2, point []int, width int) error {
	a, err := NewTiledArray[int32](tiles, "a", point, width)
	if err != nil {
		return err
	}
	begin, end, err := Part(tiles.Plan().Space, tiles)
	if err != nil {
		return err
	}
	own := make([]policy.Tile[policy.Index2], end-begin)
	tiles.Next(begin, end, own)
	wide := func(by int) func(i, j int) bool {
		return func(i, j int) bool {
			for _, t := range own {
				if i >= t.Lower.I-by && i-by < t.Upper.I && j >= t.Lower.J-by && j-by < t.Upper.J {
					return true
				}
			}
			return false
		}
	}
	mine, halo := wide(0), wide(min(width, 1<<20))
	fillTiles(a.Local(), a.Lower(), mine)
	if err := expectPoints("before", a.Local(), a.Lower(), mine); err != nil {
		return err
	}
	inside, border := a.Tiles()
	if len(inside)+len(border) != len(own) {
		return fmt.Errorf("%d tiles inside and %d at the border, expected %d together", len(inside), len(border), len(own))
	}
	for _, t := range inside {
		for i := max(t.Lower.I-min(width, 99), 0); i < min(t.Upper.I+min(width, 99), a.Extents()[0]); i++ {
			for j := max(t.Lower.J-min(width, 99), 0); j < min(t.Upper.J+min(width, 99), a.Extents()[1]); j++ {
				if !mine(i, j) {
					return fmt.Errorf("the tile %v inside needs (%d, %d)", t, i, j)
				}
			}
		}
	}
	// Several at once, as of two arrays that a step reads.
	first, err := a.Begin()
	if err != nil {
		return err
	}
	second, err := a.Begin()
	if err != nil {
		return err
	}
	if err := cmp.Or(first.Wait(), second.Wait(), a.Exchange(), expectPoints("exchanged", a.Local(), a.Lower(), halo)); err != nil {
		return err
	}
	for _, root := range []int{0, c.Size() - 1} {
		all := func(int, int) bool { return true }
		var to views.Viewer[int32]
		if c.Rank() == root {
			whole := views.Must(views.New[int32]("whole", a.Extents(), views.Dense(root%2)))
			to = whole
			if err := cmp.Or(a.Gather(to, root), expectPoints("gathered", whole, policy.Index2{}, all)); err != nil {
				return err
			}
		} else if err := a.Gather(nil, root); err != nil {
			return err
		}
		b, err := NewTiledArray[int32](tiles, "b", point, width)
		if err != nil {
			return err
		}
		if err := cmp.Or(b.Scatter(to, root), expectPoints("scattered", b.Local(), b.Lower(), mine)); err != nil {
			return err
		}
	}
	return nil
}

func TestTiledArrays(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 4, 7, 33} {
		require.NoError(t, Local(ranks, tiledArrays), ranks)
	}
}

// Heat on a grid: the same bits with any number of ranks and workers, and the plate is that of a loop.
func TestHeatOnTiles(t *testing.T) {
	const n, m, steps = 45, 61, 9
	want := make([][]float64, n)
	for i := range want {
		want[i] = make([]float64, m)
		want[i][0] = 100
	}
	for range steps {
		next := make([][]float64, n)
		for i := range next {
			next[i] = append([]float64{}, want[i]...)
			for j := 1; j < m-1 && i > 0 && i < n-1; j++ {
				next[i][j] += float64(.2 * (want[i-1][j] + want[i+1][j] + (want[i][j-1] + want[i][j+1]) - float64(4*want[i][j])))
			}
		}
		want = next
	}
	plate := policy.MDRange2([2]int{}, [2]int{n, m}).Iterate(policy.Hilbert, policy.Right).Chunk(1)
	lengths := [2]int{4, 7}
	heat := func(inner exec.Space, on exec.Space) (sum float64, got [][]float64, err error) {
		tiles := plate.On(on).Tiles(lengths)
		var both [2]*TiledArray[float64]
		for k := range both {
			if both[k], err = NewTiledArray[float64](tiles, "heat", nil, 1); err != nil {
				return 0, nil, err
			}
			for at := range both[k].Local().All() {
				if at[1]+both[k].Lower().J == 0 {
					both[k].Local().Set(at, 100)
				}
			}
		}
		now, before := both[0], both[1]
		update := func(tiles []policy.Tile[policy.Index2]) error {
			x, y, lower := views.Must(views.As2(before.Local(), nil)), views.Must(views.As2(now.Local(), nil)), now.Lower()
			return exec.ParallelFor(policy.Range(0, len(tiles)).On(inner), func(k int) {
				for i := max(tiles[k].Lower.I, 1); i < min(tiles[k].Upper.I, n-1); i++ {
					for j := max(tiles[k].Lower.J, 1); j < min(tiles[k].Upper.J, m-1); j++ {
						i, j := i-lower.I, j-lower.J
						y.Set(i, j, x.At(i, j)+float64(.2*(x.At(i-1, j)+x.At(i+1, j)+(x.At(i, j-1)+x.At(i, j+1))-float64(4*x.At(i, j)))))
					}
				}
			})
		}
		for range steps {
			now, before = before, now
			inside, border := before.Tiles()
			e, err := before.Begin()
			if err != nil {
				return 0, nil, err
			}
			if err := cmp.Or(update(inside), e.Wait(), update(border)); err != nil {
				return 0, nil, err
			}
		}
		x := views.Must(views.As2(now.Local(), nil))
		err = exec.ParallelReduce(tiles, func(t policy.Tile[policy.Index2], acc *float64) {
			for i := t.Lower.I; i < t.Upper.I; i++ {
				for j := t.Lower.J; j < t.Upper.J; j++ {
					*acc += x.At(i-now.Lower().I, j-now.Lower().J)
				}
			}
		}, builtin.Sum(&sum))
		if err != nil || now.rank > 0 {
			return sum, nil, cmp.Or(err, now.Gather(nil, 0))
		}
		whole := views.Must(views.New2[float64]("whole", n, m))
		err = now.Gather(whole, 0)
		for i := range n {
			got = append(got, whole.Row(i))
		}
		return sum, got, err
	}
	bits, got, err := heat(exec.Serial{}, exec.Serial{})
	require.NoError(t, err)
	require.Equal(t, want, got)
	spaces := inner(t)
	for _, ranks := range []int{1, 2, 3, 4, 7} {
		require.NoError(t, Local(ranks, func(c *Comm) error {
			on := spaces[c.Rank()%len(spaces)]
			sum, got, err := heat(on, On(c, on))
			if err == nil && math.Float64bits(sum) != math.Float64bits(bits) {
				err = fmt.Errorf("%x, expected %x", sum, bits)
			}
			if c.Rank() == 0 {
				assert.Equal(t, want, got, ranks)
			}
			return err
		}), ranks)
	}
}

func TestTiledArrayArguments(t *testing.T) {
	tiles := func(lower, upper [2]int) tiles2 {
		return policy.MDRange2(lower, upper).On(exec.Serial{}).Tiles([2]int{2, 2})
	}
	new := func(p tiles2, point []int, width int) error {
		_, err := NewTiledArray[int32](p, "a", point, width)
		return err
	}
	some := tiles([2]int{}, [2]int{5, 5})
	require.NoError(t, new(some, []int{0}, 0))
	require.EqualError(t, new(tiles([2]int{1, 0}, [2]int{5, 5}), nil, 0), `mpi: NewTiledArray "a" of 6 tiles from [1 0] on with a halo of 0, expected tiles from [0 0] on and a halo of at least 0`)
	require.ErrorContains(t, new(tiles([2]int{-1, 0}, [2]int{5, 5}), nil, 0), "from [-1 0] on")
	require.ErrorContains(t, new(tiles([2]int{}, [2]int{0, 5}), nil, 0), "of 0 tiles")
	require.ErrorContains(t, new(some, nil, -1), "with a halo of -1")
	require.ErrorContains(t, new(tiles([2]int{5, 5}, [2]int{}), nil, 0), "policy: ")
	require.ErrorContains(t, new(some, []int{-2}, 0), "has extent -2 in dimension 2")
	_, err := NewTiledArray[[]int](some, "a", nil, 0)
	require.EqualError(t, err, `mpi: NewTiledArray "a", whose elements refer to memory of this process: []int`)
	_, err = NewTiledArray[int](policy.MDRange2([2]int{}, [2]int{5, 5}).On(Space{}).Tiles([2]int{2, 2}), "a", nil, 0)
	require.Error(t, err)
	a, err := NewTiledArray[int](some, "a", nil, 0)
	require.NoError(t, err)
	v := views.Must(views.New2[int]("v", 4, 5))
	assert.EqualError(t, a.Gather(v, 1), `mpi: Gather of "a" with rank 1 of 1`)
	assert.EqualError(t, a.Gather(v, 0), `mpi: Gather of "a" [5 5] with "v" [4 5], expected equal extents`)
	assert.EqualError(t, a.Scatter(nil, 0), `mpi: Scatter of "a" with a nil view on rank 0`)
}

// What ranks fetch: strips of rows beside regions of tiles, for a plate of 4096·4096 points.
func TestHaloOfTiles(t *testing.T) {
	tiles := policy.MDRange2([2]int{}, [2]int{4096, 4096}).Iterate(policy.Hilbert, policy.Right).Chunk(1).Tiles([2]int{64, 64})
	for _, e := range []struct{ ranks, fetched, others, box int }{
		{2, 4096, 1, 100}, {3, 8065, 2, 150}, {4, 4097, 3, 100}, {7, 7426, 5, 153}, {16, 4100, 8, 100}, {48, 3076, 9, 149}, {64, 2052, 8, 100}, {100, 2692, 8, 196}, {256, 1028, 8, 101},
	} {
		of := newTiling(tiles, 1)
		of.parts = nil
		for k := range e.ranks {
			of.parts = append(of.parts, part{k * len(of.tiles) / e.ranks, (k + 1) * len(of.tiles) / e.ranks})
		}
		fetched, others, box := 0, 0, 0
		for k := range e.ranks {
			in, _ := of.messages(k)
			n := 0
			for _, m := range in {
				n += m.points
			}
			fetched, others = max(fetched, n), max(others, len(in))
			own := of.tiles[of.parts[k].begin:of.parts[k].end]
			kept := of.around(k) // with a line on each side
			box = max(box, 100*points([]rectangle{kept})/points(own))
		}
		assert.Equal(t, [3]int{e.fetched, e.others, e.box}, [3]int{fetched, others, box}, e.ranks)
	}
}
