package mpi

import (
	"cmp"
	"slices"
	"sort"

	"github.com/gokkos/gokkos/policy"
)

// A rectangle is points from lower to below upper in both dimensions.
type rectangle struct{ lower, upper [2]int }

func (r rectangle) empty() bool { return r.lower[0] >= r.upper[0] || r.lower[1] >= r.upper[1] }

// and returns the points that are in both.
func (r rectangle) and(s rectangle) rectangle {
	for d := range 2 {
		r.lower[d], r.upper[d] = max(r.lower[d], s.lower[d]), min(r.upper[d], s.upper[d])
	}
	return r
}

// in returns where a rectangle begins in an array of such extents whose first point is base, and its extents.
func (r rectangle) in(base [2]int, extents []int) (lower, size []int) {
	lower, size = make([]int, len(extents)), slices.Clone(extents)
	for d := range 2 {
		lower[d], size[d] = r.lower[d]-base[d], r.upper[d]-r.lower[d]
	}
	return lower, size
}

// without returns the points of r that are not in s, as rectangles: above, to the left, to the right, below.
func (r rectangle) without(s rectangle) (rest []rectangle) {
	if s = s.and(r); s.empty() {
		return []rectangle{r}
	}
	for _, piece := range []rectangle{
		{r.lower, [2]int{s.lower[0], r.upper[1]}},
		{[2]int{s.lower[0], r.lower[1]}, [2]int{s.upper[0], s.lower[1]}},
		{[2]int{s.lower[0], s.upper[1]}, [2]int{s.upper[0], r.upper[1]}},
		{[2]int{s.upper[0], r.lower[1]}, r.upper},
	} {
		if !piece.empty() {
			rest = append(rest, piece)
		}
	}
	return rest
}

// points returns how many points rectangles have.
func points(areas []rectangle) (n int) {
	for _, r := range areas {
		n += (r.upper[0] - r.lower[0]) * (r.upper[1] - r.lower[1])
	}
	return n
}

// merged returns the points of tiles as fewer rectangles: neighbours in a row of tiles are one, and then such of
// one width below each other. It changes the order of tiles.
func merged(tiles []rectangle) (areas []rectangle) {
	slices.SortFunc(tiles, func(r, s rectangle) int { return cmp.Or(r.lower[0]-s.lower[0], r.lower[1]-s.lower[1]) })
	var rows []rectangle
	for _, r := range tiles {
		if k := len(rows) - 1; k >= 0 && rows[k].lower[0] == r.lower[0] && rows[k].upper[1] == r.lower[1] {
			rows[k].upper[1] = r.upper[1]
		} else {
			rows = append(rows, r)
		}
	}
	above := map[[2]int]int{} // the areas that end last, by their columns
	for _, r := range rows {
		columns := [2]int{r.lower[1], r.upper[1]}
		if k, ok := above[columns]; ok && areas[k].upper[0] == r.lower[0] {
			areas[k].upper[0] = r.upper[0]
			continue
		}
		above[columns] = len(areas)
		areas = append(areas, r)
	}
	return areas
}

// A tiling is which points the tiles of a policy have, and which ranks have the tiles. It is the same on
// all ranks.
type tiling struct {
	lower, extents [2]int
	tile, counts   [2]int // points of a tile, and tiles, along each dimension
	width          int    // of the halo
	tiles          []rectangle
	numbers        []int  // of the tiles in the policy, the last dimension fastest
	parts          []part // tiles of each rank
}

