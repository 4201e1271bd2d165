// Package items finds which items a kernel runs, and in which form it gets them: integers, runs and planes of a box, or
// blocks of the indices that a policy gives one by one.
package items

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// Items walks a policy, for several workers: in runs, or block by block where the policy
// tells none. The type of the indices is hidden.
type Items struct {
	Points points      // the policy, asked for indices one by one
	Runner policy.Runs // the policy, if indices come in runs, or nil
	Rows   policy.Runs // the policy, if indices are rows that it also tells as runs, or nil
	Planer planer      // the policy, if a loop takes planes and it has some, or nil
	Whole  bool        // an index stands for many items
	Plain  bool        // items are the integers from first on: each is an index, or those of a leaf are one if whole
	First  int
	ahead  aheads
	planes Buffers[policy.Plane]
	Kind   indexKind
	size   int // of a block

	Workers, leaf int // of the launch

	order   []int // in which the lanes of a leaf take their items, or nil
	Ordered bool  // the functor itself orders the items of a leaf
}

// Schedule permutes the rows of items of the next leaf: row[k] holds the item of lane
// order[k]. The kernel still joins row[k] into lanes[k], so lanes[k] ends with the result of
// lane order[k], whose items come in their order. It returns true: lanes have moved.
func (x *Items) Schedule(order []int) (moved bool) {
	x.order, x.Runner = order, nil
	if x.Plain { // which had no need of either
		x.Plain = false
		x.openBlocks()
	}
	return true
}

// ByRuns lets indices come in runs, also rows, which do so for loops that are compiled.
func (x *Items) ByRuns() { x.Runner, _ = x.Points.Walks().(policy.Runs) }

// A planer is a policy whose runs come in planes.
type planer interface {
	NextPlanes(begin, end int, dst []policy.Plane) (n, next int)
}

// ByPlanes lets indices come in planes where a kernel asks for these.
func (x *Items) ByPlanes() { x.Planer, _ = x.Points.Walks().(planer) }

func (x *Items) Open(workers int, g space.Grid) {
	x.Workers, x.leaf = workers, g.Leaf
	if x.Plain {
		return
	}
	x.openBlocks()
	if x.Runner != nil || x.Rows != nil {
		x.ahead.Open(workers, g.Items)
	}
	if x.Planer != nil {
		x.planes.Open(workers, launch.BlockRuns)
	}
}

func (x *Items) openBlocks() {
	x.size = min(launch.BlockItems, x.leaf)
	x.Points.Open(x.Workers, x.size)
}

// Release lets go of the policy.
func (x *Items) Release() {
	x.Points.Release()
	x.Points, x.Runner, x.Rows, x.Planer, x.order, x.Ordered, x.Kind = nil, nil, nil, nil, nil, false, indexKind{}
}

// UpTo returns up to where a worker may run items begin to end of a leaf now, if the policy is plain; that is begin, and
// nowhere else, if the launch is cancelled. A span is not cut.
func (x *Items) UpTo(w *launch.Walk, begin, end int) int {
	switch {
	case !x.Whole:
		return w.UpTo(begin, end)
	case w.Cancelled():
		return begin
	}
	return end
}

// OfLeaf returns up to where a worker may run items begin to end of a node now: no further than the leaf of the first one
// goes, which is the worker's then; begin, and nowhere else, if that need not run or the launch is cancelled. It is for a plain policy.
func (x *Items) OfLeaf(w *launch.Walk, begin, end, leaf int) int {
	n := begin >> bits.TrailingZeros(uint(leaf))
	if begin&(leaf-1) == 0 && (w.Past(n) || w.Cancelled()) {
		return begin
	}
	w.Node = launch.Leaf(n)
	if end = InLeaf(begin, end, leaf); x.Whole {
		return end
	}
	return w.UpTo(begin, end)
}

// Part returns the indices of the next of items begin to end, either as runs or one by one in
// a block, and the first item that is not among them: none and end if the launch is cancelled.
// It is not for a plain policy.
func (x *Items) Part(w *launch.Walk, begin, end int) (runs []policy.Run, b launch.Block, rest int) {
	if x.Runner != nil {
		runs, rest = x.someRuns(w, begin, end)
		return runs, b, rest
	}
	b, rest = x.Next(w, begin, end)
	return nil, b, rest
}

// someRuns is part where items come in runs.
func (x *Items) someRuns(w *launch.Walk, begin, end int) (runs []policy.Run, rest int) {
	if x.Whole {
		return x.nextRows(x.Runner, w, begin, end)
	}
	return x.nextRuns(w, begin, end)
}

// nextRuns is next for runs.
func (x *Items) nextRuns(w *launch.Walk, begin, end int) (runs []policy.Run, rest int) {
	to := w.UpTo(begin, end)
	if to == begin {
		return nil, end
	}
	runs, rest = x.fetchRuns(x.Runner, w.Worker, begin, to, launch.BlockRuns)
	w.Left(to - rest)
	return runs, rest
}

// NextPlanes is next for planes.
func (x *Items) NextPlanes(w *launch.Walk, begin, end int) (planes []policy.Plane, rest int) {
	to := w.UpTo(begin, end)
	if to == begin {
		return nil, end
	}
	dst := x.planes.Room(w.Worker, launch.BlockRuns)
	n, rest := x.Planer.NextPlanes(begin, to, dst)
	w.Left(to - rest)
	return dst[:n], rest
}

