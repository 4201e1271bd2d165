package loops

import (
	"math/bits"

	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
)

// A compiledLoop is the loop of a compiled functor, see package kernel. Its code runs items up to the first
// that it cannot run; the functor runs some, and so on. It is a part of a kernel, so that a launch allocates
// none.
type compiledLoop struct {
	code         Code
	alone        Loop // loop that calls the functor
	functor      any
	accumulators int  // of the functor
	row          bool // an index is a row
	dim          int  // the only dimension of rows that the code takes, and may stop in: the functor has lanes. Else -1
	whole        bool // the functor gets spans without lanes: the code runs all integers of one, or none
}

// of makes c the loop of code, with alone as the loop that calls the functor. It reports whether the code
// runs the items in the form in which they come. Runs must be from package policy: runs of other policies may
// differ from their indices.
func (c *compiledLoop) of(code Code, alone Loop, functor any, accumulators int, x *items.Items) bool {
	if !code.spans() {
		if !code.boxes() || !x.Kind.TakesRuns() {
			return false
		}
		x.ByRuns()
	} else if _, ok := alone.(SpanLoop); !ok { // spans of a policy that is not plain
		return false
	}
	dim := -1
	if x.Kind.Row && x.Ordered {
		dim = x.Kind.Rank - 1
	}
	*c = compiledLoop{code, alone, functor, accumulators, x.Kind.Row, dim, x.Plain && x.Whole && !x.Ordered}
	return true
}

// inLeaves reports whether the code runs runs of several leaves in one call. Rows are cut at the end of a
// leaf.
func (c *compiledLoop) inLeaves() bool { return c.code != nil && !c.code.spans() && !c.row }

// lanes returns how many items the code runs at a time, and 1 where the functor is called.
func (c *compiledLoop) lanes() int {
	if code, ok := c.code.(*codeFor); ok {
		return code.lanes
	}
	return 1
}

// AloneItems is the fewest items that the functor runs after its loop has stopped. A loop that stops at each
// item then costs one call for so many items; one stop gives fewer than 2*AloneItems items to the functor. It
// is a multiple of all numbers of lanes.
const AloneItems = 32

// Resume returns the end of the integers that functor f runs after its loop returned next, of begin to end-1.
// Integer begin is item item. It returns next if that is end; otherwise the loop goes on at lane 0, or is at
// the end.
func Resume(f any, next, begin, end, item int) (to int) {
	if next < begin || next > end {
		panic(launch.Breach("exec: the loop of %v ran the integers %d to %d and returned %d, expected %d to %d", device.Functor{Func: f}, begin, end-1, next, begin, end))
	}
	if next == end {
		return end
	}
	item += next - begin
	toLane0 := -item & (AloneItems - 1)
	return next + min(AloneItems+toLane0, end-next)
}

func (c *compiledLoop) Span(w *launch.Walk, i, end, item int) {
	if c.whole {
		c.span(w, i, end, item)
		return
	}
	for i < end {
		next := c.code.Span(w, i, end, item)
		to := Resume(c.functor, next, i, end, item)
		if next < to {
			c.alone.(SpanLoop).Span(w, next, to, item+next-i)
		}
		item += to - i
		i = to
	}
}

// span runs the integers of a span by the code, or else by the functor.
func (c *compiledLoop) span(w *launch.Walk, begin, end, item int) {
	switch next := c.code.Span(w, begin, end, item); next {
	case end:
	case begin:
		c.alone.(SpanLoop).Span(w, begin, end, item)
	default:
		panic(launch.Breach("exec: the loop of %v ran the span %d to %d and returned %d, expected one of both", device.Functor{Func: c.functor}, begin, end, next))
	}
}

// ofNode runs items begin to end-1 of a node in one call, as leaves are short if items are few. Index first
// is item 0. While the functor runs, the worker is at the leaf of its items. It is for code without
// accumulators.
func (c *compiledLoop) ofNode(w *launch.Walk, first, begin, end, leaf int) {
	for all := w.Node; begin < end; w.Node = all {
		next := c.code.Span(w, first+begin, first+end, begin)
		to := Resume(c.functor, next, first+begin, first+end, begin) - first
		if next -= first; next < to {
			n := next / leaf
			w.Node = launch.Leaf(n)
			to = items.InLeaf(next, to, leaf)
			c.alone.(SpanLoop).Span(w, first+next, first+to, next)
		}
		begin = to
	}
}

func (c *compiledLoop) Runs(w *launch.Walk, runs []policy.Run, item int) {
	switch {
	case c.code.spans():
		runsOfInts(c, w, runs, item)
	case c.dim >= 0 && runs[0].Dim != c.dim:
		c.alone.Runs(w, runs, item)
	default:
		c.leaves(w, runs, item, oneLeaf)
	}
}

func (c *compiledLoop) Block(w *launch.Walk, b launch.Block, item int) { c.alone.Block(w, b, item) }

// oneLeaf is a multiple of the length of every leaf, so the runs of one leaf do not cross it.
const oneLeaf = 1 << (bits.UintSize - 2)

// leaves runs runs from item item on, over leaves of leaf items, or over one leaf if leaf is oneLeaf. The
// worker has the lanes of the first item's leaf. While the functor runs, the worker is at the leaf of its
// items. The runs are changed.
func (c *compiledLoop) leaves(w *launch.Walk, runs []policy.Run, item, leaf int) {
	all, at := w.Node, item/leaf
	for len(runs) > 0 {
		w.NextLeaf(item/leaf-at, c.accumulators)
		at = item / leaf
		done, ran := c.code.Runs(w, runs, item, leaf)
		if done == len(runs) && ran == 0 {
			return
		}
		if uint(done) >= uint(len(runs)) || uint(ran) >= uint(runs[done].Len) || c.row && c.dim < 0 && ran > 0 {
			panic(launch.Breach("exec: the loop of %v ran %d runs and returned %d of them and %d items of the next one, expected fewer items than that has, and none of a row", device.Functor{Func: c.functor}, len(runs), done, ran))
		}
		begin := item
		for n := range done {
			item += runs[n].Len
		}
		runs = runs[done:]
		r := &runs[0]
		items.Advance(r, ran)
		if item += ran; item > begin && item&(leaf-1) == 0 {
			continue // the code may stop where a leaf ends
		}
		left := r.Len
		if !c.row || c.dim >= 0 {
			toLane0 := -item & (AloneItems - 1)
			r.Len = items.InLeaf(item, item+min(AloneItems+toLane0, left), leaf) - item
		}
		w.NextLeaf(item/leaf-at, c.accumulators)
		at = item / leaf
		if leaf != oneLeaf {
			w.Node = launch.Leaf(at)
		}
		c.alone.Runs(w, items.One(r), item)
		w.Node = all
		n := r.Len
		item += n
		if n == left {
			runs = runs[1:]
			continue
		}
		r.Len = left
		items.Advance(r, n)
	}
}
