package exec

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec/space"
)

// A launch without reducers has no tree, so that a space may ask for shorter leaves than those of the rule. A panic is
// told to be in the items of a leaf of the rule all the same.

// Divide implements [space.Divider].
func (j *job) Divide(leaves int) (g space.Grid, apart bool) {
	if j.opens > 0 {
		return j.grid, j.refuse(errors.New("exec: the space asked for the job's leaves after Open, expected it before"))
	}
	if j.apart = len(j.columns) == 0 && j.later == nil; !j.apart {
		return j.grid, false
	}
	if j.about.cuts && !j.chunked {
		for j.leaves() < leaves && j.leaf() > 1 {
			j.halvings++
		}
	}
	return j.divided(), true
}

// refuseDivided refuses a space that has had the leaves cut and takes them apart, or shares them with other processes: these
// have the leaves of the rule.
func (j *job) refuseDivided() {
	if j.halvings > 0 && (j.stepped || j.carries) {
		j.refuse(fmt.Errorf("exec: the space takes steps or other processes' nodes of leaves that it had cut into %d, expected the %d of the launch", j.leaves(), j.grid.Leaves))
	}
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
