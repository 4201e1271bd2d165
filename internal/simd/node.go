package simd

import "github.com/gokkos/gokkos/internal/kind"

// JoinNode joins the lanes of leaves, which lie one leaf behind the other, as [Join] does, and then the
// leaves as the tree over a node does, into all[0]. Of the others none is kept. op is Sum, Min, Max or one
// of bits. It returns false, and does nothing, if there is no kernel for the operation, the type or the
// number of lanes.
func JoinNode[T kind.Number](op Op, all []T, lanes int) bool {
	if op == Sum && !kind.IsInteger[T]() {
		return joinSums(all, lanes)
	}
	rest := len(all) - Lanes // the order does not matter
	if rest < 0 || rest%Lanes != 0 || rest > 0 && Fold(op, all[:Lanes], all[Lanes:]) != rest {
		return false
	}
	return Join(op, all[:Lanes])
}

// joinSums is JoinNode of sums of floats.
func joinSums[T kind.Number](all []T, lanes int) bool {
	leaves := len(all) / lanes
	for n := range leaves {
		leaf := all[n*lanes:][:lanes]
		if lanes == Lanes {
			if !Join(Sum, leaf) {
				return false
			}
		} else {
			for h := lanes / 2; h > 0; h /= 2 {
				low, high := leaf[:h], leaf[h:2*h]
				for l := range low {
					low[l] += high[l]
				}
			}
		}
		all[n] = leaf[0]
	}
	all[0] = JoinLeaves(all[:leaves])
	return true
}
