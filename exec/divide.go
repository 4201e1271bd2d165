package exec

import "github.com/gokkos/gokkos/exec/space"

// A launch without reducers has no tree, so that a space may ask for shorter leaves than those of the rule. A panic is
// told to be in the items of a leaf of the rule all the same.

// divisible is a kernel whose leaves may be cut where its functor does not see where one ends.
type divisible interface{ divisible() bool }

func (k *forKernel[I, P]) divisible() bool { return !k.whole }

// Divide implements [space.Divider].
func (j *job) Divide(leaves int) (g space.Grid, apart bool) {
	if j.apart = len(j.columns) == 0 && j.later == nil; !j.apart {
		return j.grid, false
	}
	if k, ok := j.kernel.(divisible); ok && k.divisible() && !j.chunked {
		for j.leaves() < leaves && j.leaf() > 1 {
			j.halvings++
		}
	}
	return j.divided(), true
}

// divided returns the grid that the space runs.
func (j *job) divided() space.Grid {
	g := j.grid
	g.Leaf, g.Leaves = j.leaf(), j.leaves()
	return g
}

// leaf returns the number of items of a leaf that the space runs.
func (j *job) leaf() int { return j.grid.Leaf >> j.halvings }

// leaves returns the number of leaves that the space runs.
func (j *job) leaves() int {
	if j.halvings == 0 {
		return j.grid.Leaves
	}
	return (j.grid.Items-1)/j.leaf() + 1
}

// ruled returns the leaves of the rule that have items of a node.
func (j *job) ruled(n node) node { return node{n.first >> j.halvings, (n.last-1)>>j.halvings + 1} }
