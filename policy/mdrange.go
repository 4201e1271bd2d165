package policy

import (
	"context"
	"fmt"

	"github.com/gokkos/gokkos/exec/space"

	"github.com/gokkos/gokkos/internal/index"
)

// maxRank is the largest rank of a multi-dimensional range.
const maxRank = 6

// point has one coordinate per dimension; those beyond the rank are 0.
type point [maxRank]int

// bounds are the coordinates of a corner or the lengths of a tile.
type bounds interface {
	[2]int | [3]int | [4]int | [5]int | [6]int
}

// Order says which dimension varies fastest.
type Order uint8

const (
	// Right: the last dimension varies fastest, as in C and Go arrays.
	Right Order = iota
	// Left: the first dimension varies fastest, as in Fortran arrays.
	Left
	// Hilbert: tiles in two dimensions, along a curve that stays in the neighbourhood, for any number
	// of tiles. Consecutive tiles are neighbours, so that a part of the items is a region with short
	// edges: half of 2k·2k tiles is a half of the box, a quarter is a square. Between even and odd
	// numbers of tiles one step may be along a diagonal.
	//
	// Source: the curve of D. Hilbert for squares of 2ᵏ tiles, and the rule of J. Červený (gilbert) for
	// others; docs/determinism.md states it.
	Hilbert
)

// String returns the name of an order.
func (o Order) String() string {
	if o > Hilbert {
		return fmt.Sprintf("Order(%d)", uint8(o))
	}
	return [...]string{"Right", "Left", "Hilbert"}[o]
}

// MDRangePolicy is the policy made by [MDRange2] to [MDRange6]. I is its index
// type and B the array type of its bounds.
//
// Items are numbered tile by tile: the tiles in the outer order, the points of
// a tile in the inner order. Tiles at the upper edges are cut off there.
// Without tiles, the whole box is one tile.
type MDRangePolicy[I any, B bounds] struct {
	settings
	rank         int
	lower        point
	extent, tile point
	outer, inner Order
	items        int
	kind         *pointKind[I]
}

// MDRange2 returns the policy of the points (i, j) with lower <= (i, j) < upper
// in each dimension.
func MDRange2(lower, upper [2]int) MDRangePolicy[Index2, [2]int] {
	return newMDRange(lower, upper, &kind2)
}

// MDRange3 is [MDRange2] for three dimensions.
func MDRange3(lower, upper [3]int) MDRangePolicy[Index3, [3]int] {
	return newMDRange(lower, upper, &kind3)
}

// MDRange4 is [MDRange2] for four dimensions.
func MDRange4(lower, upper [4]int) MDRangePolicy[Index4, [4]int] {
	return newMDRange(lower, upper, &kind4)
}

// MDRange5 is [MDRange2] for five dimensions.
func MDRange5(lower, upper [5]int) MDRangePolicy[Index5, [5]int] {
	return newMDRange(lower, upper, &kind5)
}

// MDRange6 is [MDRange2] for six dimensions.
func MDRange6(lower, upper [6]int) MDRangePolicy[Index6, [6]int] {
	return newMDRange(lower, upper, &kind6)
}

func newMDRange[I any, B bounds](lower, upper B, kind *pointKind[I]) MDRangePolicy[I, B] {
	p := MDRangePolicy[I, B]{rank: len(lower), items: 1, kind: kind}
	for d := range p.rank {
		p.lower[d], p.extent[d] = lower[d], upper[d]-lower[d]
		switch {
		case upper[d] < lower[d]:
			p.settings = p.fail("MDRange%d: dimension %d from %d to %d is reversed, expected lower <= upper", p.rank, d, lower[d], upper[d])
		case p.extent[d] < 0:
			p.settings = p.fail("MDRange%d: dimension %d from %d to %d is longer than an int can count", p.rank, d, lower[d], upper[d])
		}
		p.tile[d] = max(p.extent[d], 1)
	}
	if p.fault != nil {
		p.items = 0
		return p
	}
	var ok bool
	if p.items, ok = index.Volume(p.extent[:p.rank]...); !ok {
		p.settings = p.fail("MDRange%d of %v points has more items than an int can count", p.rank, p.extent[:p.rank])
	}
	return p
}

