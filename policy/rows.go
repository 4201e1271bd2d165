package policy

// A Row is a part of a line of points in a box: what the functor gets that owns the loop over
// the innermost dimension, see [MDRangePolicy.Rows].
//
//	func(r policy.Row[policy.Index2]) {
//		for j := range r.All() {
//			a[r.At.I][j]++
//		}
//	}
type Row[I any] struct {
	At   I // the first point
	Span   // what the innermost coordinate goes over
}

// RowsPolicy is the policy made by [MDRangePolicy.Rows]. Its index type is [Row], and its
// items are points.
type RowsPolicy[I any, B bounds] struct{ points MDRangePolicy[I, B] }

// Rows returns p for a functor that owns the loop over the innermost dimension: the last one,
// or the first one if the inner order is [Left]. All else is that of p and is set before:
//
//	policy.MDRange2(lower, upper).Tile(lengths).On(space).Rows()
//
// Order: the items are the points of p, with its numbers, and so the leaves of the reduction
// tree are those of p. A row ends where the box, the tile or the leaf ends, so it may be part
// of a line and begin anywhere in it. The rows of a leaf come in ascending order, one after
// the other, and a reduction gives all of them the one accumulator of the leaf, which holds
// what those before have left there; exec.ParallelReduceLanes joins point by point instead.
func (p MDRangePolicy[I, B]) Rows() RowsPolicy[I, B] { return RowsPolicy[I, B]{p} }

// Plan returns what a pattern needs to know of p.
func (p RowsPolicy[I, B]) Plan() Plan { return p.points.plan(p.points.items, true) }

// String tells which points these are, and in which order.
func (p RowsPolicy[I, B]) String() string { return p.points.String() + ".Rows" }

// Next writes the rows of items begin and up to dst, fewer if end comes first. It returns how
// many it wrote and the first item it did not cover.
func (p RowsPolicy[I, B]) Next(begin, end int, dst []Row[I]) (n, next int) {
	if begin >= end || len(dst) == 0 {
		return 0, begin
	}
	c := p.points.locate(begin)
	var r Run
	for {
		p.points.run(&r, &c, end-begin)
		first := r.At[r.Dim]
		dst[n] = Row[I]{p.points.kind.index(r.At), Span{first, first + r.Len}}
		begin += r.Len
		if n++; n == len(dst) || begin == end {
			return n, begin
		}
		p.points.advance(&c)
	}
}

// NextRuns writes the rows as runs; see [MDRangePolicy.NextRuns].
func (p RowsPolicy[I, B]) NextRuns(begin, end int, dst []Run) (n, next int) {
	return p.points.NextRuns(begin, end, dst)
}
