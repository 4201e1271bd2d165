package items

import (
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/policy"
)

// PointsOf implements points for a policy type P and its index type I.
type PointsOf[I any, P Policy[I]] struct {
	p    P
	walk Policy[I] // &p as a Policy[I], so that p is not copied to the heap
	kind indexKind
	buf  Buffers[I]
	row  []I // copy of the indices that permute moves
}

// Of makes x the items of policy p, whose plan is *plan.
func (t *PointsOf[I, P]) Of(x *Items, p P, plan *policy.Plan) {
	t.p = p
	x.Points, x.Whole = t, plan.Whole
	if x.First, x.Plain = FirstIndex(&t.p); !x.Plain {
		x.First, x.Plain = firstOfSpans(&t.p)
	}
	if x.Plain {
		return
	}
	t.asPolicy()
	if !t.kind.known {
		t.kind = KindOf[I, P]()
	}
	x.Kind = t.kind
	switch {
	case x.Kind.Rank == 0:
	case x.Kind.Row && x.Kind.Ours:
		x.Rows, _ = t.walk.(policy.Runs)
	case !x.Kind.Row && !x.Whole:
		x.ByRuns()
	}
}

// asPolicy sets walk: to &t.p if a pointer has the methods, or else to a copy.
func (t *PointsOf[I, P]) asPolicy() {
	var ok bool
	if t.walk, ok = typed.As[Policy[I]](&t.p); !ok {
		t.walk = t.p
	}
}

// Release drops the policy and its indices.
func (t *PointsOf[I, P]) Release() {
	t.buf.Release()
	var none P
	t.p, t.walk, t.row = none, nil, nil
}

func (t *PointsOf[I, P]) Open(workers, size int) {
	if t.walk == nil { // the policy was plain
		t.asPolicy()
	}
	t.buf.Open(workers, size)
}

func (t *PointsOf[I, P]) next(worker, begin, end, most int) (b launch.Block, n, rest int) {
	dst := t.buf.Room(worker, most)
	n, rest = t.walk.Next(begin, end, dst)
	return launch.BlockOf(dst), n, rest
}

func (t *PointsOf[I, P]) rows(worker int, runs []policy.Run, rank int) launch.Block {
	dst := t.buf.Room(worker, len(runs))
	for n := range runs {
		dst[n] = RowOf[I](&runs[n], rank)
	}
	return launch.BlockOf(dst)
}

func (t *PointsOf[I, P]) permute(b launch.Block, order []int) {
	indices, lanes := launch.IndicesOf[I](b), len(order)
	t.row = append(t.row[:0], indices...)
	for begin := 0; begin < len(indices); begin += lanes {
		for k, l := range order[:min(lanes, len(indices)-begin)] {
			indices[begin+k] = t.row[begin+l]
		}
	}
}

func (t *PointsOf[I, P]) index(item int) any {
	var index [1]I
	t.walk.Next(item, item+1, index[:])
	return index[0]
}

func (t *PointsOf[I, P]) Policy() any { return t.p }
func (t *PointsOf[I, P]) Walks() any  { return t.walk }
