package reduce

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/reducers/concept"
)

// The lanes of several leaves, one leaf behind the other: they are reduced before any of them is joined, so
// that whatever reduces them is called once. Where that joins the lanes itself, there is one value of each leaf.

// OpenLeaves makes room for BeginLeaves. It returns how many leaves that takes at most, a power of two up to most; 0 if
// values are large or refer to memory elsewhere. Open must have been called.
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

// OpenSums makes room for BeginSums, of any number of leaves, if the reducer is known to join by the operation that
// whatever reduces the leaves joins lanes by, and a leaf has several. It reports whether that is so. Open must have been
// called.
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

// Leaf returns the worker's lanes of a leaf, of so many leaves that have begun. Those of the leaves behind follow.
func (c *Column) Leaf(worker, leaf, leaves int) Lanes {
	return Lanes{c.leaf(worker, leaf), c.laneCount, (leaves - leaf) * c.laneCount, c.size}
}

// OfItem returns where the lane of an item of the leaf is.
func (l *Lanes) OfItem(item int) unsafe.Pointer { return unsafe.Add(l.At, l.Offset(item)) }

// Offset returns how far the lane of an item is behind the first. A loop adds to that, and not to a pointer: behind the last
// lane that would point to other memory, or none.
func (l *Lanes) Offset(item int) uintptr { return uintptr(item&(l.N-1)) * l.Size }

// Next returns the lanes of the leaf that comes so many behind the one that lanes are of.
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

// EndLeaf joins the lanes of a leaf of that many items, as End does. Then JoinLeaves joins leaves.
func (c *Column) EndLeaf(worker, leaf, items int) { c.endLanes(c.leaf(worker, leaf), items) }

// JoinLeaves joins one leaf into another, to the left of it.
func (c *Column) JoinLeaves(worker, dst, src int) {
	c.values.join(c.leaf(worker, dst), c.leaf(worker, src))
}

// leaf returns where the first lane of a leaf is.
func (c *Column) leaf(worker, leaf int) unsafe.Pointer {
	if r := &c.leaves[worker]; uint(leaf*c.laneCount) < uint(r.n) {
		return c.plus(r.at, leaf*c.laneCount)
	}
	panic("reduce: no such leaf has begun")
}

// EndLeaves moves the first leaf, into which all have been joined, to a slot.
func (c *Column) EndLeaves(worker, slot int) { c.copy(c.slot(slot), c.leaves[worker].at) }

// EndNode joins the lanes of that many leaves, and the leaves, in one call, and moves what that comes to to a
// slot. It returns false, and does nothing, if the last leaf has items for some lanes only, or nobody knows the operation
// well enough.
func (c *Column) EndNode(worker, slot, leaves, last int) bool {
	if last < c.laneCount || c.ordered || !c.number.joinNode(operationOf(c.reducer).Join, c.leaves[worker].at, leaves*c.laneCount, c.laneCount) {
		return false
	}
	c.EndLeaves(worker, slot)
	return true
}

// JoinsLeaves reports whether whatever reduces leaves joins their lanes: then there are BeginSums, EndSum and EndSums.
func (c *Column) JoinsLeaves() bool { return c.join != "" }

// BeginSums returns the worker's lanes of one leaf, each set to the identity, and room for the sums of that many leaves.
func (c *Column) BeginSums(worker, leaves int) (lanes, sums Lanes) {
	n := c.laneCount
	all := c.leavesOf(worker, n+wholeVectors(leaves))
	c.fill(all, n)
	return Lanes{all, n, n, c.size}, Lanes{c.plus(all, n), leaves, leaves, c.size}
}

// wholeVectors returns how many values so many are, filled up to whole vectors.
func wholeVectors(n int) int { return (n + simd.Lanes - 1) &^ (simd.Lanes - 1) }

// EndSum sets the sum of a leaf of that many items to what the lanes come to, which begin the next one then.
func (c *Column) EndSum(worker, leaf, items int) {
	lanes := c.leaves[worker].at
	c.endLanes(lanes, items)
	c.copy(c.plus(lanes, c.laneCount+leaf), lanes)
	c.fill(lanes, c.laneCount)
}

// EndSums joins the sums of that many leaves into a slot. Those of operations whose order does not matter are filled up
// with the identity, to whole vectors.
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

// joinNode joins the lanes of leaves, n values, and the leaves, into the first value. It returns false, and does nothing,
// if there is nothing that does so in one call.
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
