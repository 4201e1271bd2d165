package space

import (
	"iter"

	"github.com/gokkos/gokkos/internal/tree"
)

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

// Share returns the leaves first to last-1 that are part k of n: neighbours, nearly equally
// many for each part, none if there are more parts than leaves. Where leaves are very many,
// parts begin and end at multiples of a power of two, and a job's nodes must not be smaller.
func (g Grid) Share(k, n int) (first, last int) {
	unit := tree.Unit(g.Leaves, tree.MaxUnits)
	units := (g.Leaves + unit - 1) / unit
	return k * units / n * unit, min((k+1)*units/n*unit, g.Leaves)
}

// Nodes yields the nodes that the leaves first to last-1 consist of, as few as there can be,
// in order.
func (g Grid) Nodes(first, last int) iter.Seq2[int, int] {
	return func(yield func(first, last int) bool) {
		for first < last {
			end := first + tree.FloorPow2(last-first)
			if first > 0 {
				end = min(end, first+first&-first) // where it begins, none is larger
			}
			if w := tree.CeilPow2(last - first); first%w == 0 && last == g.Leaves {
				end = last
			}
			if !yield(first, end) {
				return
			}
			first = end
		}
	}
}