// nextRows is next for rows that come as runs of a policy.
func (x *Items) nextRows(of policy.Runs, w *launch.Walk, begin, end int) (runs []policy.Run, rest int) {
	most := x.mostRows(w, launch.BlockRuns)
	if most == 0 {
		return nil, end
	}
	runs, rest = x.fetchRuns(of, w.Worker, begin, end, most)
	w.Left(most - len(runs))
	return runs, rest
}

// mostRows returns how many rows, of so many, a worker may run now: none if the launch is cancelled.
// A worker looks in front of each leaf, and among the rows of one as among other items.
func (x *Items) mostRows(w *launch.Walk, rows int) int {
	if w.Cancelled() {
		return 0
	}
	return w.UpTo(0, rows)
}

// Next returns the next block of indices of items begin to end, and the first item that is
// not in it: none and end if the launch is cancelled. Blocks do not reach over multiples of
// their size, so they begin at lane 0 unless they go on with a part of a row.
func (x *Items) Next(w *launch.Walk, begin, end int) (b launch.Block, rest int) {
	if x.Rows != nil {
		runs, rest := x.nextRows(x.Rows, w, begin, end)
		return x.Points.rows(w.Worker, runs, x.Kind.Rank), rest
	}
	if x.Whole {
		most := x.mostRows(w, x.size)
		if most == 0 {
			return b, end
		}
		return x.fetchWhole(w.Worker, begin, end, most)
	}
	rest = w.UpTo(begin, min(begin&^(x.size-1)+x.size, end))
	switch {
	case rest == begin:
		return b, end
	case x.order == nil:
		return x.fetch(w.Worker, begin, rest), rest
	}
	lanes := len(x.order)
	row := begin &^ (lanes - 1)
	b = x.fetch(w.Worker, row, min(launch.RoundUp(rest, lanes), end))
	x.Points.permute(b, x.order)
	return b.Cut(begin-row, rest-row), rest
}

// fetch returns the indices of items begin to end, which are a block or less.
func (x *Items) fetch(worker, begin, end int) launch.Block {
	want := end - begin
	b, n, rest := x.Points.next(worker, begin, end, want)
	if n != want || rest != end { // fewer would put items into other lanes
		panic(launch.Breach("exec: Next of a %T returned %d indices and item %d, expected %d and %d", x.Points.Policy(), n, rest, want, end))
	}
	return b
}

// fetchWhole returns at most that many indices that stand for the items from begin on, and
// the first item behind these.
func (x *Items) fetchWhole(worker, begin, end, most int) (b launch.Block, rest int) {
	b, n, rest := x.Points.next(worker, begin, end, most)
	if n < 1 || n > most || rest <= begin || rest > end {
		panic(launch.Breach("exec: Next of a %T, which is Whole, returned %d indices and item %d, expected 1 to %d and %d to %d", x.Points.Policy(), n, rest, most, begin+1, end))
	}
	return b.Cut(0, n), rest
}

// fetchRuns returns at most so many runs of items from begin on, and the first item behind these.
func (x *Items) fetchRuns(of policy.Runs, worker, begin, end, most int) (runs []policy.Run, rest int) {
	if x.Kind.Ours {
		return x.ahead.next(of, worker, begin, end, most)
	}
	dst := x.ahead.buf.Room(worker, most)
	n, rest := of.NextRuns(begin, end, dst)
	at, ok := begin, 1 <= n && n <= len(dst)
	for k := 0; ok && k < n; k++ {
		r := &dst[k]
		ok = 0 < r.Len && r.Len <= end-at && uint(r.Dim) < uint(x.Kind.Rank) && r.At[r.Dim] <= math.MaxInt-r.Len
		at += r.Len
	}
	if !ok || at != rest {
		panic(launch.Breach("exec: NextRuns of a %T returned %d runs and item %d of the items %d to %d, expected 1 to %d runs, in dimensions below %d, of all the items before that one, with indices below %d", x.Points.Policy(), n, rest, begin, end-1, len(dst), x.Kind.Rank, math.MaxInt))
	}
	one := x.fetch(worker, begin, begin+1)
	is := dst[0].At[:x.Kind.Rank]
	if was := unsafe.Slice((*int)(one.At), x.Kind.Rank); !slices.Equal(was, is) { // the method of a policy that this one embeds
		panic(launch.Breach("exec: NextRuns of a %T gives item %d the index %v, and Next gives it %v", x.Points.Policy(), begin, is, was))
	}
	return dst[:n], rest
}

// points is a policy with the type of its indices hidden, which it gives one by one.
type points interface {
	// Open makes ready for that many workers, and blocks of that size.
	Open(workers, size int)
	// next asks the policy for indices of the items begin to end, at most so many, and returns what Next does.
	next(worker, begin, end, most int) (b launch.Block, n, rest int)
	// rows returns runs of points of a rank as the rows that they are.
	rows(worker int, runs []policy.Run, rank int) launch.Block
	// permute puts the items of a block, which begins at lane 0, into the order of the lanes.
	permute(b launch.Block, order []int)
	// index returns the index of an item, as the policy gives it.
	index(item int) any
	Policy() any
	Walks() any // the policy with the methods that it has by its address
	launch.Owner
}
