package exec

import (
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/policy"
)

// points is a policy with the type of its indices hidden, which it gives one by one.
type points interface {
	// open makes ready for that many workers, and blocks of that size.
	open(workers, size int)
	// next asks the policy for indices of the items begin to end, at most so many, and returns what Next does.
	next(worker, begin, end, most int) (b block, n, rest int)
	// rows returns runs of points of a rank as the rows that they are.
	rows(worker int, runs []policy.Run, rank int) block
	// permute puts the items of a block, which begins at lane 0, into the order of the lanes.
	permute(b block, order []int)
	// index returns the index of an item, as the policy gives it.
	index(item int) any
	policy() any
	walks() any // the policy with the methods that it has by its address
	owner
}

// pointsOf are the points of a policy.
type pointsOf[I any, P Policy[I]] struct {
	p    P
	walk Policy[I] // &p as a Policy[I], so that p is not copied to the heap
	kind indexKind
	buf  buffers[I]
	row  []I
}

// of makes x the items of a policy with that plan.
func (t *pointsOf[I, P]) of(x *items, p P, plan *policy.Plan) {
	t.p = p
	x.points, x.whole = t, plan.Whole
	if x.first, x.plain = firstIndex(&t.p); !x.plain {
		x.first, x.plain = firstOfSpans(&t.p)
	}
	if x.plain {
		return
	}
	t.asPolicy()
	if !t.kind.known {
		t.kind = kindOf[I, P]()
	}
	x.kind = t.kind
	switch {
	case x.kind.rank == 0:
	case x.kind.row && x.kind.ours:
		x.rows, _ = t.walk.(policy.Runs)
	case !x.kind.row && !x.whole:
		x.byRuns()
	}
}

// asPolicy sets walk.
func (t *pointsOf[I, P]) asPolicy() {
	var ok bool
	if t.walk, ok = typed.As[Policy[I]](&t.p); !ok {
		t.walk = t.p
	}
}

// release lets go of the policy and its indices.
func (t *pointsOf[I, P]) release() {
	t.buf.release()
	var none P
	t.p, t.walk, t.row = none, nil, nil
}

func (t *pointsOf[I, P]) open(workers, size int) {
	if t.walk == nil { // the policy was plain
		t.asPolicy()
	}
	t.buf.open(workers, size)
}

func (t *pointsOf[I, P]) next(worker, begin, end, most int) (b block, n, rest int) {
	dst := t.buf.room(worker, most)
	n, rest = t.walk.Next(begin, end, dst)
	return blockOf(dst), n, rest
}

func (t *pointsOf[I, P]) rows(worker int, runs []policy.Run, rank int) block {
	dst := t.buf.room(worker, len(runs))
	for n := range runs {
		dst[n] = rowOf[I](&runs[n], rank)
	}
	return blockOf(dst)
}

func (t *pointsOf[I, P]) permute(b block, order []int) {
	indices, lanes := indicesOf[I](b), len(order)
	t.row = append(t.row[:0], indices...)
	for begin := 0; begin < len(indices); begin += lanes {
		for k, l := range order[:min(lanes, len(indices)-begin)] {
			indices[begin+k] = t.row[begin+l]
		}
	}
}

func (t *pointsOf[I, P]) index(item int) any {
	var index [1]I
	t.walk.Next(item, item+1, index[:])
	return index[0]
}

func (t *pointsOf[I, P]) policy() any { return t.p }
func (t *pointsOf[I, P]) walks() any  { return t.walk }
