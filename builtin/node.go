package builtin

import (
	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/internal/tree"
)

// FoldNode of a reducer reduces the leaves of a node of the reduction tree in one call, see
// package reducers. Where the order of joins does not matter, a node is reduced as one leaf.

func (sum[T]) FoldNode(dst *T, _ int, x []T, leaf, lanes int, scratch []T) {
	*dst = sumNode(simd.Sum, addLanes[T], x, leaf, lanes, scratch)
}

// FoldProducts is FoldNode of the products x[k]*y[k] of floats, of which a dot product is made.
func (sum[T]) FoldProducts(dst *T, x, y []T, leaf, lanes int, scratch []T) {
	*dst = dotNode(x, y, leaf, lanes, scratch)
}

func (sumSq[T]) FoldNode(dst *T, _ int, x []T, leaf, lanes int, scratch []T) {
	*dst = sumNode(simd.SumSq, addSqLanes[T], x, leaf, lanes, scratch)
}

func (norm1[T]) FoldNode(dst *T, _ int, x []T, leaf, lanes int, scratch []T) {
	*dst = sumNode(simd.Norm1, addAbsLanes[T], x, leaf, lanes, scratch)
}

func (norm2[T]) FoldNode(dst *T, _ int, x []T, leaf, lanes int, scratch []T) {
	*dst = sumNode(simd.SumSq, addSqLanes[T], x, leaf, lanes, scratch)
}

// FoldRows of a reducer is FoldNode of the values x[k*stride:][:items] into dst[k], for all k.

func (sum[T]) FoldRows(dst, x []T, stride, items, leaf, lanes int, scratch []T) {
	sumRows(simd.Sum, addLanes[T], dst, x, stride, items, leaf, lanes, scratch)
}

func (sumSq[T]) FoldRows(dst, x []T, stride, items, leaf, lanes int, scratch []T) {
	sumRows(simd.SumSq, addSqLanes[T], dst, x, stride, items, leaf, lanes, scratch)
}

func (norm1[T]) FoldRows(dst, x []T, stride, items, leaf, lanes int, scratch []T) {
	sumRows(simd.Norm1, addAbsLanes[T], dst, x, stride, items, leaf, lanes, scratch)
}

func (norm2[T]) FoldRows(dst, x []T, stride, items, leaf, lanes int, scratch []T) {
	sumRows(simd.SumSq, addSqLanes[T], dst, x, stride, items, leaf, lanes, scratch)
}

// sumRows is sumNode of each row.
func sumRows[T Number](op simd.Op, add func(lanes []T, first int, x []T), dst, x []T, stride, items, leaf, lanes int, scratch []T) {
	if simd.Nodes(op, dst, x, stride, items, leaf, lanes, scratch) {
		return
	}
	for k := range dst {
		dst[k] = sumNode(op, add, x[k*stride:][:items], leaf, lanes, scratch)
	}
}

// sumNode adds up the leaves of x, whose values add joins, and so does op. scratch holds the
// sums of the leaves and then the lanes of one leaf.
func sumNode[T Number](op simd.Op, add func(lanes []T, first int, x []T), x []T, leaf, lanes int, scratch []T) T {
	all := scratch[tree.NodeLeaves:][:simd.Lanes]
	if kind.IsInteger[T]() {
		clear(all)
		add(all, 0, x)
		joinSums(all)
		return all[0]
	}
	if width := tree.NodeLeaves * leaf; len(x) > width {
		for ; 2*width < len(x); width *= 2 {
		}
		left := sumNode(op, add, x[:width], leaf, lanes, scratch)
		return left + sumNode(op, add, x[width:], leaf, lanes, scratch)
	}
	leaves := scratch[:tree.NodeLeaves]
	n := simd.Leaves(op, leaves, x, leaf, lanes)
	if x = x[n*leaf:]; len(x) > 0 && len(x) < leaf && leaf <= len(scratch)-tree.NodeLeaves {
		// Zeros behind a leaf that is shorter change none of its lanes, since none is -0.
		whole := scratch[tree.NodeLeaves:][:leaf]
		clear(whole[copy(whole, x):])
		if simd.Leaves(op, leaves[n:n+1], whole, leaf, lanes) == 1 {
			return simd.JoinLeaves(leaves[:n+1])
		}
	}
	for ; len(x) > 0; n++ {
		items := min(len(x), leaf)
		clear(all[:lanes])
		add(all[:lanes], 0, x[:items])
		leaves[n] = joinLeaf(all[:lanes], items)
		x = x[items:]
	}
	return simd.JoinLeaves(leaves[:n])
}

