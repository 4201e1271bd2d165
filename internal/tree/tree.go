// Package tree has the rule of the reduction tree, which the patterns of package exec and
// the tensor reductions share.
package tree

import "math/bits"

// The rule of the reduction tree, version 1. docs/determinism.md states it and
// golden tests pin its bits: a change here is a breaking change.
const (
	MaxLeaves = 4096 // whatever the policy asks for
	MaxLanes  = 32   // a warp; four AVX-512 or eight AVX2 registers of float64
	maxChunk  = 1 << 30
)

// Grid is the shape of a launch: a number of items in leaves of equal length,
// of which the last may be shorter. It depends on the policy alone.
type Grid struct {
	Items  int // number of items
	Leaf   int // items per leaf, a power of two
	Leaves int // number of leaves, at most 4096
	Lanes  int // partial results that a leaf is reduced in, a power of two
}

// NewGrid returns the shape of a launch over n items. A chunk of 0 leaves the
// leaf size to the rule. A whole leaf is reduced in one lane.
func NewGrid(n, chunk int, whole bool) Grid {
	leaf := leafSize(n, chunk)
	g := Grid{Items: n, Leaf: leaf, Lanes: 1}
	if n > 0 {
		g.Leaves = (n-1)/leaf + 1
	}
	if !whole {
		g.Lanes = min(max(leaf/8, 1), MaxLanes)
	}
	return g
}

// leafSize returns the number of items in a leaf, a power of two. Small ranges
// have 16 to 31 leaves, until these carry 1024 items; from 64 leaves on the
// leaves grow to 4096 items; and from 4096 leaves on they grow without end.
func leafSize(n, chunk int) int {
	least := CeilPow2((max(n, 1)-1)/MaxLeaves + 1)
	if chunk > 0 {
		return max(CeilPow2(min(chunk, max(n, 1), maxChunk)), least)
	}
	return max(min(FloorPow2(n/16), 1024), min(FloorPow2(n/64), 4096), least)
}

// FloorPow2 returns the largest power of two up to x, at least 1.
func FloorPow2(x int) int { return 1 << (bits.Len(uint(max(x, 1))) - 1) }

// CeilPow2 returns the smallest power of two from x on, for x >= 1.
func CeilPow2(x int) int { return 1 << bits.Len(uint(x-1)) }
