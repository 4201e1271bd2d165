package policy_test

import (
	"math"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/policy"
)

// curve returns the tiles of a box of n·m, one point each, along the curve.
func curve(n, m int) []policy.Index2 {
	p := policy.MDRange2([2]int{}, [2]int{n, m}).Tile([2]int{1, 1}).Iterate(policy.Hilbert, policy.Right)
	all := make([]policy.Index2, n*m)
	p.Next(0, n*m, all)
	return all
}

// On a square of 2ᵏ tiles it is the curve of Hilbert.
func TestHilbertSquares(t *testing.T) {
	for k := range 6 {
		n := 1 << k
		for d, got := range curve(n, n) {
			x, y := 0, 0 // of D. Hilbert's curve, from its lowest digit to the highest
			for s, rest := 1, d; s < n; s, rest = 2*s, rest/4 {
				right := rest / 2 & 1
				up := (rest ^ right) & 1
				if up == 0 {
					if right == 1 {
						x, y = s-1-x, s-1-y
					}
					x, y = y, x
				}
				x, y = x+s*right, y+s*up
			}
			require.Equal(t, policy.Index2{I: y, J: x}, got, "tile %d of %d·%d", d, n, n)
		}
	}
}

// Any box has each tile once, and the next one beside it, with one step along a diagonal at most.
func TestHilbertSteps(t *testing.T) {
	for n := 1; n <= 33; n++ {
		for m := 1; m <= 33; m++ {
			all, seen, diagonals := curve(n, m), map[policy.Index2]bool{}, 0
			for k, x := range all {
				require.False(t, seen[x] || x.I < 0 || x.I >= n || x.J < 0 || x.J >= m, "%v of %d·%d", x, n, m)
				seen[x] = true
				if k == 0 {
					assert.Equal(t, policy.Index2{}, x)
					continue
				}
				di, dj := x.I-all[k-1].I, x.J-all[k-1].J
				require.LessOrEqual(t, max(di, -di, dj, -dj), 1, "from %v to %v of %d·%d", all[k-1], x, n, m)
				if di != 0 && dj != 0 {
					diagonals++
				}
			}
			require.LessOrEqual(t, diagonals, 1, "%d·%d", n, m)
		}
	}
}

// hilbertBoxes have tiles that do not fit, single rows and columns of them, and one tile.
var hilbertBoxes = []struct{ lower, upper, tile [2]int }{
	{[2]int{-3, 5}, [2]int{-3 + 37, 5 + 53}, [2]int{5, 4}},
	{[2]int{0, 0}, [2]int{64, 64}, [2]int{8, 8}},
	{[2]int{2, 1}, [2]int{21, 6}, [2]int{3, 9}},
	{[2]int{2, 1}, [2]int{5, 60}, [2]int{3, 7}},
	{[2]int{0, 0}, [2]int{1, 1}, [2]int{1, 1}},
	{[2]int{0, 0}, [2]int{0, 7}, [2]int{1, 1}},
	{[2]int{0, 0}, [2]int{9, 7}, [2]int{9, 7}},
}

// Points are numbered tile by tile along the curve, from whichever item on they are asked for, one by
// one, in runs, in rows and as tiles.
func TestHilbertItems(t *testing.T) {
	for _, b := range hilbertBoxes {
		for _, inner := range []policy.Order{policy.Right, policy.Left} {
			p := policy.MDRange2(b.lower, b.upper).Tile(b.tile).Iterate(policy.Hilbert, inner)
			tiles := policy.MDRange2(b.lower, b.upper).Iterate(policy.Hilbert, inner).Tiles(b.tile)
			counts := [2]int{}
			for d := range counts {
				counts[d] = (b.upper[d] - b.lower[d] + b.tile[d] - 1) / b.tile[d]
			}
			var want []policy.Index2
			for k, at := range curve(counts[0], counts[1]) {
				lower := policy.Index2{I: b.lower[0] + at.I*b.tile[0], J: b.lower[1] + at.J*b.tile[1]}
				upper := policy.Index2{I: min(lower.I+b.tile[0], b.upper[0]), J: min(lower.J+b.tile[1], b.upper[1])}
				var tile [1]policy.Tile[policy.Index2]
				tiles.Next(k, k+1, tile[:])
				require.Equal(t, policy.Tile[policy.Index2]{Lower: lower, Upper: upper}, tile[0], "tile %d of %v", k, p)
				if inner == policy.Right {
					for i := lower.I; i < upper.I; i++ {
						for j := lower.J; j < upper.J; j++ {
							want = append(want, policy.Index2{I: i, J: j})
						}
					}
				} else {
					for j := lower.J; j < upper.J; j++ {
						for i := lower.I; i < upper.I; i++ {
							want = append(want, policy.Index2{I: i, J: j})
						}
					}
				}
			}
			require.Equal(t, len(want), p.Plan().Items)
			require.Equal(t, counts[0]*counts[1], tiles.Plan().Items)
			for begin := 0; begin < len(want); begin += 1 + begin%7 {
				got := make([]policy.Index2, min(31, len(want)-begin))
				n, next := p.Next(begin, len(want), got)
				require.Equal(t, [2]int{len(got), begin + len(got)}, [2]int{n, next})
				require.Equal(t, want[begin:begin+len(got)], got, "%v from %d on", p, begin)
				rows := make([]policy.Row[policy.Index2], 3)
				n, next = p.Rows().Next(begin, len(want), rows)
				k := begin
				for _, r := range rows[:n] {
					for at := range r.Len() {
						x := r.At
						if inner == policy.Right {
							x.J += at
						} else {
							x.I += at
						}
						require.Equal(t, want[k], x, "row of %v from %d on", p, begin)
						k++
					}
				}
				require.Equal(t, next, k)
			}
		}
	}
}

