package launch

import (
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/tree"
)

// Column is one reduction of a launch, its value type hidden.
type Column = *reduce.Column

// Node is the aligned range of leaves First to Last-1.
type Node struct{ First, Last int }

// isNode reports whether n is a node of a tree with that many leaves.
func (n Node) isNode(leaves int) bool {
	if n.First < 0 || n.First >= n.Last || n.Last > leaves {
		return false
	}
	w := tree.CeilPow2(n.Last - n.First)
	return n.First%w == 0 && (n.Last == n.First+w || n.Last == leaves)
}

// Leaf returns the node of one leaf.
func Leaf(n int) Node { return Node{n, n + 1} }
