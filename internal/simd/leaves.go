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
	switch elementOf[T](op) {
	case isFloat64:
		return leaves64(op, first(dst), first(x), n, leaf)
	case isFloat32:
		return leaves32(op, first(dst), first(x), n, leaf)
	}
	return 0
}

func leaves64(op Op, dst, x unsafe.Pointer, n, leaf int) int {
	return leaves(&float64s[level][op], dst, x, n, leaf)
}

func leaves32(op Op, dst, x unsafe.Pointer, n, leaf int) int {
	return leaves(&float32s[level][op], dst, x, n, leaf)
}

// leavesOf returns how many whole leaves of x there are, at most one for each of dst, and 0 if
// there is no kernel for leaves of that length and number of lanes.
func leavesOf[T any](dst, x []T, leaf, lanes int) int {
	if lanes != max(min(leaf/8, Lanes), 1) || leaf&(leaf-1) != 0 {
		return 0
	}
	return min(len(dst), len(x)/leaf)
}

// leaves is Leaves with kernels for U, for n leaves.
func leaves[U any](k *kernels[U], dst, x unsafe.Pointer, n, leaf int) int {
	most := callValues[U]() / leaf
	if k.leaves == nil || most == 0 {
		return 0
	}
	d, v := unsafe.Slice((*U)(dst), n), unsafe.Slice((*U)(x), n*leaf)
	if len(d) > most {
		inPieces(len(d), most, func(begin, end int) { k.leaves(d[begin:end], v[begin*leaf:end*leaf], leaf) })
	} else {
		k.leaves(d, v, leaf)
	}
	return n
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