func newTiling(p policy.TilesPolicy[policy.Index2, [2]int], width int) tiling {
	n := p.Plan().Items
	t := tiling{width: width, tiles: make([]rectangle, n), parts: []part{{0, n}}}
	all := make([]policy.Tile[policy.Index2], min(n, 1024))
	for at := 0; at < n; {
		some, next := p.Next(at, n, all)
		for k, x := range all[:some] {
			r := rectangle{[2]int{x.Lower.I, x.Lower.J}, [2]int{x.Upper.I, x.Upper.J}}
			if at == 0 && k == 0 { // in the lower corner, in each order
				t.lower, t.tile = r.lower, [2]int{r.upper[0] - r.lower[0], r.upper[1] - r.lower[1]}
			}
			t.tiles[at+k] = r
			for d := range 2 {
				t.extents[d] = max(t.extents[d], r.upper[d])
			}
		}
		at = next
	}
	if n == 0 || t.lower != [2]int{} {
		return t // which is an error
	}
	for d := range 2 {
		t.counts[d] = (t.extents[d]-1)/t.tile[d] + 1
	}
	t.width = min(t.width, max(t.extents[0], t.extents[1]))
	t.numbers = make([]int, n)
	for k, r := range t.tiles {
		t.numbers[r.lower[0]/t.tile[0]*t.counts[1]+r.lower[1]/t.tile[1]] = k
	}
	return t
}

// owner returns the rank that has a tile.
func (t *tiling) owner(tile int) int {
	return sort.Search(len(t.parts), func(k int) bool { return t.parts[k].end > tile })
}

// wide returns a rectangle and its halo.
func (t *tiling) wide(r rectangle) rectangle {
	for d := range 2 {
		r.lower[d], r.upper[d] = max(r.lower[d]-t.width, 0), min(r.upper[d]+t.width, t.extents[d])
	}
	return r
}

// near returns the tiles that have points of a rectangle or of its halo, the last dimension fastest.
func (t *tiling) near(r rectangle) (tiles []int) {
	r = t.wide(r)
	for i := r.lower[0] / t.tile[0]; i*t.tile[0] < r.upper[0]; i++ {
		for j := r.lower[1] / t.tile[1]; j*t.tile[1] < r.upper[1]; j++ {
			tiles = append(tiles, t.numbers[i*t.counts[1]+j])
		}
	}
	return tiles
}

// around returns the least rectangle that has the tiles of a rank and their halo.
func (t *tiling) around(rank int) (r rectangle) {
	p := t.parts[rank]
	if p.empty() {
		return r
	}
	r = t.tiles[p.begin]
	for _, s := range t.tiles[p.begin:p.end] {
		for d := range 2 {
			r.lower[d], r.upper[d] = min(r.lower[d], s.lower[d]), max(r.upper[d], s.upper[d])
		}
	}
	return t.wide(r)
}

// wanted returns the points of a tile that lie in the halo of a rank's tiles, each of them once.
func (t *tiling) wanted(tile, rank int) (areas []rectangle) {
	for _, near := range t.near(t.tiles[tile]) {
		if t.owner(near) != rank {
			continue
		}
		rest := []rectangle{t.wide(t.tiles[near]).and(t.tiles[tile])}
		for _, known := range areas {
			var left []rectangle
			for _, r := range rest {
				left = append(left, r.without(known)...)
			}
			rest = left
		}
		areas = append(areas, rest...)
	}
	return areas
}

// A message is points that go from one rank to another.
type message struct {
	rank   int // the other one
	areas  []rectangle
	points int
}

// messages returns what a rank gets of others for its halo, and what others get of it, in the order of
// ranks. Points of a message are in the order of the tiles that have them.
func (t *tiling) messages(rank int) (in, out []message) {
	type pair struct{ rank, tile int }
	var from, to []pair // tiles of others, and own tiles for others
	for own := t.parts[rank].begin; own < t.parts[rank].end; own++ {
		for _, near := range t.near(t.tiles[own]) {
			if other := t.owner(near); other != rank {
				from, to = append(from, pair{other, near}), append(to, pair{other, own})
			}
		}
	}
	collect := func(pairs []pair, wanted func(p pair) []rectangle) (all []message) {
		slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(a.rank-b.rank, a.tile-b.tile) })
		for _, p := range slices.Compact(pairs) {
			if len(all) == 0 || all[len(all)-1].rank != p.rank {
				all = append(all, message{rank: p.rank})
			}
			m, areas := &all[len(all)-1], wanted(p)
			m.areas, m.points = append(m.areas, areas...), m.points+points(areas)
		}
		return all
	}
	in = collect(from, func(p pair) []rectangle { return t.wanted(p.tile, rank) })
	return in, collect(to, func(p pair) []rectangle { return t.wanted(p.tile, p.rank) })
}
