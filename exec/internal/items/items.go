// Package items finds which items a kernel runs, and gives them in one of four forms: integers, runs, planes,
// or blocks of indices that a policy gives one by one.
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

// Items gives the items of a policy to several workers: in runs, or in blocks if the policy has no runs. It
// hides the type of the indices.
type Items struct {
	Points points      // the policy, asked for indices one by one
	Runner policy.Runs // the policy, if indices come in runs; or nil
	Rows   policy.Runs // the policy, if indices are rows that it also has as runs; or nil
	Planer planer      // the policy, if it has planes and a loop takes them; or nil
	Whole  bool        // an index stands for many items
	Plain  bool        // items are the integers from First on; if Whole, spans of them are the indices
	First  int         // integer of item 0 if Plain, else 0
	ahead  aheads
	planes Buffers[policy.Plane]
	Kind   indexKind
	size   int // indices in a block, a power of two

	Workers, leaf int // number of workers; items in a leaf

	order   []int // lanes in the order in which they take items; nil: ascending
	Ordered bool  // the functor itself orders the items of a leaf
}

// Schedule permutes the rows of items of the next leaf: row[k] holds the item of lane order[k]. The kernel
// still joins row[k] into lanes[k], so lanes[k] ends with the result of lane order[k], whose items come in
// their order. moved is true: place k holds lane order[k].
func (x *Items) Schedule(order []int) (moved bool) {
	x.order, x.Runner = order, nil
	if x.Plain { // until now without runs and blocks
		x.Plain = false
		x.openBlocks()
	}
	return true
}

// ByRuns makes indices come in runs if the policy has some. Rows come as runs only for loops that take them
// so.
func (x *Items) ByRuns() { x.Runner, _ = x.Points.Walks().(policy.Runs) }

// A planer is a policy that has planes.
type planer interface {
	NextPlanes(begin, end int, dst []policy.Plane) (n, next int)
}

// ByPlanes makes items come in planes if the policy has some.
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

// Release drops the policy.
func (x *Items) Release() {
	x.Points.Release()
	x.Points, x.Runner, x.Rows, x.Planer, x.order, x.Ordered, x.Kind = nil, nil, nil, nil, nil, false, indexKind{}
}

// UpTo returns the end, at most end, of the items from begin on that a worker may run now. It returns begin
// only if the launch is cancelled. It is for a leaf of a plain policy, and does not cut spans.
func (x *Items) UpTo(w *launch.Walk, begin, end int) int {
	switch {
	case !x.Whole:
		return w.UpTo(begin, end)
	case w.Cancelled():
		return begin
	}
	return end
}

// OfLeaf is UpTo in a node. It puts the worker at the leaf of item begin, and returns at most the end of that
// leaf. It also returns begin if the leaf begins there and need not run.
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

// Part returns the next of items begin to end-1, as runs or as a block, and the first item behind them. If
// the launch is cancelled, it returns none, and end. It is not for a plain policy.
func (x *Items) Part(w *launch.Walk, begin, end int) (runs []policy.Run, b launch.Block, rest int) {
	if x.Runner != nil {
		runs, rest = x.someRuns(w, begin, end)
		return runs, b, rest
	}
	b, rest = x.Next(w, begin, end)
	return nil, b, rest
}

// someRuns is Part for items in runs.
func (x *Items) someRuns(w *launch.Walk, begin, end int) (runs []policy.Run, rest int) {
	if x.Whole {
		return x.nextRows(x.Runner, w, begin, end)
	}
	return x.nextRuns(w, begin, end)
}

// nextRuns is Next for runs.
func (x *Items) nextRuns(w *launch.Walk, begin, end int) (runs []policy.Run, rest int) {
	to := w.UpTo(begin, end)
	if to == begin {
		return nil, end
	}
	runs, rest = x.fetchRuns(x.Runner, w.Worker, begin, to, launch.BlockRuns)
	w.Left(to - rest)
	return runs, rest
}

// NextPlanes is Next for planes.
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

// nextRows is Next for rows, which come as runs of a policy.
func (x *Items) nextRows(of policy.Runs, w *launch.Walk, begin, end int) (runs []policy.Run, rest int) {
	most := x.mostRows(w, launch.BlockRuns)
	if most == 0 {
		return nil, end
	}
	runs, rest = x.fetchRuns(of, w.Worker, begin, end, most)
	w.Left(most - len(runs))
	return runs, rest
}

// mostRows returns how many rows, at most rows, a worker may run now; 0 if the launch is cancelled. It looks
// at each call, since a row may be long, and counts rows as UpTo counts items.
func (x *Items) mostRows(w *launch.Walk, rows int) int {
	if w.Cancelled() {
		return 0
	}
	return w.UpTo(0, rows)
}

// Next returns the next block of indices of items begin to end-1, and the first item behind it. If the launch
// is cancelled, it returns no block, and end. Blocks do not cross multiples of their size, so a block begins
// at lane 0 or in a row of lanes that was cut.
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

// fetch returns the indices of items begin to end-1, at most a block.
func (x *Items) fetch(worker, begin, end int) launch.Block {
	want := end - begin
	b, n, rest := x.Points.next(worker, begin, end, want)
	if n != want || rest != end { // fewer would shift items to other lanes
		panic(launch.Breach("exec: Next of a %T returned %d indices and item %d, expected %d and %d", x.Points.Policy(), n, rest, want, end))
	}
	return b
}

// fetchWhole returns at most most indices, which stand for the items from begin on, and the first item behind
// them.
func (x *Items) fetchWhole(worker, begin, end, most int) (b launch.Block, rest int) {
	b, n, rest := x.Points.next(worker, begin, end, most)
	if n < 1 || n > most || rest <= begin || rest > end {
		panic(launch.Breach("exec: Next of a %T, which is Whole, returned %d indices and item %d, expected 1 to %d and %d to %d", x.Points.Policy(), n, rest, most, begin+1, end))
	}
	return b.Cut(0, n), rest
}

// fetchRuns returns at most most runs of items from begin on, and the first item behind them. It checks the
// runs of policies that are not of package policy.
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
	if was := unsafe.Slice((*int)(one.At), x.Kind.Rank); !slices.Equal(was, is) { // an embedded policy's NextRuns
		panic(launch.Breach("exec: NextRuns of a %T gives item %d the index %v, and Next gives it %v", x.Points.Policy(), begin, is, was))
	}
	return dst[:n], rest
}

// points is a policy that gives indices one by one, with their type hidden.
type points interface {
	// Open makes room for so many workers, and blocks of size indices.
	Open(workers, size int)
	// next asks the policy for at most most indices of items begin to end-1, and returns the results of its
	// Next.
	next(worker, begin, end, most int) (b launch.Block, n, rest int)
	// rows returns runs of points of a rank as a block of rows.
	rows(worker int, runs []policy.Run, rank int) launch.Block
	// permute puts the items of a block, which begins at lane 0, into an order of the lanes.
	permute(b launch.Block, order []int)
	// index returns the index of an item, from the policy's Next.
	index(item int) any
	Policy() any
	Walks() any // the policy with the methods of a pointer to it
	launch.Owner
}
