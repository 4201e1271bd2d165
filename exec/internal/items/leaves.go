package items

import (
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// InRuns runs the items of some leaves, the first of which begins with item begin, a leaf at a time: run gets its
// runs and the number of their first item, and the worker is at that leaf. It reports whether all have run: not if the launch is
// cancelled, or the leaves are past what has failed.
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
			last, over := &runs[k-1], to-next // what goes on in the next leaf
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
				return false // a row may go over many leaves
			}
		}
	}
	return true
}

// InLeaves is InRuns for a loop that runs several leaves in one call.
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
