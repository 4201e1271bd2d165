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
	switch lanes {
	case Lanes:
		if !joinAll(Sum, all) {
			return false
		}
	case 16:
		for n := range leaves {
			a, h := (*[8]T)(all[16*n:]), (*[8]T)(all[16*n+8:])
			all[n] = ((a[0] + h[0] + (a[4] + h[4])) + (a[2] + h[2] + (a[6] + h[6]))) + ((a[1] + h[1] + (a[5] + h[5])) + (a[3] + h[3] + (a[7] + h[7])))
		}
	case 8:
		for n := range leaves {
			a := (*[8]T)(all[8*n:])
			all[n] = ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]))
		}
	case 4:
		for n := range leaves {
			a := (*[4]T)(all[4*n:])
			all[n] = (a[0] + a[2]) + (a[1] + a[3])
		}
	case 2:
		for n := range leaves {
			all[n] = all[2*n] + all[2*n+1]
		}
	}
	all[0] = JoinLeaves(all[:leaves])
	return true
}
