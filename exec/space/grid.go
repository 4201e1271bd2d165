package space

import "github.com/gokkos/gokkos/internal/tree"

// Grid is the shape of a launch: a number of items in leaves of equal length, of which the
// last may be shorter. It depends on the policy alone.
type Grid struct {
	Items  int // number of items
	Leaf   int // items per leaf, a power of two
	Leaves int // number of leaves
	Lanes  int // partial results that a leaf is reduced in, a power of two
}

// NewGrid returns the grid that the rule of the reduction tree gives a launch over n items;
// docs/determinism.md states the rule. A chunk of 0 leaves the length of a leaf to the rule.
// A whole leaf is reduced in one lane.
func NewGrid(n, chunk int, whole bool) Grid {
	leaf := tree.LeafSize(n, chunk)
	g := Grid{Items: n, Leaf: leaf, Lanes: 1}
	if n > 0 {
		g.Leaves = (n-1)/leaf + 1
	}
	if !whole {
		g.Lanes = tree.Lanes(leaf)
	}
	return g
}
