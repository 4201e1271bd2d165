package policy

import (
	"context"

	"github.com/gokkos/gokkos/exec/space"
)

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
// or the first one if the inner order is [Left]. Tiles, order and chunk are those of p and are set before:
//
//	policy.MDRange2(lower, upper).Tile(lengths).Rows().On(space)
//
// Order: the items are the points of p, with its numbers, and so the leaves of the reduction
// tree are those of p. A row ends where the box, the tile or the leaf ends, so it may be part
// of a line and begin anywhere in it. The rows of a leaf come in ascending order, one after
// the other, and a reduction gives all of them the one accumulator of the leaf, which holds
// what those before have left there; exec.ParallelReduceLanes joins point by point instead.
func (p MDRangePolicy[I, B]) Rows() RowsPolicy[I, B] { return RowsPolicy[I, B]{p} }

// On carries the execution space to launch on; nil means the default one.
func (p RowsPolicy[I, B]) On(s space.Space) RowsPolicy[I, B] { p.points.on.space = s; return p }

// WithContext carries a context that can cancel the launch; see [Launch.WithContext].
func (p RowsPolicy[I, B]) WithContext(ctx context.Context) RowsPolicy[I, B] {
	p.points.on.context = ctx
	return p
}

// WithLabel names the launch; see [Launch.WithLabel].
func (p RowsPolicy[I, B]) WithLabel(label string) RowsPolicy[I, B] {
	p.points.on.label = label
	return p
}

// With carries what launches carry; see [Launch.With].
func (p RowsPolicy[I, B]) With(on ...Launch) RowsPolicy[I, B] {
	p.points.on = p.points.on.With(on...)
	return p
}

// Plan returns what a pattern needs to know of p.
func (p RowsPolicy[I, B]) Plan() (plan Plan) {
	p.points.plan(&plan, p.points.items, true)
	return plan
}

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