// dotNode is sumNode of the products x[k]*y[k] of floats, for at most tree.NodeLeaves leaves.
func dotNode[T Number](x, y []T, leaf, lanes int, scratch []T) T {
	leaves, all := scratch[:tree.NodeLeaves], scratch[tree.NodeLeaves:][:lanes]
	n := simd.DotLeaves(leaves, x, y, leaf, lanes)
	for x, y = x[n*leaf:], y[n*leaf:]; len(x) > 0; n++ {
		items := min(len(x), leaf)
		clear(all)
		addDotLanes(all, x[:items], y[:items])
		leaves[n] = joinLeaf(all, items)
		x, y = x[items:], y[items:]
	}
	return simd.JoinLeaves(leaves[:n])
}

// joinLeaf returns the sum of a leaf of that many items. Lanes that no item reaches are left out.
func joinLeaf[T Number](lanes []T, items int) T {
	if items >= len(lanes) {
		joinSums(lanes)
		return lanes[0]
	}
	for h := len(lanes) / 2; h > 0; h /= 2 {
		for l := 0; l < h && l+h < items; l++ {
			lanes[l] += lanes[l+h]
		}
	}
	return lanes[0]
}

func (minimum[T]) FoldNode(dst *T, _ int, x []T, _, _ int, _ []T) {
	low, ok := simd.Reduce(simd.Min, x)
	if !ok {
		low = x[0]
		for _, v := range x[1:] {
			low = min(low, v)
		}
	}
	*dst = low
}

func (maximum[T]) FoldNode(dst *T, _ int, x []T, _, _ int, _ []T) {
	high, ok := simd.Reduce(simd.Max, x)
	if !ok {
		high = x[0]
		for _, v := range x[1:] {
			high = max(high, v)
		}
	}
	*dst = high
}

func (located[T, L, P]) FoldNode(dst *ValLoc[T, int], first int, x []T, _, _ int, _ []ValLoc[T, int]) {
	var r located[T, int, P]
	r.Init(dst)
	*dst = nearest(r.pick(), *dst, first, x)
}

func (aMax[T]) FoldNode(dst *T, _ int, x []T, _, _ int, scratch []T) {
	all := scratch[:simd.Lanes]
	clear(all)
	if simd.Fold(simd.AMax, all, x) > 0 {
		simd.Fold(simd.AMax, all, x[len(x)-simd.Lanes:]) // what is left, and what changes nothing
	} else {
		aMaxLanes(all, 0, x)
	}
	joinMaxima(all)
	*dst = all[0]
}

func (r bAnd[T]) FoldNode(dst *T, _ int, x []T, _, _ int, scratch []T) {
	*dst = bitNode(r, simd.And, func(acc *T, x T) { *acc &= x }, x, scratch)
}

func (r bOr[T]) FoldNode(dst *T, _ int, x []T, _, _ int, scratch []T) {
	*dst = bitNode(r, simd.Or, func(acc *T, x T) { *acc |= x }, x, scratch)
}

func (r bXor[T]) FoldNode(dst *T, _ int, x []T, _, _ int, scratch []T) {
	*dst = bitNode(r, simd.Xor, func(acc *T, x T) { *acc ^= x }, x, scratch)
}

// bitNode returns what values come to by a reducer, which joins by add and op.
func bitNode[T Integer, R interface {
	Init(val *T)
	JoinLanes(lanes []T)
}](r R, op simd.Op, add func(acc *T, x T), x, scratch []T) T {
	all := scratch[:simd.Lanes]
	for l := range all {
		r.Init(&all[l])
	}
	x = x[simd.Fold(op, all, x):]
	r.JoinLanes(all)
	for _, v := range x {
		add(&all[0], v)
	}
	return all[0]
}

func (lAnd[T]) FoldNode(dst *T, _ int, x []T, _, _ int, _ []T) { *dst = T(simd.All(x)) }

func (lOr[T]) FoldNode(dst *T, _ int, x []T, _, _ int, _ []T) { *dst = T(simd.Any(x)) }

func (count) FoldNode(dst *int, _ int, x []bool, _, _ int, _ []int) { *dst = simd.Count(x) }

func (minMax[T]) FoldNode(dst *MinMaxVal[T], _ int, x []T, _, _ int, _ []MinMaxVal[T]) {
	minMax[T]{}.Init(dst)
	dst.addAll(x)
}

func (minMaxLoc[T, L, P]) FoldNode(dst *MinMaxLocVal[T, int], first int, x []T, _, _ int, _ []MinMaxLocVal[T, int]) {
	var r minMaxLoc[T, int, P]
	r.Init(dst)
	r.addAll(dst, first, x)
}
