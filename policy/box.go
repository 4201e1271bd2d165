package policy

import (
	"github.com/gokkos/gokkos/exec/space/device"
)

// BoxOf returns which index each item of a policy has, if the policy is a [RangePolicy], a
// [SpansPolicy], an [MDRangePolicy] whose tiles are in the order [Left] or [Right], or the rows of one. Others
// know it alone.
func BoxOf(p any) (box device.Box, ok bool) {
	switch p := p.(type) {
	case RangePolicy:
		return p.box(), true
	case SpansPolicy:
		return p.box(), true
	case MDRangePolicy[Index2, [2]int]:
		return p.box(), p.outer != Hilbert
	case MDRangePolicy[Index3, [3]int]:
		return p.box(), true
	case MDRangePolicy[Index4, [4]int]:
		return p.box(), true
	case MDRangePolicy[Index5, [5]int]:
		return p.box(), true
	case MDRangePolicy[Index6, [6]int]:
		return p.box(), true
	case RowsPolicy[Index2, [2]int]:
		return BoxOf(p.points)
	case RowsPolicy[Index3, [3]int]:
		return BoxOf(p.points)
	case RowsPolicy[Index4, [4]int]:
		return BoxOf(p.points)
	case RowsPolicy[Index5, [5]int]:
		return BoxOf(p.points)
	case RowsPolicy[Index6, [6]int]:
		return BoxOf(p.points)
	}
	return device.Box{}, false
}

func (iv interval) box() device.Box {
	of := []int{iv.begin, iv.items(), iv.items()}
	return device.Box{Lower: of[0:1:1], Extent: of[1:2:2], Tile: of[2:3:3]}
}

// box has slices of a copy of p, which nobody changes.
func (p MDRangePolicy[I, B]) box() device.Box {
	return device.Box{
		Lower: p.lower[:p.rank], Extent: p.extent[:p.rank], Tile: p.tile[:p.rank],
		LeftTiles: p.outer == Left, LeftPoints: p.inner == Left,
	}
}
