package policy

import (
	"reflect"

	"github.com/gokkos/gokkos/exec/space/device"
)

// BoxOf returns which index each item of a policy has, if the policy is a [RangePolicy], a
// [SpansPolicy], an [MDRangePolicy] whose tiles are in the order [Left] or [Right], or the rows of one. Others
// know it alone.
func BoxOf(p any) (box device.Box, ok bool) {
	x, ok := p.(interface{ box() (device.Box, bool) })
	if !ok || reflect.TypeOf(p).PkgPath() != reflect.TypeFor[RangePolicy]().PkgPath() { // a policy that embeds one is another
		return device.Box{}, false
	}
	return x.box()
}

func (iv interval) box() (device.Box, bool) {
	of := []int{iv.begin, iv.items(), iv.items()}
	return device.Box{Lower: of[0:1:1], Extent: of[1:2:2], Tile: of[2:3:3]}, true
}

// box has slices of a copy of p, which nobody changes.
func (p MDRangePolicy[I, B]) box() (device.Box, bool) {
	return device.Box{
		Lower: p.lower[:p.rank], Extent: p.extent[:p.rank], Tile: p.tile[:p.rank],
		LeftTiles: p.outer == Left, LeftPoints: p.inner == Left,
	}, p.outer != Hilbert
}

func (p RowsPolicy[I, B]) box() (device.Box, bool) { return p.points.box() }