// Tile sets the lengths of the tiles. They need not divide the extents.
func (p MDRangePolicy[I, B]) Tile(lengths B) MDRangePolicy[I, B] {
	for d := range p.rank {
		if lengths[d] < 1 {
			p.settings = p.fail("MDRange%d: a tile of length %d in dimension %d, expected at least 1", p.rank, lengths[d], d)
			return p
		}
		p.tile[d] = min(lengths[d], max(p.extent[d], 1))
	}
	return p
}

// Iterate sets the order of the tiles and of the points inside a tile. Both are
// [Right] otherwise. Only tiles of two dimensions have the order [Hilbert].
func (p MDRangePolicy[I, B]) Iterate(outer, inner Order) MDRangePolicy[I, B] {
	switch {
	case outer > Hilbert || inner > Left:
		p.settings = p.fail("MDRange%d: Iterate(%v, %v), expected Left or Right, or Hilbert for the tiles of two dimensions", p.rank, outer, inner)
		return p
	case outer == Hilbert && p.rank != 2:
		p.settings = p.fail("MDRange%d: Iterate(%v, %v), expected Left or Right: Hilbert is an order of two dimensions", p.rank, outer, inner)
		return p
	}
	p.outer, p.inner = outer, inner
	return p
}

// Chunk asks for that many items per leaf of the reduction tree; see
// [RangePolicy.Chunk].
func (p MDRangePolicy[I, B]) Chunk(items int) MDRangePolicy[I, B] {
	p.settings = p.withChunk(items)
	return p
}

// On carries the execution space to launch on; nil means the default one.
func (p MDRangePolicy[I, B]) On(s space.Space) MDRangePolicy[I, B] { p.on.space = s; return p }

// WithContext carries a context that can cancel the launch; see [Launch.WithContext].
func (p MDRangePolicy[I, B]) WithContext(ctx context.Context) MDRangePolicy[I, B] {
	p.on.context = ctx
	return p
}

// WithLabel names the launch; see [Launch.WithLabel].
func (p MDRangePolicy[I, B]) WithLabel(label string) MDRangePolicy[I, B] {
	p.on.label = label
	return p
}

// With carries what launches carry; see [Launch.With].
func (p MDRangePolicy[I, B]) With(on ...Launch) MDRangePolicy[I, B] {
	p.on = p.on.With(on...)
	return p
}

// Plan returns what a pattern needs to know of p.
func (p MDRangePolicy[I, B]) Plan() (plan Plan) {
	p.plan(&plan, p.items, false)
	return plan
}

// String tells which points these are, and in which order, as in
// "MDRange2 [0 0]+[9 20], tiles [4 4], Hilbert, Right".
func (p MDRangePolicy[I, B]) String() string {
	return fmt.Sprintf("MDRange%d %v+%v, tiles %v, %v, %v", p.rank, p.lower[:p.rank], p.extent[:p.rank], p.tile[:p.rank], p.outer, p.inner)
}

// Next writes the indices of items begin and up to dst, fewer if end comes
// first. It returns how many it wrote and the first item it did not cover.
func (p MDRangePolicy[I, B]) Next(begin, end int, dst []I) (n, next int) {
	dst = dst[:min(len(dst), end-begin)]
	if len(dst) == 0 {
		return 0, begin
	}
	c := p.locate(begin)
	var step point
	step[p.dim(p.inner, p.rank-1)] = 1
	var r Run
	for {
		p.run(&r, &c, len(dst)-n)
		p.kind.row(dst[n:n+r.Len], r.At, step)
		if n += r.Len; n == len(dst) {
			return n, begin + n
		}
		p.advance(&c)
	}
}

// NextRuns writes the runs of items begin and up to dst, fewer if end comes first: a run goes
// along the innermost dimension to the end of its row in the tile. It returns how many it
// wrote and the first item it did not cover.
func (p MDRangePolicy[I, B]) NextRuns(begin, end int, dst []Run) (n, next int) {
	if begin >= end || len(dst) == 0 {
		return 0, begin
	}
	c := p.locate(begin)
	outer := p.dim(p.inner, p.rank-2) // differs from row to row
	for {
		r := &dst[n]
		p.run(r, &c, end-begin)
		begin += r.Len
		n++
		// The rows of a plane are the one before and a step. Short ones take as long as it does to find them.
		more := dst[n:min(len(dst), n+c.length[outer]-c.at[outer]-1)]
		next := *r
		next.At[r.Dim] -= c.at[r.Dim]
		next.Len = c.length[r.Dim]
		k := 0
		for ; k < len(more) && begin < end; k++ {
			row := &more[k]
			*row = next
			row.At[outer] += k + 1
			begin += next.Len
		}
		n += k
		if begin >= end {
			dst[n-1].Len -= begin - end // cut off
			return n, end
		}
		if n == len(dst) {
			return n, begin
		}
		c.at[outer] += k
		p.advance(&c)
	}
}

