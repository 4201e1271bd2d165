package exec

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/tree"
)

// A reduction whose loop is compiled runs several leaves in one call: each has lanes of its own, which are
// joined once all have been run.

// span implements nodeKernel.
func (k *reduceKernel[I, A, P]) span(g space.Grid) int {
	if !k.plain || k.compiled.leaves == nil {
		return 0
	}
	return k.a.OpenLeaves(k.workers, min(max(nodeItems/g.Leaf, 1), tree.NodeLeaves))
}

func (k *reduceKernel[I, A, P]) runNode(worker, slot, begin, end, leaf int, at *node) {
	all, first := *at, begin
	leaves := all.last - all.first
	a := k.a.BeginLeaves(worker, leaves)
	for begin < end {
		to := k.poll.upTo(worker, begin, end)
		if to == begin {
			return // cancelled
		}
		k.compiled.node(k.first, begin, to, leaf, len(a)/leaves, a, at, all)
		begin = to
	}
	for n := range leaves {
		*at = node{all.first + n, all.first + n + 1}
		k.a.EndLeaf(worker, n, min(leaf, end-first-n*leaf))
	}
	for width := 1; width < leaves; width *= 2 {
		for n := 0; n+width < leaves; n += 2 * width {
			*at = node{all.first + n, all.first + min(n+2*width, leaves)}
			k.a.JoinLeaves(worker, n, n+width)
		}
	}
	*at = all
	k.a.EndLeaves(worker, slot)
}
