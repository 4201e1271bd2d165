package items

import (
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// InRuns runs items begin to end-1 of several leaves, leaf by leaf. It gives run the runs of a part of a leaf
// and the number of their first item, with the worker at that leaf. It returns false if the launch is
// cancelled or a leaf is past a fault, and not all items have run.
func (x *Items) InRuns(w *launch.Walk, begin, end, leaf int, run func(runs []policy.Run, item int)) bool {
	for n := begin / leaf; begin < end; {
		runs, rest := x.someRuns(w, begin, end)
		if runs == nil {
			return false
		}
		for begin < rest {
			if w.Past(n) {
				return false
			}
			w.Node = launch.Leaf(n)
			next := InLeaf(begin, rest, leaf)
			k, to := reach(runs, begin, next)
			last, over := &runs[k-1], to-next // over: items of last in the next leaf
			from := last.At[last.Dim] + last.Len - over
			last.Len -= over
			run(runs[:k], begin)
			if over > 0 {
				last.At[last.Dim], last.Len = from, over
				k--
			}
			if next&(leaf-1) == 0 {
				n++
			}
			runs, begin = runs[k:], next
			if x.Whole && begin < rest && w.Cancelled() {
				return false // one row may span many leaves
			}
		}
	}
	return true
}

// InLeaves is InRuns for a loop that takes runs of several leaves in one call. Runs are not cut at leaves,
// and the worker stays at its node.
func (x *Items) InLeaves(w *launch.Walk, begin, end, leaf int, run func(runs []policy.Run, item int)) bool {
	for begin < end {
		if w.Past(begin / leaf) {
			return false
		}
		runs, rest := x.someRuns(w, begin, end)
		if runs == nil {
			return false
		}
		run(runs, begin)
		begin = rest
	}
	return true
}