// Boxes of more points than memory could hold are walked in as many steps as their tiles have digits.
func TestHilbertHuge(t *testing.T) {
	side, half := 1<<(bits.UintSize/2-1)-1, math.MaxInt/2+1
	p := policy.MDRange2([2]int{}, [2]int{side, side - 2}).Iterate(policy.Hilbert, policy.Right)
	items := p.Plan().Items
	tiled := p.Tile([2]int{3, 1000})
	var last [2]policy.Index2
	n, next := tiled.Next(items-2, items, last[:])
	require.Equal(t, [2]int{2, items}, [2]int{n, next})
	assert.Equal(t, policy.Index2{I: last[0].I, J: last[0].J + 1}, last[1])
	all := p.Tiles([2]int{1, 1})
	var tile [2]policy.Tile[policy.Index2]
	for _, k := range []int{0, 1, items / 3, items / 2, items - 2} {
		all.Next(k, k+2, tile[:])
		di, dj := tile[1].Lower.I-tile[0].Lower.I, tile[1].Lower.J-tile[0].Lower.J
		assert.Equal(t, 1, max(di, -di)+max(dj, -dj), "%v", tile)
	}
	line := policy.MDRange2([2]int{}, [2]int{1, half + 1}).Tile([2]int{1, half / 2}).Iterate(policy.Hilbert, policy.Right)
	n, _ = line.Next(half, half+1, last[:])
	assert.Equal(t, policy.Index2{J: half}, last[0])
	assert.Equal(t, 1, n)
}

// Parts of the curve are regions with short edges: for any number of parts the box around one holds
// less than three times its tiles.
func TestHilbertParts(t *testing.T) {
	for _, size := range [][2]int{{32, 32}, {24, 40}, {17, 63}} {
		all := curve(size[0], size[1])
		for parts := 1; parts <= 40; parts++ {
			for k := range parts {
				part := all[k*len(all)/parts : (k+1)*len(all)/parts]
				lower, upper := part[0], part[0]
				for _, x := range part {
					lower = policy.Index2{I: min(lower.I, x.I), J: min(lower.J, x.J)}
					upper = policy.Index2{I: max(upper.I, x.I), J: max(upper.J, x.J)}
				}
				box := (upper.I - lower.I + 1) * (upper.J - lower.J + 1)
				require.LessOrEqual(t, box, 3*len(part), "part %d of %d of %v", k, parts, size)
				if size[0] == 32 && parts&(parts-1) == 0 && size[1] == 32 {
					require.Equal(t, len(part), box, "part %d of %d of %v", k, parts, size)
				}
			}
		}
	}
}

func TestHilbertArguments(t *testing.T) {
	err := policy.MDRange3([3]int{}, [3]int{1, 2, 3}).Iterate(policy.Hilbert, policy.Right).Plan().Err
	require.EqualError(t, err, "policy: MDRange3: Iterate(Hilbert, Right), expected Left or Right: Hilbert is an order of two dimensions")
	err = policy.MDRange2([2]int{}, [2]int{1, 2}).Iterate(policy.Right, policy.Hilbert).Plan().Err
	require.EqualError(t, err, "policy: MDRange2: Iterate(Right, Hilbert), expected Left or Right, or Hilbert for the tiles of two dimensions")
	p := policy.MDRange2([2]int{0, -1}, [2]int{9, 19}).Tile([2]int{4, 4}).Iterate(policy.Hilbert, policy.Left)
	assert.Equal(t, "MDRange2 [0 -1]+[9 20], tiles [4 4], Hilbert, Left", p.String())
	assert.Equal(t, p.String()+".Rows", p.Rows().String())
	assert.Equal(t, "MDRange2 [0 -1]+[9 20], tiles [2 3], Hilbert, Left.Tiles", p.Tiles([2]int{2, 3}).String())
	_, known := policy.BoxOf(p)
	assert.False(t, known)
	_, known = policy.BoxOf(p.Iterate(policy.Left, policy.Left))
	assert.True(t, known)
}
