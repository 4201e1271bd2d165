package simd

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/kind"
)

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
		if !joinAll(elementOf[T](Sum), Sum, first(all), len(all)) {
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

const (
	// nodeLeaves is how many leaves a node has for [Nodes] at most.
	nodeLeaves = 32
	// nodesAtOnce is how many nodes have their leaves joined in one call of a kernel.
	nodesAtOnce = 4
	// shortAtOnce is how many short leaves a kernel takes at a time.
	shortAtOnce = 4
	// leastShort and mostShort are the fewest and the most bytes of a short leaf, unless it is one value.
	leastShort, mostShort = 16, 8 * 32
	// NodesScratch is how many values Nodes needs besides those of a leaf: sums of leaves, or some short leaves.
	NodesScratch = max(nodesAtOnce*nodeLeaves, shortAtOnce*mostShort/4)
)

// nodes has the kernels of a level that reduce nodes. None of their sums is -0, so that a zero changes none: there are
// zeros behind a leaf that is shorter, and instead of leaves that are not there.
type nodes[T any] struct {
	join  func(dst, sums []T) // takes len(dst) nodes of nodeLeaves leaves each
	short [ops]ofShort[T]
}

// An ofShort takes n nodes of short leaves: so many whole groups of shortAtOnce leaves, and so many values more, which
// it copies to last, a group of zeros. A second sum goes that far apart from the first one.
type ofShort[T any] func(dst, x []T, n, apart, stride, whole, rest int, last []T, leaf int)

// A series is n nodes of one length, which begin a stride apart.
type series struct {
	op                     Op
	n, stride, items, leaf int
}

// Nodes sets dst[k] to the sum of the values x[k*stride:][:items], at least one: that of their leaves, as
// [Leaves] and [JoinLeaves] make it, where the last leaf may be shorter. By SumAndSq there are as many sums of squares
// behind the sums. It returns false, and does nothing, if there is no kernel, a node has more than 32 leaves, or scratch
// has less room than for a leaf and NodesScratch values. SumAndSq has kernels for leaves of 16 to 256 bytes, or of one
// value.
func Nodes[T kind.Number](op Op, dst, x []T, stride, items, leaf, lanes int, scratch []T) bool {
	s := series{op, len(dst), stride, items, leaf}
	if op == SumAndSq {
		s.n /= 2
	}
	if items < 1 || items > nodeLeaves*leaf || len(scratch) < NodesScratch+leaf || leavesOf(scratch, scratch, leaf, lanes) == 0 || s.n == 0 {
		return false
	}
	x = x[:(s.n-1)*stride+items]
	return nodesAll(elementOf[T](op), s, first(dst), first(x), first(scratch), len(dst), len(x), len(scratch))
}

// nodesAll is Nodes of slices of those lengths.
func nodesAll(e element, s series, dst, x, scratch unsafe.Pointer, n, m, l int) bool {
	switch e {
	case isFloat64:
		return reduceNodes(nodesFloat64[level], float64s[level][s.op].leaves, s,
			unsafe.Slice((*float64)(dst), n), unsafe.Slice((*float64)(x), m), unsafe.Slice((*float64)(scratch), l))
	case isFloat32:
		return reduceNodes(nodesFloat32[level], float32s[level][s.op].leaves, s,
			unsafe.Slice((*float32)(dst), n), unsafe.Slice((*float32)(x), m), unsafe.Slice((*float32)(scratch), l))
	}
	return false
}

// reduceNodes is Nodes with kernels for U.
func reduceNodes[U float32 | float64](k *nodes[U], leaves func(dst, x []U, leaf int), s series, dst, x, scratch []U) bool {
	switch bytes := s.leaf * int(unsafe.Sizeof(*new(U))); {
	case k == nil:
		return false
	case k.short[s.op] != nil && (s.leaf == 1 || bytes >= leastShort) && bytes <= mostShort:
		k.short[s.op].reduce(s, dst, x, scratch)
		return true
	case leaves == nil || s.items > callValues[U]():
		return false
	}
	k.reduce(leaves, s, dst, x, scratch)
	return true
}

// reduce reduces nodes of short leaves.
func (short ofShort[U]) reduce(s series, dst, x, scratch []U) {
	group := shortAtOnce * s.leaf
	last, whole, rest := scratch[:group], s.items/group, s.items%group
	clear(last)
	if most := callValues[U]() / s.items; s.n > most {
		inPieces(s.n, most, func(begin, end int) {
			short(dst[begin:], x[begin*s.stride:], end-begin, s.n, s.stride, whole, rest, last, s.leaf)
		})
	} else {
		short(dst, x, s.n, s.n, s.stride, whole, rest, last, s.leaf)
	}
}

// reduce reduces nodes of leaves that a kernel takes.
func (k *nodes[U]) reduce(leaves func(dst, x []U, leaf int), s series, dst, x, scratch []U) {
	whole := s.items / s.leaf
	end := whole * s.leaf
	sums, last := scratch[:min(s.n, nodesAtOnce)*nodeLeaves], scratch[NodesScratch:][:s.leaf]
	clear(sums)
	if end < s.items {
		clear(last)
	}
	for len(dst) > 0 {
		some := min(len(dst), nodesAtOnce)
		for k := range some {
			sums, x := sums[k*nodeLeaves:][:nodeLeaves], x[k*s.stride:][:s.items]
			leaves(sums[:whole], x[:end], s.leaf)
			if end < s.items {
				copy(last, x[end:])
				leaves(sums[whole:whole+1], last, s.leaf)
			}
		}
		k.join(dst[:some], sums)
		if dst = dst[some:]; len(dst) > 0 {
			x = x[some*s.stride:]
		}
	}
}
