package exec

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/policy"
)

// indices walks a policy, for several workers: in runs, or block by block where the policy
// tells none.
type indices[I any, P Policy[I]] struct {
	p      P
	walk   Policy[I]   // &p as a Policy[I], so that p is not copied to the heap; nil if plain
	runner policy.Runs // walk, if indices come in runs, or nil
	rows   policy.Runs // walk, if indices are rows that it also tells as runs, or nil
	whole  bool        // an index stands for many items
	plain  bool        // items are the integers from first on: each is an index, or those of a leaf are one if whole
	first  int
	buf    buffers[I]
	ahead  aheads
	planer planer // walk, if a loop takes planes and it has some, or nil
	planes buffers[policy.Plane]
	poll   *poller
	kind   indexKind

	workers, leaf int // of the launch

	order []int // in which the lanes of a leaf take their items, or nil
	row   []I
}

// schedule permutes the rows of items of the next leaf: row[k] holds the item of lane
// order[k]. The kernel still joins row[k] into lanes[k], so lanes[k] ends with the result of
// lane order[k], whose items come in their order. It returns true: lanes have moved.
func (x *indices[I, P]) schedule(order []int) (moved bool) {
	x.order, x.runner = order, nil
	if x.plain { // which had no need of either
		x.plain = false
		x.asPolicy()
		x.buf.open(x.workers, min(blockItems, x.leaf))
	}
	return true
}

// of makes x the indices of a policy with that plan.
func (x *indices[I, P]) of(p P, plan *policy.Plan) {
	x.p, x.whole = p, plan.Whole
	if x.first, x.plain = firstIndex(&x.p); !x.plain {
		x.first, x.plain = firstOfSpans(&x.p)
	}
	if x.plain {
		return
	}
	x.asPolicy()
	if !x.kind.known {
		x.kind = kindOf[I, P]()
	}
	switch {
	case x.kind.rank == 0:
	case x.kind.row && x.kind.ours:
		x.rows, _ = x.walk.(policy.Runs)
	case !x.kind.row && !x.whole:
		x.byRuns()
	}
}

// byRuns lets indices come in runs, also rows, which do so for loops that are compiled.
func (x *indices[I, P]) byRuns() { x.runner, _ = x.walk.(policy.Runs) }

// A planer is a policy whose runs come in planes.
type planer interface {
	NextPlanes(begin, end int, dst []policy.Plane) (n, next int)
}

// byPlanes lets indices come in planes where a kernel asks for these.
func (x *indices[I, P]) byPlanes() { x.planer, _ = x.walk.(planer) }

// asPolicy sets walk.
func (x *indices[I, P]) asPolicy() {
	var ok bool
	if x.walk, ok = typed.As[Policy[I]](&x.p); !ok {
		x.walk = x.p
	}
}

func (x *indices[I, P]) open(workers int, g space.Grid, p *poller) {
	x.poll, x.workers, x.leaf = p, workers, g.Leaf
	if x.plain {
		return
	}
	x.buf.open(workers, min(blockItems, g.Leaf))
	if x.runner != nil || x.rows != nil {
		x.ahead.open(workers, g.Items)
	}
	if x.planer != nil {
		x.planes.open(workers, blockRuns)
	}
}

// release lets go of the policy and its indices.
func (x *indices[I, P]) release() {
	x.buf.release()
	var none P
	x.p, x.walk, x.runner, x.rows, x.planer, x.poll = none, nil, nil, nil, nil, nil
	x.order, x.row = nil, nil
}

func (x *indices[I, P]) tell(e *tools.Event) {
	e.Policy, _, _ = strings.Cut(strings.TrimPrefix(fmt.Sprintf("%T", x.p), "*"), "[") // one may be told by its address
}

// upTo returns up to where a worker may run items begin to end of a leaf now, if the policy is plain; that is begin, and
// nowhere else, if the launch is cancelled. A span is not cut.
func (x *indices[I, P]) upTo(worker, begin, end int) int {
	switch {
	case !x.whole:
		return x.poll.upTo(worker, begin, end)
	case x.poll.cancelled():
		return begin
	}
	return end
}

// ofLeaf returns up to where a worker may run items begin to end of a node now: no further than the leaf of the first one
// goes, which is *at then; begin, and nowhere else, if that need not run or the launch is cancelled. It is for a plain policy.
func (x *indices[I, P]) ofLeaf(worker, begin, end, leaf int, at *node, failed *faults) int {
	n := begin >> bits.TrailingZeros(uint(leaf))
	if begin&(leaf-1) == 0 && (failed.past(n) || x.poll.cancelled()) {
		return begin
	}
	*at = node{n, n + 1}
	if end = inLeaf(begin, end, leaf); x.whole {
		return end
	}
	return x.poll.upTo(worker, begin, end)
}

// part returns the indices of the next of items begin to end, either as runs or one by one in
// a block, and the first item that is not among them: none and end if the launch is cancelled.
// It is not for a plain policy.
func (x *indices[I, P]) part(worker, begin, end int) (runs []policy.Run, block []I, rest int) {
	if x.runner != nil {
		runs, rest = x.someRuns(worker, begin, end)
		return runs, nil, rest
	}
	block, rest = x.next(worker, begin, end)
	return nil, block, rest
}

// someRuns is part where items come in runs.
func (x *indices[I, P]) someRuns(worker, begin, end int) (runs []policy.Run, rest int) {
	if x.whole {
		return x.nextRows(x.runner, worker, begin, end)
	}
	return x.nextRuns(worker, begin, end)
}

