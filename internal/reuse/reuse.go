// Package reuse keeps the memory of one launch for the next.
package reuse

import "unsafe"

// Resize returns x with the given length, and what it has of its elements, those behind its
// length too.
func Resize[T any](x []T, n int) []T {
	if cap(x) < n {
		return append(x[:cap(x)], make([]T, n-cap(x))...)
	}
	return x[:n]
}

// maxKeptBytes is how much memory of a kind is kept from one launch to the next.
const maxKeptBytes = 1 << 17

// Wipe clears x and returns it, or nil if it is too large to be kept.
func Wipe[T any](x []T) []T {
	if cap(x) == 0 {
		return nil
	}
	if cap(x)*int(unsafe.Sizeof(*new(T))) > maxKeptBytes {
		return nil
	}
	clear(x)
	return x
}

// Kept returns x, or nil if it is too large to be kept. It is for values that refer to nothing.
func Kept[T any](x []T) []T {
	if cap(x)*int(unsafe.Sizeof(*new(T))) > maxKeptBytes {
		return nil
	}
	return x
}
