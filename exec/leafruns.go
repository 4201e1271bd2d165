package exec

import "github.com/gokkos/gokkos/policy"

// inLeaf returns up to where the items begin to end are in the leaf of begin. Where the last leaf of a launch would end is more
// than an int, maybe.
func inLeaf(begin, end, leaf int) int {
	return begin + min(leaf-begin&(leaf-1), end-begin) // a leaf is a power of two
}

// inRuns runs the items of some leaves, the first of which begins with item begin, a leaf at a time: run gets its
// runs and the number of their first item, and the worker is at that leaf. It reports whether all have run: not if the launch is
// cancelled, or the leaves are past what has failed.
func (x *items) inRuns(w *walk, begin, end, leaf int, run func(runs []policy.Run, item int)) bool {
	for n := begin / leaf; begin < end; {
		runs, rest := x.someRuns(w, begin, end)
		if runs == nil {
			return false
		}
		for begin < rest {
			if w.job.past(n) {
				return false
			}
			w.node = node{n, n + 1}
			next := inLeaf(begin, rest, leaf)
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
			if x.whole && begin < rest && w.cancelled() {
				return false // a row may go over many leaves
			}
		}
	}
	return true
}

// inLeaves is inRuns for a loop that runs several leaves in one call.
func (x *items) inLeaves(w *walk, begin, end, leaf int, run func(runs []policy.Run, item int)) bool {
	for begin < end {
		if w.job.past(begin / leaf) {
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
