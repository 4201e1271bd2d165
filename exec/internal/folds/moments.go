package folds

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers/concept"
)

// foldsOfMoments are the numbers of the folds that one kernel computes in one pass over the values: a
// sum, a sum of squares, a minimum and a maximum.
type foldsOfMoments struct{ sum, squares, low, high int }

// momentsOf returns the numbers of these folds. ok is false if one of the four or the kernel is missing.
func momentsOf[T any](folds []*reduce.Fold, g space.Grid) (m foldsOfMoments, ok bool) {
	if len(folds) < 4 || !takesMoments[T](g) {
		return m, false
	}
	m = foldsOfMoments{-1, -1, -1, -1}
	for n, f := range folds {
		o, at := f.Operation(), &m.sum
		switch {
		case o.Join == concept.OpSum && o.Map == "":
		case o.Join == concept.OpSum && o.Map == concept.MapSquare:
			at = &m.squares
		case o.Join == concept.OpMin && o.Map == "":
			at = &m.low
		case o.Join == concept.OpMax && o.Map == "":
			at = &m.high
		default:
			continue
		}
		if *at < 0 && f.Column().Holds((*T)(nil)) {
			*at = n
		}
	}
	return m, min(m.sum, m.squares, m.low, m.high) >= 0
}

func takesMoments[T any](g space.Grid) bool {
	switch any(*new(T)).(type) {
	case float64:
		return simd.TakesMoments[float64](g.Leaf, g.Lanes)
	case float32:
		return simd.TakesMoments[float32](g.Leaf, g.Lanes)
	}
	return false
}

// has reports whether fold n is one of the four.
func (m *foldsOfMoments) has(n int) bool {
	return n == m.sum || n == m.squares || n == m.low || n == m.high
}

func runMoments[T float32 | float64](m *foldsOfMoments, folds []*reduce.Fold, room []T, worker, slot, first int, x []T, leaf int) {
	sums, squares := room[:tree.NodeLeaves], room[tree.NodeLeaves:]
	low, high, n := simd.Moments(sums, squares, x, leaf, simd.Lanes)
	of := func(k int) *T { return reduce.At[T](folds[k].Column(), slot) }
	if rest := x[n*leaf:]; len(rest) > 0 { // the last leaf is shorter
		for _, k := range [...]int{m.sum, m.squares, m.low, m.high} {
			folds[k].Node(worker, slot, first+n*leaf, reduce.ValuesOf(rest), leaf)
		}
		sums[n], squares[n] = *of(m.sum), *of(m.squares)
		low, high = min(low, *of(m.low)), max(high, *of(m.high))
		n++
	}
	*of(m.sum), *of(m.squares) = simd.JoinLeaves(sums[:n]), simd.JoinLeaves(squares[:n])
	*of(m.low), *of(m.high) = low, high
}
