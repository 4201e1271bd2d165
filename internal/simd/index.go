package simd

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/kind"
)

// finders look for a value in whole rows, and return the first index of the row where it
// is, or -1. They compare bits, so that one size serves all types.
type finders struct {
	of8 func(x []int64, value int64) int
	of4 func(x []int32, value int32) int
}

// Index returns the smallest k for which x[k] has the bits of value, or -1.
func Index[T kind.Real](x []T, value T) int {
	rows, k := len(x)&^(Lanes-1), 0
	if row, ok := find(&firstOnes[level], x[:rows], value); ok {
		k = row
		if row < 0 {
			k = rows
		}
	}
	for ; k < len(x); k++ {
		if sameBits(x[k], value) {
			return k
		}
	}
	return -1
}

// LastIndex returns the largest k for which x[k] has the bits of value, or -1.
func LastIndex[T kind.Real](x []T, value T) int {
	rows, k := len(x)&^(Lanes-1), len(x)-1
	for ; k >= rows; k-- {
		if sameBits(x[k], value) {
			return k
		}
	}
	if row, ok := find(&lastOnes[level], x[:rows], value); ok {
		k = row + Lanes - 1
		if row < 0 {
			return -1
		}
	}
	for ; k >= 0; k-- {
		if sameBits(x[k], value) {
			return k
		}
	}
	return -1
}

// find looks for a value in whole rows, if there is a kernel for values of that size.
func find[T kind.Real](f *finders, x []T, value T) (row int, ok bool) {
	if len(x) == 0 {
		return 0, false
	}
	switch p := unsafe.Pointer(&value); {
	case unsafe.Sizeof(value) == 8 && f.of8 != nil:
		return findIn(f.of8, as[int64](x), *(*int64)(p), f == &lastOnes[level]), true
	case unsafe.Sizeof(value) == 4 && f.of4 != nil:
		return findIn(f.of4, as[int32](x), *(*int32)(p), f == &lastOnes[level]), true
	}
	return 0, false
}

// findIn calls a kernel for the pieces of x until one has the value, from the last one on if
// that is asked for.
func findIn[U any](kernel func(x []U, value U) int, x []U, value U, last bool) (row int) {
	most := callValues[U]()
	if len(x) <= most {
		return kernel(x, value)
	}
	row = -1
	inPieces(len(x), most, func(begin, end int) {
		if row >= 0 {
			return
		}
		if last {
			begin, end = len(x)-end, len(x)-begin
		}
		if k := kernel(x[begin:end], value); k >= 0 {
			row = begin + k
		}
	})
	return row
}

func sameBits[T kind.Real](x, y T) bool {
	p, q := unsafe.Pointer(&x), unsafe.Pointer(&y)
	switch unsafe.Sizeof(x) {
	case 8:
		return *(*uint64)(p) == *(*uint64)(q)
	case 4:
		return *(*uint32)(p) == *(*uint32)(q)
	}
	return x == y // integers
}
