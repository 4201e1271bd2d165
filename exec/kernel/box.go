package kernel

import (
	"fmt"
	"math/bits"

	"github.com/gokkos/gokkos/exec/space/device"
)

// How an entry makes indices of the numbers of points.
const (
	boxPlain  = iota // of one tile with up to 2³¹ points: by multiplications
	boxNarrow        // of up to 2³¹ points
	boxWide
)

// maxNarrow is the number of points that an entry counts in 32 bits, so that the quotients below are exact.
const maxNarrow int64 = 1 << 31

// Index returns the first parameters of an entry, which say what index an item has that has the number k:
//
//	begin                     k and that, where indices are integers
//
// and where they have rank coordinates, such as policy.Index2 and the rows of these,
//
//	mode                      0 if the box is one tile of up to 2³¹ points, 1 if it has up to 2³¹, else 2
//	left, across              1 if the first dimension varies fastest; 1 if it is the other way from tile to tile
//	begin                     the number of item 0 among the points
//	lower                     rank of them, by dimension
//	extent, tile, below       three for each dimension, in the order of the tiles, that varying slowest first;
//	                          below is the product of the extents behind
//	size, multiplier, shift   three for each dimension but the first, in the order of the points: n/size is
//	                          n*multiplier >> shift for n < 2³¹, in mode 0
//
// An index of another rank than the functor gets is an error.
func (t *Text) Index(b *device.Box) ([]uint64, error) {
	rank := max(t.Rank, 1)
	if b == nil || len(b.Extent) != rank || len(b.Lower) != rank || len(b.Tile) != rank {
		if t.Rank == 0 {
			return nil, fmt.Errorf("it has code for integers, expected a policy.Range")
		}
		return nil, fmt.Errorf("it has code for points of a box, expected a policy.MDRange%d whose tiles are in the order Left or Right", rank)
	}
	if t.Rank == 0 {
		return []uint64{uint64(b.Lower[0] + b.First)}, nil
	}
	points, whole := int64(1), true
	for d, e := range b.Extent {
		points *= int64(e)
		whole = whole && b.Tile[d] >= e
	}
	mode := uint64(boxWide)
	switch {
	case points <= maxNarrow && whole:
		mode = boxPlain
	case points <= maxNarrow:
		mode = boxNarrow
	}
	p := []uint64{mode, bit(b.LeftPoints), bit(b.LeftTiles != b.LeftPoints), uint64(b.First)}
	for _, x := range b.Lower {
		p = append(p, uint64(x))
	}
	below := points
	for n := range rank {
		d := at(n, rank, b.LeftTiles)
		below /= max(int64(b.Extent[d]), 1)
		p = append(p, uint64(b.Extent[d]), uint64(b.Tile[d]), uint64(below))
	}
	for n := 1; n < rank; n++ {
		size := b.Extent[at(n, rank, b.LeftPoints)]
		multiplier, shift := reciprocal(size)
		p = append(p, uint64(size), multiplier, shift)
	}
	return p, nil
}

// at returns the dimension at a position, that varying slowest at 0.
func at(n, rank int, left bool) int {
	if left {
		return rank - 1 - n
	}
	return n
}

// reciprocal returns what divides by d: n/d is n*multiplier >> shift for n and d up to 2³¹-1.
//
// Source: T. Granlund and P. L. Montgomery, Division by Invariant Integers using Multiplication, theorem 4.2.
func reciprocal(d int) (multiplier, shift uint64) {
	if d < 1 || int64(d) >= maxNarrow {
		return 0, 0 // of a box without points, or with one row only
	}
	shift = uint64(31 + bits.Len(uint(d-1)))
	return uint64(1)<<shift/uint64(d) + 1, shift
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
