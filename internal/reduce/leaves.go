package reduce

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/reducers/concept"
)

// This file keeps the lanes of several leaves, one leaf behind the other. All are reduced before any is
// joined, so that one call can reduce all of them. If that call also joins the lanes, the column keeps
// one value for each leaf.

// OpenLeaves makes room for BeginLeaves. It returns the most leaves that BeginLeaves may take, a power
// of two up to most. The result is 0 if values are large or refer to other memory. Open must have been
// called.
func (c *Column) OpenLeaves(workers, most int) int {
	c.join = ""
	if !c.small || !c.bits {
		return 0
	}
	bytes := c.laneCount * int(c.size)
	for most > 1 && most*bytes > leavesBytes {
		most /= 2
	}
	c.leavesFor(workers)
	return most
}

// OpenSums makes room for BeginSums, of any number of leaves, and reports whether it could. The code
// that reduces leaves joins lanes by the operation joins: the reducer must be known to join by it, and a
// leaf must have several lanes. Open must have been called.
func (c *Column) OpenSums(workers int, joins concept.Op) bool {
	if c.join = ""; joins == "" || !c.InLanes() || !c.bits || operationOf(c.reducer).Join != joins {
		return false
	}
	c.join = joins
	c.leavesFor(workers)
	return true
}

func (c *Column) leavesFor(workers int) {
	if len(c.leaves) < workers {
		c.leaves = append(c.leaves, make([]room, workers-len(c.leaves))...)
	}
}

// BeginLeaves sets the worker's lanes of that many leaves to the identity.
func (c *Column) BeginLeaves(worker, leaves int) {
	n := leaves * c.laneCount
	c.fill(c.leavesOf(worker, n), n)
}

// Leaf returns the worker's lanes of one of the leaves that have begun. The lanes of the leaves behind
// follow.
func (c *Column) Leaf(worker, leaf, leaves int) Lanes {
	return Lanes{c.leaf(worker, leaf), c.laneCount, (leaves - leaf) * c.laneCount, c.size}
}

// OfItem returns a pointer to the lane of an item of the leaf.
func (l *Lanes) OfItem(item int) unsafe.Pointer { return unsafe.Add(l.At, l.Offset(item)) }

// Offset returns the distance in bytes from the first lane to the lane of an item. A loop adds to the
// offset, and not to a pointer: behind the last lane, a pointer would refer to other memory, or none.
func (l *Lanes) Offset(item int) uintptr { return uintptr(item&(l.N-1)) * l.Size }

// Next returns the lanes of the leaf that comes that many leaves behind the leaf of l.
func (l Lanes) Next(leaves int) Lanes {
	n := leaves * l.N
	if uint(n+l.N) > uint(l.Room) {
		panic("reduce: no such leaf has begun")
	}
	l.At, l.Room = unsafe.Add(l.At, uintptr(n)*l.Size), l.Room-n
	return l
}

// From returns lanes from the n-th on.
func (l Lanes) From(n int) Lanes {
	if uint(n) >= uint(l.N) {
		panic("reduce: there is no such lane")
	}
	return Lanes{unsafe.Add(l.At, uintptr(n)*l.Size), l.N - n, l.Room - n, l.Size}
}

// leavesOf returns the worker's room for that many values.
func (c *Column) leavesOf(worker, n int) unsafe.Pointer {
	r := &c.leaves[worker]
	if r.n < n || r.at == nil {
		*r = c.room(n)
	}
	return r.at
}

// EndLeaf joins the lanes of a leaf of that many items, as End does. After it, JoinLeaves may join the
// leaf.
func (c *Column) EndLeaf(worker, leaf, items int) { c.endLanes(c.leaf(worker, leaf), items) }

// JoinLeaves joins leaf src into leaf dst, which is to the left of src.
func (c *Column) JoinLeaves(worker, dst, src int) {
	c.values.join(c.leaf(worker, dst), c.leaf(worker, src))
}

