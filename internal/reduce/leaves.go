package reduce

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/reducers/concept"
)

// The lanes of several leaves, one leaf behind the other: they are reduced before any of them is joined, so
// that whatever reduces them is called once. Where that joins the lanes itself, there is one value of each leaf.

// OpenLeaves makes room for BeginLeaves, or for BeginSums if the reducer is known to join by the operation that whatever
// reduces the leaves joins lanes by, if that is one. It returns how many leaves that takes at most, a power of two up to
// most; 0 if values are neither numbers nor bools. Open must have been called.
func (s *Slots[T]) OpenLeaves(workers, most int, joins concept.Op) int {
	s.join = ""
	if !s.number {
		return 0
	}
	if joins != "" && !s.traits.Ordered && operationOf(s.r).Join == joins {
		s.join = joins
	}
	bytes := s.laneCount * int(unsafe.Sizeof(*new(T)))
	for s.join == "" && most > 1 && most*bytes > leavesBytes {
		most /= 2
	}
	if len(s.leaves) < workers {
		s.leaves = append(s.leaves, make([][]T, workers-len(s.leaves))...)
	}
	return most
}

// BeginLeaves returns the worker's lanes of that many leaves, each set to the identity.
func (s *Slots[T]) BeginLeaves(worker, leaves int) []T {
	all := s.leavesOf(worker, leaves*s.laneCount)
	s.fill(all)
	return all
}

// leavesOf returns the worker's room for that many values.
func (s *Slots[T]) leavesOf(worker, n int) []T {
	if len(s.leaves[worker]) < n {
		s.leaves[worker] = make([]T, n)
	}
	return s.leaves[worker][:n]
}

// fill sets values to the identity.
func (s *Slots[T]) fill(all []T) {
	if zeroBits(&s.unit) { // which takes half as long
		clear(all)
		return
	}
	first := all[:min(len(all), 32)] // a copy of a few takes longer than a loop
	for k := range first {
		first[k] = s.unit
	}
	for n := len(first); n < len(all); n *= 2 {
		copy(all[n:], all[:n])
	}
}

// zeroBits reports whether a value is the zero one bit for bit, as -0 is not.
func zeroBits[T any](v *T) bool {
	for _, b := range unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v)) {
		if b != 0 {
			return false
		}
	}
	return true
}

// EndLeaf joins the lanes of a leaf of that many items, as End does. Then JoinLeaves joins leaves.
func (s *Slots[T]) EndLeaf(worker, leaf, items int) {
	at := leaf * s.laneCount
	s.endLanes(s.leaves[worker][at:at+s.laneCount], items)
}

// JoinLeaves joins one leaf into another, to the left of it.
func (s *Slots[T]) JoinLeaves(worker, dst, src int) {
	all := s.leaves[worker]
	s.r.Join(&all[dst*s.laneCount], &all[src*s.laneCount])
}

// EndLeaves moves the first leaf, into which all have been joined, to a slot.
func (s *Slots[T]) EndLeaves(worker, slot int) { s.slots[slot] = s.leaves[worker][0] }

// EndNode joins the lanes of that many leaves, and the leaves, in one call, and moves what that comes to to a
// slot. Items must have reached all lanes. It returns false, and does nothing, if nobody knows the operation
// well enough.
func (s *Slots[T]) EndNode(worker, slot, leaves int) bool {
	if s.traits.Ordered || !joinNode(operationOf(s.r).Join, s.leaves[worker][:leaves*s.laneCount], s.laneCount) {
		return false
	}
	s.slots[slot] = s.leaves[worker][0]
	return true
}

// JoinsLeaves reports whether whatever reduces leaves joins their lanes: then there are BeginSums, EndSum and EndSums.
func (s *Slots[T]) JoinsLeaves() bool { return s.join != "" }

// BeginSums returns the worker's lanes of one leaf, each set to the identity, and room for the sums of that many leaves.
func (s *Slots[T]) BeginSums(worker, leaves int) (lanes, sums []T) {
	n := s.laneCount
	all := s.leavesOf(worker, n+wholeVectors(leaves))
	s.fill(all[:n])
	return all[:n], all[n : n+leaves]
}

// wholeVectors returns how many values so many are, filled up to whole vectors.
func wholeVectors(n int) int { return (n + simd.Lanes - 1) &^ (simd.Lanes - 1) }

// EndSum sets the sum of a leaf of that many items to what the lanes come to, which begin the next one then.
func (s *Slots[T]) EndSum(worker, leaf, items int) {
	lanes := s.leaves[worker][:s.laneCount]
	s.endLanes(lanes, items)
	s.leaves[worker][s.laneCount+leaf] = lanes[0]
	s.fill(lanes)
}

// EndSums joins the sums of that many leaves into a slot. Those of operations whose order does not matter are filled up
// with the identity, to whole vectors.
func (s *Slots[T]) EndSums(worker, slot, leaves int) {
	sums := s.leaves[worker][s.laneCount:]
	n := leaves
	if s.traits.Exact {
		n = wholeVectors(leaves)
		s.fill(sums[leaves:n])
	}
	if !joinNode(s.join, sums[:n], 1) {
		JoinTree(s.r, sums[:leaves])
	}
	s.slots[slot] = sums[0]
}

// joinNode joins the lanes of leaves, and the leaves, into the first value. It returns false, and does nothing, if there is
// nothing that does so in one call.
func joinNode[T any](join concept.Op, all []T, lanes int) (ok bool) {
	op, known := nodeOp(join)
	if !known {
		return false
	}
	switch all := any(all).(type) {
	case []float64:
		ok = simd.JoinNode(op, all, lanes)
	case []float32:
		ok = simd.JoinNode(op, all, lanes)
	case []int:
		ok = simd.JoinNode(op, all, lanes)
	case []int64:
		ok = simd.JoinNode(op, all, lanes)
	case []int32:
		ok = simd.JoinNode(op, all, lanes)
	case []uint64:
		ok = simd.JoinNode(op, all, lanes)
	case []uint32:
		ok = simd.JoinNode(op, all, lanes)
	default:
		return false
	}
	return ok
}

// nodeOp returns what simd.JoinNode calls an operation, if it has that.
func nodeOp(join concept.Op) (op simd.Op, ok bool) {
	switch join {
	case concept.OpSum:
		return simd.Sum, true
	case concept.OpMin:
		return simd.Min, true
	case concept.OpMax:
		return simd.Max, true
	case concept.OpAnd:
		return simd.And, true
	case concept.OpOr:
		return simd.Or, true
	case concept.OpXor:
		return simd.Xor, true
	}
	return 0, false
}