// nextRuns is next for runs.
func (x *indices[I, P]) nextRuns(worker, begin, end int) (runs []policy.Run, rest int) {
	to := x.poll.upTo(worker, begin, end)
	if to == begin {
		return nil, end
	}
	runs, rest = x.fetchRuns(x.runner, worker, begin, to, blockRuns)
	x.poll.left(worker, to-rest)
	return runs, rest
}

// nextPlanes is next for planes.
func (x *indices[I, P]) nextPlanes(worker, begin, end int) (planes []policy.Plane, rest int) {
	to := x.poll.upTo(worker, begin, end)
	if to == begin {
		return nil, end
	}
	dst := x.planes.room(worker, blockRuns)
	n, rest := x.planer.NextPlanes(begin, to, dst)
	x.poll.left(worker, to-rest)
	return dst[:n], rest
}

// nextRows is next for rows that come as runs of a policy.
func (x *indices[I, P]) nextRows(of policy.Runs, worker, begin, end int) (runs []policy.Run, rest int) {
	most := x.mostRows(worker, blockRuns)
	if most == 0 {
		return nil, end
	}
	runs, rest = x.fetchRuns(of, worker, begin, end, most)
	x.poll.left(worker, most-len(runs))
	return runs, rest
}

// mostRows returns how many rows, of so many, a worker may run now: none if the launch is cancelled.
// A worker looks in front of each leaf, and among the rows of one as among other items.
func (x *indices[I, P]) mostRows(worker, rows int) int {
	if x.poll.cancelled() {
		return 0
	}
	return x.poll.upTo(worker, 0, rows)
}

// next returns the next block of indices of items begin to end, and the first item that is
// not in it: none and end if the launch is cancelled. Blocks do not reach over multiples of
// their size, so they begin at lane 0 unless they go on with a part of a row.
func (x *indices[I, P]) next(worker, begin, end int) (block []I, rest int) {
	if x.rows != nil {
		runs, rest := x.nextRows(x.rows, worker, begin, end)
		block = x.buf.room(worker, len(runs))
		for n := range runs {
			block[n] = rowOf[I](&runs[n], x.kind.rank)
		}
		return block, rest
	}
	if x.whole {
		most := x.mostRows(worker, x.buf.size)
		if most == 0 {
			return nil, end
		}
		return x.fetchWhole(worker, begin, end, most)
	}
	rest = x.poll.upTo(worker, begin, min(begin&^(x.buf.size-1)+x.buf.size, end))
	switch {
	case rest == begin:
		return nil, end
	case x.order == nil:
		return x.fetch(worker, begin, rest), rest
	}
	lanes := len(x.order)
	row := begin &^ (lanes - 1)
	block = x.fetch(worker, row, min(roundUp(rest, lanes), end))
	x.permute(block)
	return block[begin-row : rest-row], rest
}

// fetch returns the indices of items begin to end, which are a block or less.
func (x *indices[I, P]) fetch(worker, begin, end int) []I {
	want := end - begin
	dst := x.buf.room(worker, want)
	n, rest := x.walk.Next(begin, end, dst)
	if n != want || rest != end { // fewer would put items into other lanes
		panic(breach{fmt.Errorf("exec: Next of a %T returned %d indices and item %d, expected %d and %d", x.p, n, rest, want, end)})
	}
	return dst
}

// fetchWhole returns at most that many indices that stand for the items from begin on, and
// the first item behind these.
func (x *indices[I, P]) fetchWhole(worker, begin, end, most int) (block []I, rest int) {
	dst := x.buf.room(worker, most)
	n, rest := x.walk.Next(begin, end, dst)
	if n < 1 || n > len(dst) || rest <= begin || rest > end {
		panic(breach{fmt.Errorf("exec: Next of a %T, which is Whole, returned %d indices and item %d, expected 1 to %d and %d to %d", x.p, n, rest, len(dst), begin+1, end)})
	}
	return dst[:n], rest
}

// fetchRuns returns at most so many runs of items from begin on, and the first item behind these.
func (x *indices[I, P]) fetchRuns(of policy.Runs, worker, begin, end, most int) (runs []policy.Run, rest int) {
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
		panic(breach{fmt.Errorf("exec: NextRuns of a %T returned %d runs and item %d of the items %d to %d, expected 1 to %d runs, in dimensions below %d, of all the items before that one, with indices below %d", x.p, n, rest, begin, end-1, len(dst), x.kind.rank, math.MaxInt)})
	}
	one := x.fetch(worker, begin, begin+1)
	var r policy.Run
	*pointOf[I](&r) = one[0]
	if was, is := r.At[:x.kind.rank], dst[0].At[:x.kind.rank]; !slices.Equal(was, is) { // the method of a policy that this one embeds
		panic(breach{fmt.Errorf("exec: NextRuns of a %T gives item %d the index %v, and Next gives it %v", x.p, begin, is, was)})
	}
	return dst[:n], rest
}

// permute puts the items of a block, which begins at lane 0, into the order of the lanes.
func (x *indices[I, P]) permute(block []I) {
	lanes := len(x.order)
	x.row = append(x.row[:0], block...)
	for begin := 0; begin < len(block); begin += lanes {
		for k, l := range x.order[:min(lanes, len(block)-begin)] {
			block[begin+k] = x.row[begin+l]
		}
	}
}
