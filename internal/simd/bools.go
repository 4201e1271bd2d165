package simd

import (
	"bytes"
	"unsafe"
)

// The standard library has kernels that look for bytes, and a bool is a byte, 0 or 1.

// All reports whether all of x are true.
func All[T ~bool](x []T) bool { return bytes.IndexByte(asBytes(x), 0) < 0 }

// Any reports whether any of x is true.
func Any[T ~bool](x []T) bool { return bytes.IndexByte(asBytes(x), 1) >= 0 }

// Count returns how many of x are true.
func Count[T ~bool](x []T) int { return bytes.Count(asBytes(x), []byte{1}) }

func asBytes[T ~bool](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}
