package simd

import (
	"bytes"
	"unsafe"
)

// The standard library has kernels that look for bytes, and a bool is a byte, 0 or 1.

// All reports whether all of x are true.
func All[T ~bool](x []T) bool { return !has(asBytes(x), 0) }

// Any reports whether any of x is true.
func Any[T ~bool](x []T) bool { return has(asBytes(x), 1) }

// Count returns how many of x are true.
func Count[T ~bool](x []T) (n int) {
	b := asBytes(x)
	inPieces(len(b), callBytes, func(begin, end int) { n += bytes.Count(b[begin:end], []byte{1}) })
	return n
}

// has reports whether x has that byte.
func has(x []byte, b byte) (found bool) {
	inPieces(len(x), callBytes, func(begin, end int) {
		found = found || bytes.IndexByte(x[begin:end], b) >= 0
	})
	return found
}

func asBytes[T ~bool](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}
