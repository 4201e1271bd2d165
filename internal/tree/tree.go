// Package tree has the rule of the reduction tree: how long leaves are and in how many lanes
// they are reduced.
package tree

import "math/bits"

// The rule of the reduction tree, version 2. docs/determinism.md states it and
// golden tests pin its bits: a change here is a breaking change.
const (
	MaxLeaves = 1 << 20 // whatever the policy asks for
	MaxLanes  = 32      // a warp; four AVX-512 or eight AVX2 registers of float64
	maxChunk  = 1 << 30
)

// LeafSize returns the number of items in a leaf of a launch over n items, a power of two. A
// chunk of 0 leaves it to the rule: small ranges have 16 to 31 leaves, until these carry 1024
// items; from 64 leaves on the leaves grow to 4096 items; and from 2^20 leaves on they grow
// without end.
func LeafSize(n, chunk int) int {
	least := CeilPow2((max(n, 1)-1)/MaxLeaves + 1)
	if chunk > 0 {
		return max(CeilPow2(min(chunk, max(n, 1), maxChunk)), least)
	}
	return max(min(FloorPow2(n/16), 1024), min(FloorPow2(n/64), 4096), least)
}

// Lanes returns how many lanes a leaf of that many items has, a power of two: item k is of
// lane k mod Lanes.
func Lanes(leaf int) int { return min(max(leaf/8, 1), MaxLanes) }

// Unit returns how many leaves of a tree are a unit if there are to be that many units at
// most: a power of two, and not 2, since a scan runs four leaves at a time. A scan keeps
// something for each unit, not for each leaf.
func Unit(leaves, units int) int {
	unit := CeilPow2(max(leaves-1, 0)/units + 1)
	if unit == 2 && leaves > 2 {
		return 4
	}
	return unit
}

// FloorPow2 returns the largest power of two up to x, at least 1.
func FloorPow2(x int) int { return 1 << (bits.Len(uint(max(x, 1))) - 1) }

// CeilPow2 returns the smallest power of two from x on, for x >= 1.
func CeilPow2(x int) int { return 1 << bits.Len(uint(x-1)) }
