package npy

import (
	"encoding/binary"
	"slices"
	"unsafe"
)

// bigEndian says that the bytes of this machine's numbers are in the other order
// than those of a file.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// bytesOf returns the memory of x.
func bytesOf[T Element](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
}

// toNative turns little-endian elements into those of this machine, or back.
func toNative(p []byte, size int) {
	if bigEndian {
		reverse(p, size)
	}
}

// reverse reverses the bytes of each element.
func reverse(p []byte, size int) {
	for k := 0; size > 1 && k < len(p); k += size {
		slices.Reverse(p[k : k+size])
	}
}
