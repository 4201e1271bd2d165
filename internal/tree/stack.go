package tree

import "math/bits"

// The leaves of a node are joined from the left with few partial results at a time, those of
// complete subtrees, each larger than those after it: leaf k is put into slot Slot(k), and
// then Carry joins the subtrees that it completes. After the last leaf, Collect joins those
// that are left. Slot 0 then has the node.

// Slot returns the slot of a leaf, by its number in the node. That many slots are in use after
// the leaves before it.
func Slot(leaf int) int { return bits.OnesCount(uint(leaf)) }

// Slots returns how many slots so many leaves take at most.
func Slots(leaves int) int { return bits.Len(uint(max(leaves-1, 0))) + 1 }

// Carry calls join for each slot dst that takes slot dst+1, once a leaf is in its slot.
func Carry(leaf int, join func(dst int)) {
	for dst := Slot(leaf); leaf&1 == 1; leaf >>= 1 {
		dst--
		join(dst)
	}
}

// Collect is Carry after so many leaves, at least one.
func Collect(leaves int, join func(dst int)) {
	for dst := Slot(leaves) - 2; dst >= 0; dst-- {
		join(dst)
	}
}
