package builtin

import (
	"github.com/gokkos/gokkos/internal/simd"
)

// FoldNode of a reducer reduces the leaves of a node of the reduction tree in one call, see
// package reducers. Where the order of joins is no matter, a node is as good as a leaf.

func (sum[T]) FoldNode(dst *T, _ int, x []T, leaf, lanes int) {
	*dst = sumNode(simd.Sum, addLanes[T], x, leaf, lanes)
}

func (sumSq[T]) FoldNode(dst *T, _ int, x []T, leaf, lanes int) {
	*dst = sumNode(simd.SumSq, addSqLanes[T], x, leaf, lanes)
}

func (norm1[T]) FoldNode(dst *T, _ int, x []T, leaf, lanes int) {
	*dst = sumNode(simd.Norm1, addAbsLanes[T], x, leaf, lanes)
}

func (norm2[T]) FoldNode(dst *T, _ int, x []T, leaf, lanes int) {
	*dst = sumNode(simd.SumSq, addSqLanes[T], x, leaf, lanes)
}

// sumNode joins the leaves of x by addition, and their values by add, which is op.
func sumNode[T Number](op simd.Op, add func(lanes []T, first int, x []T), x []T, leaf, lanes int) T {
	if T(1)/2 == 0 { // integers
		return sumWhole(add, x)
	}
	const most = 64
	var leaves [most]T
	var width int
	for width = most * leaf; len(x) > width; width *= 2 {
	}
	if width > most*leaf {
		return sumNode(op, add, x[:width/2], leaf, lanes) + sumNode(op, add, x[width/2:], leaf, lanes)
	}
	n := simd.Leaves(op, leaves[:], x, leaf, lanes)
	for x = x[n*leaf:]; len(x) > 0; n++ {
		items := min(len(x), leaf)
		leaves[n] = sumLeaf(add, x[:items], lanes)
		x = x[items:]
	}
	for ; n > 1; n = (n + 1) / 2 {
		half := n / 2
		for k := range half {
			leaves[k] = leaves[2*k] + leaves[2*k+1]
		}
		if n&1 == 1 {
			leaves[half] = leaves[n-1]
		}
	}
	return leaves[0]
}

// sumLeaf returns what one leaf comes to. Lanes that no item reaches are left out.
func sumLeaf[T Number](add func(lanes []T, first int, x []T), x []T, lanes int) T {
	var all [simd.Lanes]T
	add(all[:lanes], 0, x)
	used := min(len(x), lanes)
	if used == simd.Lanes {
		joinSums(all[:])
		return all[0]
	}
	for h := lanes / 2; h > 0; h /= 2 {
		for l := 0; l < h && l+h < used; l++ {
			all[l] += all[l+h]
		}
	}
	return all[0]
}

// sumWhole returns what values come to whose order is no matter.
func sumWhole[T Number](add func(lanes []T, first int, x []T), x []T) T {
	var all [simd.Lanes]T
	add(all[:], 0, x)
	joinSums(all[:])
	return all[0]
}

func (minimum[T]) FoldNode(dst *T, _ int, x []T, _, _ int) {
	low, n := simd.Reduce(simd.Min, x)
	if n == 0 {
		low = x[0]
	}
	for _, v := range x[n:] {
		low = min(low, v)
	}
	*dst = low
}

func (maximum[T]) FoldNode(dst *T, _ int, x []T, _, _ int) {
	high, n := simd.Reduce(simd.Max, x)
	if n == 0 {
		high = x[0]
	}
	for _, v := range x[n:] {
		high = max(high, v)
	}
	*dst = high
}

func (located[T, L, P]) FoldNode(dst *ValLoc[T, int], first int, x []T, _, _ int) {
	var r located[T, int, P]
	r.Init(dst)
	*dst = nearest(r.pick(), *dst, first, x)
}

func (aMax[T]) FoldNode(dst *T, _ int, x []T, _, _ int) {
	var all [simd.Lanes]T
	aMaxLanes(all[:], 0, x)
	joinMaxima(all[:])
	*dst = all[0]
}

func (r bAnd[T]) FoldNode(dst *T, _ int, x []T, _, _ int) {
	*dst = bitNode(r, simd.And, func(acc *T, x T) { *acc &= x }, x)
}

func (r bOr[T]) FoldNode(dst *T, _ int, x []T, _, _ int) {
	*dst = bitNode(r, simd.Or, func(acc *T, x T) { *acc |= x }, x)
}

func (r bXor[T]) FoldNode(dst *T, _ int, x []T, _, _ int) {
	*dst = bitNode(r, simd.Xor, func(acc *T, x T) { *acc ^= x }, x)
}

// bitNode returns what values come to by a reducer, which joins by add and op.
func bitNode[T Integer, R interface {
	Init(val *T)
	JoinLanes(lanes []T)
}](r R, op simd.Op, add func(acc *T, x T), x []T) T {
	var all [simd.Lanes]T
	for l := range all {
		r.Init(&all[l])
	}
	x = x[simd.Fold(op, all[:], x):]
	r.JoinLanes(all[:])
	for _, v := range x {
		add(&all[0], v)
	}
	return all[0]
}

func (lAnd[T]) FoldNode(dst *T, _ int, x []T, _, _ int) { *dst = T(simd.All(x)) }

func (lOr[T]) FoldNode(dst *T, _ int, x []T, _, _ int) { *dst = T(simd.Any(x)) }

func (count) FoldNode(dst *int, _ int, x []bool, _, _ int) { *dst = simd.Count(x) }

func (minMax[T]) FoldNode(dst *MinMaxVal[T], _ int, x []T, _, _ int) {
	minMax[T]{}.Init(dst)
	dst.addAll(x)
}

func (minMaxLoc[T, L, P]) FoldNode(dst *MinMaxLocVal[T, int], first int, x []T, _, _ int) {
	var r minMaxLoc[T, int, P]
	r.Init(dst)
	r.addAll(dst, first, x)
}
