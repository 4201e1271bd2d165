package reduce

import (
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/internal/tree"
)

// What these numbers trade is time and memory, never a bit of a result. maxLaneBytes is not
// one of them: it is a part of the rule of the tree.
const (
	// scratchValues is the number of values that a worker has for use in FoldNode: room for
	// the partial results of the leaves of a node (tree.NodeLeaves) and for the lanes of a
	// leaf (tree.MaxLanes).
	scratchValues = 128
	_             = uint(scratchValues - tree.NodeLeaves - tree.MaxLanes) // does not compile without that room
	// roomValues is scratchValues of a Room, and what simd.Nodes needs for a leaf of a row that views/tensor reduces
	// without slots.
	roomValues = simd.NodesScratch + 512
	// RoomRows is the most rows that are reduced in one call. More rows are fewer calls. See views/tensor's
	// BenchmarkMatrix.
	RoomRows = 16

	// leavesBytes is the most memory for the lanes of leaves that are reduced in one call: the L1 cache
	// has them and the items. See exec's BenchmarkItem.
	leavesBytes = 1 << 13
	// maxKeptLeaves is of how many workers such memory is kept from one launch to the next.
	maxKeptLeaves = 32

	// maxKeptBytes is how much memory of a kind slots keep from one launch to the next. More
	// saves the allocations of larger launches, and holds the memory between them. See exec's
	// BenchmarkLaunch, which reports allocations.
	maxKeptBytes = 1 << 16
)