// leaf returns a pointer to the first lane of a leaf.
func (c *Column) leaf(worker, leaf int) unsafe.Pointer {
	if r := &c.leaves[worker]; uint(leaf*c.laneCount) < uint(r.n) {
		return c.plus(r.at, leaf*c.laneCount)
	}
	panic("reduce: no such leaf has begun")
}

// EndLeaves moves the first leaf, into which all leaves have been joined, to a slot.
func (c *Column) EndLeaves(worker, slot int) { c.copy(c.slot(slot), c.leaves[worker].at) }

// EndNode joins the lanes of that many leaves, then the leaves, in one call, and moves the result to a
// slot. It returns false, and does nothing, if order matters or there is no code for the operation. It
// does so, too, if the last leaf has fewer items than lanes.
func (c *Column) EndNode(worker, slot, leaves, last int) bool {
	if last < c.laneCount || c.ordered || !c.number.joinNode(operationOf(c.reducer).Join, c.leaves[worker].at, leaves*c.laneCount, c.laneCount) {
		return false
	}
	c.EndLeaves(worker, slot)
	return true
}

// JoinsLeaves reports whether the code that reduces leaves also joins their lanes. If so, the caller
// uses BeginSums, EndSum and EndSums.
func (c *Column) JoinsLeaves() bool { return c.join != "" }

// BeginSums returns the worker's lanes of one leaf, set to the identity, and room for the sums of that
// many leaves.
func (c *Column) BeginSums(worker, leaves int) (lanes, sums Lanes) {
	n := c.laneCount
	all := c.leavesOf(worker, n+wholeVectors(leaves))
	c.fill(all, n)
	return Lanes{all, n, n, c.size}, Lanes{c.plus(all, n), leaves, leaves, c.size}
}

// wholeVectors returns n rounded up to whole vectors.
func wholeVectors(n int) int { return (n + simd.Lanes - 1) &^ (simd.Lanes - 1) }

// EndSum joins the lanes of a leaf of that many items into the leaf's sum, and resets the lanes to the
// identity.
func (c *Column) EndSum(worker, leaf, items int) {
	lanes := c.leaves[worker].at
	c.endLanes(lanes, items)
	c.copy(c.plus(lanes, c.laneCount+leaf), lanes)
	c.fill(lanes, c.laneCount)
}

// EndSums joins the sums of that many leaves into a slot. If the order of joins does not matter, it
// fills the sums up to whole vectors with the identity.
func (c *Column) EndSums(worker, slot, leaves int) {
	sums := c.plus(c.leaves[worker].at, c.laneCount)
	n := leaves
	if c.exact {
		if n = wholeVectors(leaves); n > leaves {
			c.fill(c.plus(sums, leaves), n-leaves)
		}
	}
	if !c.number.joinNode(c.join, sums, n, 1) {
		c.JoinTree(Lanes{sums, leaves, leaves, c.size})
	}
	c.copy(c.slot(slot), sums)
}

// joinNode joins the lanes of leaves, n values in all, and then the leaves, into the first value. It
// returns false, and does nothing, if no code does so in one call.
func (t number) joinNode(join concept.Op, all unsafe.Pointer, n, lanes int) bool {
	op, known := nodeOp(join)
	if !known {
		return false
	}
	switch t {
	case float64s:
		return simd.JoinNode(op, unsafe.Slice((*float64)(all), n), lanes)
	case float32s:
		return simd.JoinNode(op, unsafe.Slice((*float32)(all), n), lanes)
	case ints:
		return simd.JoinNode(op, unsafe.Slice((*int)(all), n), lanes)
	case int64s:
		return simd.JoinNode(op, unsafe.Slice((*int64)(all), n), lanes)
	case int32s:
		return simd.JoinNode(op, unsafe.Slice((*int32)(all), n), lanes)
	case uint64s:
		return simd.JoinNode(op, unsafe.Slice((*uint64)(all), n), lanes)
	case uint32s:
		return simd.JoinNode(op, unsafe.Slice((*uint32)(all), n), lanes)
	}
	return false
}

// nodeOp returns the simd.Op of an operation, if there is one.
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
