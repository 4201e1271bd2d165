package policy

import (
	"context"

	"github.com/gokkos/gokkos/exec/space"
)

// A Tile is a box: the points x with Lower <= x < Upper in each dimension. It is what the
// functor gets that owns the loops over a tile, see [MDRangePolicy.Tiles].
//
//	func(t policy.Tile[policy.Index2]) {
//		for i := t.Lower.I; i < t.Upper.I; i++ {
//			for j := t.Lower.J; j < t.Upper.J; j++ {
//				b[j][i] = a[i][j]
//			}
//		}
//	}
type Tile[I any] struct{ Lower, Upper I }

// TilesPolicy is the policy made by [MDRangePolicy.Tiles]. Its index type is [Tile], and its
// items are tiles.
type TilesPolicy[I any, B bounds] struct {
	points MDRangePolicy[I, B]
	counts point // tiles along each dimension
	items  int
}

// Tiles returns p cut into tiles of these lengths, each of which is one item: the functor owns
// the loops over its points. The lengths need not divide the extents; tiles at the upper edges
// are cut off there. Order and chunk are those of p, where a chunk counts tiles; of the orders
// only the outer one, that of the tiles, matters. Both are set before:
//
//	policy.MDRange2(lower, upper).Chunk(4).Tiles([2]int{64, 64}).On(space)
func (p MDRangePolicy[I, B]) Tiles(lengths B) TilesPolicy[I, B] {
	t := TilesPolicy[I, B]{points: p.Tile(lengths), items: 1}
	for d := range p.rank {
		if p.extent[d] > 0 {
			t.counts[d] = (p.extent[d]-1)/t.points.tile[d] + 1
		}
		t.items *= t.counts[d] // no more than points, or there is a 0
	}
	if t.points.items == 0 { // or there is an error, or p is the zero value
		t.items = 0
	}
	return t
}

// On carries the execution space to launch on; nil means the default one.
func (p TilesPolicy[I, B]) On(s space.Space) TilesPolicy[I, B] { p.points.on.space = s; return p }

// WithContext carries a context that can cancel the launch; see [Launch.WithContext].
func (p TilesPolicy[I, B]) WithContext(ctx context.Context) TilesPolicy[I, B] {
	p.points.on.context = ctx
	return p
}

// WithLabel names the launch; see [Launch.WithLabel].
func (p TilesPolicy[I, B]) WithLabel(label string) TilesPolicy[I, B] {
	p.points.on.label = label
	return p
}

// With carries what launches carry; see [Launch.With].
func (p TilesPolicy[I, B]) With(on ...Launch) TilesPolicy[I, B] {
	p.points.on = p.points.on.With(on...)
	return p
}

// Plan returns what a pattern needs to know of p.
func (p TilesPolicy[I, B]) Plan() (plan Plan) {
	p.points.plan(&plan, p.items, false)
	return plan
}

// Next writes the tiles begin and up to dst, fewer if end comes first. It returns how many it
// wrote and the first one it did not cover.
func (p TilesPolicy[I, B]) Next(begin, end int, dst []Tile[I]) (n, next int) {
	dst = dst[:min(len(dst), end-begin)]
	for k := range dst {
		dst[k] = p.tile(begin + k)
	}
	return len(dst), begin + len(dst)
}

// String tells which tiles these are.
func (p TilesPolicy[I, B]) String() string { return p.points.String() + ".Tiles" }

// tile returns the tile with that number.
func (p *TilesPolicy[I, B]) tile(number int) Tile[I] {
	lower, upper := p.points.lower, p.points.lower
	if p.points.outer == Hilbert {
		var c cursor
		p.points.enter(&c, number, false)
		for d := range p.points.rank {
			lower[d] += c.origin[d]
			upper[d] = lower[d] + c.length[d]
		}
		return Tile[I]{p.points.index(lower), p.points.index(upper)}
	}
	for k := p.points.rank - 1; k >= 0; k-- {
		d := p.points.dim(p.points.outer, k)
		origin := number % p.counts[d] * p.points.tile[d]
		number /= p.counts[d]
		lower[d] += origin
		upper[d] += origin + min(p.points.tile[d], p.points.extent[d]-origin)
	}
	return Tile[I]{p.points.index(lower), p.points.index(upper)}
}