// NextPlanes writes the planes of items begin and up to dst, fewer if end comes first: whole rows one
// after the other, up to the end of the tile in the second dimension from the innermost one on. A part of a row
// is a plane of its own. It returns how many it wrote and the first item it did not cover.
func (p MDRangePolicy[I, B]) NextPlanes(begin, end int, dst []Plane) (n, next int) {
	if begin >= end || len(dst) == 0 {
		return 0, begin
	}
	c := p.locate(begin)
	outer := p.dim(p.inner, p.rank-2)
	for {
		r := &dst[n]
		p.run(&r.Run, &c, end-begin)
		r.Outer, r.Rows = outer, 1
		if length := c.length[r.Dim]; r.Len == length {
			r.Rows = min((end-begin)/length, c.length[outer]-c.at[outer])
			c.at[outer] += r.Rows - 1
		}
		begin += r.Rows * r.Len
		if n++; n == len(dst) || begin == end {
			return n, begin
		}
		p.advance(&c)
	}
}

// run sets r to the run that begins at the cursor, of at most that many items.
func (p *MDRangePolicy[I, B]) run(r *Run, c *cursor, most int) {
	r.Dim = p.dim(p.inner, p.rank-1)
	r.Len = min(most, c.length[r.Dim]-c.at[r.Dim])
	for d := range p.rank {
		r.At[d] = p.lower[d] + c.origin[d] + c.at[d]
	}
}

// cursor is a place in the box: the origin and the cut-off lengths of a tile,
// and a point inside it.
type cursor struct {
	origin, length, at point
	tile               int // its number, in the order Hilbert
}

// dim returns the dimension that comes at position k, slowest first.
func (p *MDRangePolicy[I, B]) dim(o Order, k int) int {
	if o == Left {
		return p.rank - 1 - k
	}
	return k
}

// locate returns the cursor of an item.
func (p *MDRangePolicy[I, B]) locate(item int) cursor {
	var c cursor
	if p.tile == p.extent { // one tile: most boxes
		c.length = p.extent
		return p.locateIn(c, item)
	}
	if p.outer == Hilbert {
		item -= p.enter(&c, item, true)
		return p.locateIn(c, item)
	}
	rest := p.items // items in the slab of tiles that item is still known to be in
	for k := range p.rank {
		d := p.dim(p.outer, k)
		rest /= p.extent[d]
		// All slabs but the last are a whole tile thick; dividing by the thickness
		// first keeps the product in range.
		t := item / rest / p.tile[d]
		item -= t * p.tile[d] * rest
		c.origin[d] = t * p.tile[d]
		c.length[d] = min(p.tile[d], p.extent[d]-c.origin[d])
		rest *= c.length[d]
	}
	return p.locateIn(c, item)
}

// locateIn returns the cursor of an item of a tile.
func (p *MDRangePolicy[I, B]) locateIn(c cursor, item int) cursor {
	for k := p.rank - 1; k > 0; k-- {
		d := p.dim(p.inner, k)
		item, c.at[d] = item/c.length[d], item%c.length[d]
	}
	c.at[p.dim(p.inner, 0)] = item
	return c
}

// advance moves the cursor to the start of the next row.
func (p *MDRangePolicy[I, B]) advance(c *cursor) {
	c.at[p.dim(p.inner, p.rank-1)] = 0
	for k := p.rank - 2; k >= 0; k-- {
		d := p.dim(p.inner, k)
		if c.at[d]++; c.at[d] < c.length[d] {
			return
		}
		c.at[d] = 0
	}
	if p.outer == Hilbert {
		p.enter(c, c.tile+1, false)
		return
	}
	for k := p.rank - 1; k >= 0; k-- {
		d := p.dim(p.outer, k)
		if c.origin[d] += p.tile[d]; c.origin[d] < p.extent[d] {
			c.length[d] = min(p.tile[d], p.extent[d]-c.origin[d])
			return
		}
		c.origin[d], c.length[d] = 0, p.tile[d]
	}
}
