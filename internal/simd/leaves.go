package simd

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/kind"
)

// Leaves sets dst[k] to what leaf k of x comes to by Sum, SumSq or Norm1, for the whole
// leaves of that length in x: a value goes into lane k%lanes of its leaf, a lane begins
// with 0, and lanes are joined as [Join] does. It returns how many leaves it took, no
// more than dst has room for, and 0 if there is no kernel for the operation, the type or
// the number of lanes: there are kernels for an eighth of a leaf, at least 1 and at most 32,
// and for leaves that one call may take.
func Leaves[T kind.Number](op Op, dst, x []T, leaf, lanes int) int {
	n := leavesOf(dst, x, leaf, lanes)
	if n == 0 {
		return 0
	}
	dst, x = dst[:n], x[:n*leaf]
	switch elementOf[T](op) {
	case isFloat64:
		return leaves(&float64s[level][op], dst, x, leaf)
	case isFloat32:
		return leaves(&float32s[level][op], dst, x, leaf)
	}
	return 0
}

// leavesOf returns how many whole leaves of x there are, at most one for each of dst, and 0 if
// there is no kernel for leaves of that length and number of lanes.
func leavesOf[T any](dst, x []T, leaf, lanes int) int {
	if lanes != max(min(leaf/8, Lanes), 1) || leaf&(leaf-1) != 0 {
		return 0
	}
	return min(len(dst), len(x)/leaf)
}

func leaves[U, T any](k *kernels[U], dst, x []T, leaf int) int {
	most := callValues[U]() / leaf
	if k.leaves == nil || most == 0 {
		return 0
	}
	d, v := as[U](dst), as[U](x)
	if len(d) > most {
		inPieces(len(d), most, func(begin, end int) { k.leaves(d[begin:end], v[begin*leaf:end*leaf], leaf) })
	} else {
		k.leaves(d, v, leaf)
	}
	return len(dst)
}

const (
	// nodeLeaves is how many leaves a node has for [Nodes] at most.
	nodeLeaves = 32
	// nodesAtOnce is how many nodes have their leaves joined in one call of a kernel.
	nodesAtOnce = 4
	// NodesScratch is how many values Nodes needs besides those of a leaf.
	NodesScratch = nodesAtOnce * nodeLeaves
)

// Nodes sets dst[k] to the sum of the values x[k*stride:][:items], at least one: that of their leaves, as
// [Leaves] and [JoinLeaves] make it, where the last leaf may be shorter. It returns false, and does nothing, if
// there is no kernel, a node has more than 32 leaves, or scratch has less room than for a leaf and NodesScratch
// values.
func Nodes[T kind.Number](op Op, dst, x []T, stride, items, leaf, lanes int, scratch []T) bool {
	if items > nodeLeaves*leaf || len(scratch) < NodesScratch+leaf || leavesOf(scratch, scratch, leaf, lanes) == 0 || len(dst) == 0 {
		return false
	}
	x = x[:(len(dst)-1)*stride+items]
	switch elementOf[T](op) {
	case isFloat64:
		n := nodes[float64]{float64s[level][op].leaves, joinsFloat64[level], stride, items, leaf}
		return n.reduce(as[float64](dst), as[float64](x), as[float64](scratch))
	case isFloat32:
		n := nodes[float32]{float32s[level][op].leaves, joinsFloat32[level], stride, items, leaf}
		return n.reduce(as[float32](dst), as[float32](x), as[float32](scratch))
	}
	return false
}

// nodes are Nodes with the kernels for that.
type nodes[U float32 | float64] struct {
	leaves              func(dst, x []U, leaf int)
	join                func(dst, sums []U) // takes len(dst) nodes of nodeLeaves leaves each
	stride, items, leaf int
}

