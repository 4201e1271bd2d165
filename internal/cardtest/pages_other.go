//go:build !linux

package cardtest

import "unsafe"

// newPages returns bytes that begin at a multiple of 4096.
func newPages(bytes int) ([]byte, error) {
	x := make([]byte, bytes+4095)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(x)))) & 4095
	return x[skip : skip+bytes : skip+bytes], nil
}

func openPages([]byte) error { return nil }

func closePages([]byte) error { return nil }

func freePages([]byte) error { return nil }
