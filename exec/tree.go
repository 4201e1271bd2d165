package exec

import "math/bits"

// The rule of the reduction tree, version 1. docs/determinism.md states it and
// golden tests pin its bits: a change here is a breaking change.
const (
	maxLeaves = 4096 // whatever the policy asks for
	maxChunk  = 1 << 30
	maxLanes  = 32 // a warp; four AVX-512 or eight AVX2 registers of float64
)

// newGrid returns the shape of a launch over n items. A chunk of 0 leaves the
// leaf size to the rule.
func newGrid(n, chunk int, whole bool) Grid {
	leaf := leafSize(n, chunk)
	g := Grid{Items: n, Leaf: leaf, Lanes: 1}
	if n > 0 {
		g.Leaves = (n-1)/leaf + 1
	}
	if !whole {
		g.Lanes = min(max(leaf/8, 1), maxLanes)
	}
	return g
}

// leafSize returns the number of items in a leaf, a power of two. Small ranges
// have 16 to 31 leaves, until these carry 1024 items; from 64 leaves on the
// leaves grow to 4096 items; and from 4096 leaves on they grow without end.
func leafSize(n, chunk int) int {
	least := ceilPow2((max(n, 1)-1)/maxLeaves + 1)
	if chunk > 0 {
		return max(ceilPow2(min(chunk, max(n, 1), maxChunk)), least)
	}
	return max(min(floorPow2(n/16), 1024), min(floorPow2(n/64), 4096), least)
}

// floorPow2 returns the largest power of two up to x, at least 1.
func floorPow2(x int) int { return 1 << (bits.Len(uint(max(x, 1))) - 1) }

// ceilPow2 returns the smallest power of two from x on, for x >= 1.
func ceilPow2(x int) int { return 1 << bits.Len(uint(x-1)) }
