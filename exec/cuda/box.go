package cuda

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/space/device"
)

// indexText returns the index of an item as messages have it: "7", or "[3 4]".
func indexText(b *device.Box, item int) string {
	at := indexOf(b, item)
	if len(at) == 1 {
		return fmt.Sprint(at[0])
	}
	return fmt.Sprint(at)
}

// indexOf returns the index of an item, a coordinate for each dimension: the slab of tiles is found that has it, from
// the dimension on that varies slowest, and then its place in the tile.
func indexOf(b *device.Box, item int) []int {
	rank := len(b.Extent)
	dimension := func(n int, left bool) int {
		if left {
			return rank - 1 - n
		}
		return n
	}
	rest := item + b.First
	below := 1 // points of a slab that is one thick
	for _, e := range b.Extent {
		below *= e
	}
	at, length := make([]int, rank), make([]int, rank)
	for n := range rank {
		d := dimension(n, b.LeftTiles)
		below /= b.Extent[d]
		tile := rest / below / b.Tile[d] * b.Tile[d]
		rest -= tile * below
		length[d] = min(b.Tile[d], b.Extent[d]-tile)
		at[d] = b.Lower[d] + tile
		below *= length[d]
	}
	for n := rank - 1; n >= 0; n-- {
		d := dimension(n, b.LeftPoints)
		at[d] += rest % length[d]
		rest /= length[d]
	}
	return at
}
