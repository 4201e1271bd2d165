package ranks

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/tree"
)

// Assemble opens a job, sets the nodes, which are in order, and joins them until the root is
// in slot 0. Where the launch has failed, nodes may be missing: those that are there are joined
// as far as they can be, since what goes wrong in that may come first. The error is then
// ErrFailed.
func Assemble(g space.Grid, j Carrier, nodes []Node) error {
	j.Open(1, max(len(nodes), 1))
	at := 0
	for slot, n := range nodes {
		if n.First < at || n.Last <= n.First || n.Last > g.Leaves {
			return fmt.Errorf("ranks: node %d is of leaves %d to %d of %d, expected one from leaf %d on", slot, n.First, n.Last-1, g.Leaves, at)
		}
		at = n.Last
		if err := j.SetNode(slot, n.First, n.Last, n.Data); err != nil {
			return err
		}
	}
	a := assembly{j, nodes, 0}
	if _, ok := a.join(0, g.Leaves); !ok {
		return ErrFailed
	}
	return nil
}

// assembly joins nodes, each of which is in the slot of its number.
type assembly struct {
	job   space.Job
	nodes []Node
	next  int // the first that is not joined
}

// join joins the nodes that the leaves first to last-1 consist of. It is not ok if some are
// missing or a join has failed.
func (a *assembly) join(first, last int) (slot int, ok bool) {
	if a.next == len(a.nodes) || a.nodes[a.next].First >= last {
		return 0, first == last
	}
	if n := a.nodes[a.next]; n.First == first && n.Last == last {
		a.next++
		return a.next - 1, true
	}
	if last-first == 1 {
		return 0, false
	}
	middle := first + tree.CeilPow2(last-first)/2
	dst, left := a.join(first, middle)
	src, right := a.join(middle, last)
	return dst, left && right && a.job.Join(dst, src)
}
