package simd

import "unsafe"

// callBytes is the most bytes of an operand that one kernel takes in one call. A kernel cannot
// be stopped, and the garbage collector waits for all goroutines to stop: 64 KiB take some
// microseconds from memory, and many times as long as the call itself from the L1 cache.
const callBytes = 1 << 16

// callValues returns how many values of T that is: a multiple of Lanes.
func callValues[T any]() int { return callBytes / int(unsafe.Sizeof(*new(T))) }

// inPieces calls f for 0 to n, at most so many at a time, in order. A call of f is a place
// where the goroutine stops if it is asked to: it would not be one if f were inlined, and
// there is none between kernels.
//
//go:noinline
func inPieces(n, most int, f func(begin, end int)) {
	for begin := 0; begin < n; begin += most {
		f(begin, min(begin+most, n))
	}
}
