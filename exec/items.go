package exec

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// items walks a policy, for several workers: in runs, or block by block where the policy
// tells none. The type of the indices is hidden.
type items struct {
	points points      // the policy, asked for indices one by one
	runner policy.Runs // the policy, if indices come in runs, or nil
	rows   policy.Runs // the policy, if indices are rows that it also tells as runs, or nil
	planer planer      // the policy, if a loop takes planes and it has some, or nil
	whole  bool        // an index stands for many items
	plain  bool        // items are the integers from first on: each is an index, or those of a leaf are one if whole
	first  int
	ahead  aheads
	planes buffers[policy.Plane]
	kind   indexKind
	size   int // of a block

	workers, leaf int // of the launch

	order   []int // in which the lanes of a leaf take their items, or nil
	ordered bool  // the functor itself orders the items of a leaf
}

// schedule permutes the rows of items of the next leaf: row[k] holds the item of lane
// order[k]. The kernel still joins row[k] into lanes[k], so lanes[k] ends with the result of
// lane order[k], whose items come in their order. It returns true: lanes have moved.
func (x *items) schedule(order []int) (moved bool) {
	x.order, x.runner = order, nil
	if x.plain { // which had no need of either
		x.plain = false
		x.openBlocks()
	}
	return true
}

// byRuns lets indices come in runs, also rows, which do so for loops that are compiled.
func (x *items) byRuns() { x.runner, _ = x.points.walks().(policy.Runs) }

// A planer is a policy whose runs come in planes.
type planer interface {
	NextPlanes(begin, end int, dst []policy.Plane) (n, next int)
}

// byPlanes lets indices come in planes where a kernel asks for these.
func (x *items) byPlanes() { x.planer, _ = x.points.walks().(planer) }

func (x *items) open(workers int, g space.Grid) {
	x.workers, x.leaf = workers, g.Leaf
	if x.plain {
		return
	}
	x.openBlocks()
	if x.runner != nil || x.rows != nil {
		x.ahead.open(workers, g.Items)
	}
	if x.planer != nil {
		x.planes.open(workers, blockRuns)
	}
}

func (x *items) openBlocks() {
	x.size = min(blockItems, x.leaf)
	x.points.open(x.workers, x.size)
}

// release lets go of the policy.
func (x *items) release() {
	x.points.release()
	x.points, x.runner, x.rows, x.planer, x.order, x.ordered, x.kind = nil, nil, nil, nil, nil, false, indexKind{}
}

// upTo returns up to where a worker may run items begin to end of a leaf now, if the policy is plain; that is begin, and
// nowhere else, if the launch is cancelled. A span is not cut.
func (x *items) upTo(w *walk, begin, end int) int {
	switch {
	case !x.whole:
		return w.upTo(begin, end)
	case w.cancelled():
		return begin
	}
	return end
}

// ofLeaf returns up to where a worker may run items begin to end of a node now: no further than the leaf of the first one
// goes, which is the worker's then; begin, and nowhere else, if that need not run or the launch is cancelled. It is for a plain policy.
func (x *items) ofLeaf(w *walk, begin, end, leaf int) int {
	n := begin >> bits.TrailingZeros(uint(leaf))
	if begin&(leaf-1) == 0 && (w.job.past(n) || w.cancelled()) {
		return begin
	}
	w.node = node{n, n + 1}
	if end = inLeaf(begin, end, leaf); x.whole {
		return end
	}
	return w.upTo(begin, end)
}

// part returns the indices of the next of items begin to end, either as runs or one by one in
// a block, and the first item that is not among them: none and end if the launch is cancelled.
// It is not for a plain policy.
func (x *items) part(w *walk, begin, end int) (runs []policy.Run, b block, rest int) {
	if x.runner != nil {
		runs, rest = x.someRuns(w, begin, end)
		return runs, b, rest
	}
	b, rest = x.next(w, begin, end)
	return nil, b, rest
}

// someRuns is part where items come in runs.
func (x *items) someRuns(w *walk, begin, end int) (runs []policy.Run, rest int) {
	if x.whole {
		return x.nextRows(x.runner, w, begin, end)
	}
	return x.nextRuns(w, begin, end)
}

// nextRuns is next for runs.
func (x *items) nextRuns(w *walk, begin, end int) (runs []policy.Run, rest int) {
	to := w.upTo(begin, end)
	if to == begin {
		return nil, end
	}
	runs, rest = x.fetchRuns(x.runner, w.worker, begin, to, blockRuns)
	w.left(to - rest)
	return runs, rest
}