// reduce is Nodes. A zero changes no sum, since none is -0: so there are zeros behind a leaf that is shorter, and
// instead of leaves that are not there.
func (n nodes[U]) reduce(dst, x, scratch []U) bool {
	if n.leaves == nil || n.items > callValues[U]() {
		return false
	}
	whole := n.items / n.leaf
	end := whole * n.leaf
	sums, last := scratch[:min(len(dst), nodesAtOnce)*nodeLeaves], scratch[NodesScratch:][:n.leaf]
	clear(sums)
	if end < n.items {
		clear(last)
	}
	for len(dst) > 0 {
		some := min(len(dst), nodesAtOnce)
		for k := range some {
			sums, x := sums[k*nodeLeaves:][:nodeLeaves], x[k*n.stride:][:n.items]
			n.leaves(sums[:whole], x[:end], n.leaf)
			if end < n.items {
				copy(last, x[end:])
				n.leaves(sums[whole:whole+1], last, n.leaf)
			}
		}
		n.join(dst[:some], sums)
		if dst = dst[some:]; len(dst) > 0 {
			x = x[some*n.stride:]
		}
	}
	return true
}

// NodesOfBoth is [Nodes] by Sum and by SumSq in one pass, for leaves of 16 to 256 bytes, or of one value. scratch is
// room for four leaves.
func NodesOfBoth[T kind.Number](sums, squares, x []T, stride, items, leaf, lanes int, scratch []T) bool {
	if items > nodeLeaves*leaf || len(scratch) < bothAtOnce*leaf || leavesOf(scratch, scratch, leaf, lanes) == 0 || len(sums) == 0 {
		return false
	}
	squares, x = squares[:len(sums)], x[:(len(sums)-1)*stride+items]
	switch elementOf[T](Sum) {
	case isFloat64:
		return nodesOfBoth(&bothFloat64[level], as[float64](sums), as[float64](squares), as[float64](x), stride, items, leaf, as[float64](scratch))
	case isFloat32:
		return nodesOfBoth(&bothFloat32[level], as[float32](sums), as[float32](squares), as[float32](x), stride, items, leaf, as[float32](scratch))
	}
	return false
}

// bothAtOnce is how many leaves the kernel of both sums takes at a time.
const bothAtOnce = 4

// leastOfBoth and mostOfBoth are the fewest and the most bytes of a leaf of several values that the kernel of both
// sums takes.
const leastOfBoth, mostOfBoth = 16, 8 * 32

// nodesOfBoth is NodesOfBoth with kernels for U. There are zeros behind the last leaves, as for [nodes].
func nodesOfBoth[U float32 | float64](k *both[U], sums, squares, x []U, stride, items, leaf int, scratch []U) bool {
	if bytes := leaf * int(unsafe.Sizeof(*new(U))); k.nodes == nil || leaf > 1 && bytes < leastOfBoth || bytes > mostOfBoth {
		return false
	}
	group := bothAtOnce * leaf
	last := scratch[:group]
	clear(last)
	most := max(callValues[U]()/max(items, 1), 1)
	if len(sums) <= most {
		k.nodes(sums, squares, x, stride, items/group, items%group, last, leaf)
		return true
	}
	inPieces(len(sums), most, func(begin, end int) {
		k.nodes(sums[begin:end], squares[begin:end], x[begin*stride:], stride, items/group, items%group, last, leaf)
	})
	return true
}

// JoinLeaves returns the sum of the sums of some leaves, at least one, that begin a node. It
// overwrites them. It takes two levels of the tree at a time: a level waits for the one below.
func JoinLeaves[T kind.Number](sums []T) T {
	for len(sums) > 1 {
		n := 0
		for ; len(sums)-4*n >= 4; n++ {
			four := (*[4]T)(sums[4*n:])
			sums[n] = (four[0] + four[1]) + (four[2] + four[3])
		}
		switch rest := sums[4*n:]; len(rest) {
		case 1:
			sums[n] = rest[0]
			n++
		case 2:
			sums[n] = rest[0] + rest[1]
			n++
		case 3:
			sums[n] = rest[0] + rest[1] + rest[2]
			n++
		}
		sums = sums[:n]
	}
	return sums[0]
}