// nextPlanes is next for planes.
func (x *items) nextPlanes(w *walk, begin, end int) (planes []policy.Plane, rest int) {
	to := w.upTo(begin, end)
	if to == begin {
		return nil, end
	}
	dst := x.planes.room(w.worker, blockRuns)
	n, rest := x.planer.NextPlanes(begin, to, dst)
	w.left(to - rest)
	return dst[:n], rest
}

// nextRows is next for rows that come as runs of a policy.
func (x *items) nextRows(of policy.Runs, w *walk, begin, end int) (runs []policy.Run, rest int) {
	most := x.mostRows(w, blockRuns)
	if most == 0 {
		return nil, end
	}
	runs, rest = x.fetchRuns(of, w.worker, begin, end, most)
	w.left(most - len(runs))
	return runs, rest
}

// mostRows returns how many rows, of so many, a worker may run now: none if the launch is cancelled.
// A worker looks in front of each leaf, and among the rows of one as among other items.
func (x *items) mostRows(w *walk, rows int) int {
	if w.cancelled() {
		return 0
	}
	return w.upTo(0, rows)
}

// next returns the next block of indices of items begin to end, and the first item that is
// not in it: none and end if the launch is cancelled. Blocks do not reach over multiples of
// their size, so they begin at lane 0 unless they go on with a part of a row.
func (x *items) next(w *walk, begin, end int) (b block, rest int) {
	if x.rows != nil {
		runs, rest := x.nextRows(x.rows, w, begin, end)
		return x.points.rows(w.worker, runs, x.kind.rank), rest
	}
	if x.whole {
		most := x.mostRows(w, x.size)
		if most == 0 {
			return b, end
		}
		return x.fetchWhole(w.worker, begin, end, most)
	}
	rest = w.upTo(begin, min(begin&^(x.size-1)+x.size, end))
	switch {
	case rest == begin:
		return b, end
	case x.order == nil:
		return x.fetch(w.worker, begin, rest), rest
	}
	lanes := len(x.order)
	row := begin &^ (lanes - 1)
	b = x.fetch(w.worker, row, min(roundUp(rest, lanes), end))
	x.points.permute(b, x.order)
	return b.cut(begin-row, rest-row), rest
}

// fetch returns the indices of items begin to end, which are a block or less.
func (x *items) fetch(worker, begin, end int) block {
	want := end - begin
	b, n, rest := x.points.next(worker, begin, end, want)
	if n != want || rest != end { // fewer would put items into other lanes
		panic(breach{fmt.Errorf("exec: Next of a %T returned %d indices and item %d, expected %d and %d", x.points.policy(), n, rest, want, end)})
	}
	return b
}

// fetchWhole returns at most that many indices that stand for the items from begin on, and
// the first item behind these.
func (x *items) fetchWhole(worker, begin, end, most int) (b block, rest int) {
	b, n, rest := x.points.next(worker, begin, end, most)
	if n < 1 || n > most || rest <= begin || rest > end {
		panic(breach{fmt.Errorf("exec: Next of a %T, which is Whole, returned %d indices and item %d, expected 1 to %d and %d to %d", x.points.policy(), n, rest, most, begin+1, end)})
	}
	return b.cut(0, n), rest
}

// fetchRuns returns at most so many runs of items from begin on, and the first item behind these.
func (x *items) fetchRuns(of policy.Runs, worker, begin, end, most int) (runs []policy.Run, rest int) {
	if x.kind.ours {
		return x.ahead.next(of, worker, begin, end, most)
	}
	dst := x.ahead.buf.room(worker, most)
	n, rest := of.NextRuns(begin, end, dst)
	at, ok := begin, 1 <= n && n <= len(dst)
	for k := 0; ok && k < n; k++ {
		r := &dst[k]
		ok = 0 < r.Len && r.Len <= end-at && uint(r.Dim) < uint(x.kind.rank) && r.At[r.Dim] <= math.MaxInt-r.Len
		at += r.Len
	}
	if !ok || at != rest {
		panic(breach{fmt.Errorf("exec: NextRuns of a %T returned %d runs and item %d of the items %d to %d, expected 1 to %d runs, in dimensions below %d, of all the items before that one, with indices below %d", x.points.policy(), n, rest, begin, end-1, len(dst), x.kind.rank, math.MaxInt)})
	}
	one := x.fetch(worker, begin, begin+1)
	is := dst[0].At[:x.kind.rank]
	if was := unsafe.Slice((*int)(one.at), x.kind.rank); !slices.Equal(was, is) { // the method of a policy that this one embeds
		panic(breach{fmt.Errorf("exec: NextRuns of a %T gives item %d the index %v, and Next gives it %v", x.points.policy(), begin, is, was)})
	}
	return dst[:n], rest
}
