package atomics

import (
	"sync/atomic"
	"unsafe"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/internal/watch"
)

// Load returns *p.
//
//go:norace
func Load[T builtin.Real](p *T) T {
	watched(p, watch.Load)
	if words[T](p, 8) {
		return as[T](atomic.LoadUint64((*uint64)(unsafe.Pointer(p))))
	}
	if words[T](p, 4) {
		return as[T](atomic.LoadUint32((*uint32)(unsafe.Pointer(p))))
	}
	return lockedLoad(p)
}

// Store sets *p to x.
//
//go:norace
func Store[T builtin.Real](p *T, x T) {
	watched(p, watch.Store)
	if words[T](p, 8) {
		atomic.StoreUint64((*uint64)(unsafe.Pointer(p)), as[uint64](x))
		return
	}
	if words[T](p, 4) {
		atomic.StoreUint32((*uint32)(unsafe.Pointer(p)), as[uint32](x))
		return
	}
	lockedExchange(p, x)
}

// Exchange sets *p to x and returns what it was.
//
//go:norace
func Exchange[T builtin.Real](p *T, x T) T {
	watched(p, watch.Update)
	if words[T](p, 8) {
		return as[T](atomic.SwapUint64((*uint64)(unsafe.Pointer(p)), as[uint64](x)))
	}
	if words[T](p, 4) {
		return as[T](atomic.SwapUint32((*uint32)(unsafe.Pointer(p)), as[uint32](x)))
	}
	return lockedExchange(p, x)
}

// CompareExchange sets *p to x if it is old. It returns what *p was, and whether it was old.
//
// Floats are compared by their bits: -0 is not +0, and a NaN is itself.
//
//go:norace
func CompareExchange[T builtin.Real](p *T, old, x T) (was T, swapped bool) {
	for {
		if swap(p, old, x) {
			return old, true
		}
		if was = Load(p); !same(was, old) {
			return was, false
		}
	}
}

// Update sets *p to f(*p) and returns that. If *p changes meanwhile, f is called again
// with what it is then.
//
//go:norace
func Update[T builtin.Real](p *T, f func(T) T) T {
	for {
		old := Load(p)
		x := f(old)
		if swap(p, old, x) {
			return x
		}
	}
}

// swap sets *p to x if it has the bits of old, and reports whether it had.
//
//go:norace
func swap[T builtin.Real](p *T, old, x T) bool {
	if watch.On {
		watchedSwap(p, old)
	}
	if words[T](p, 8) {
		return atomic.CompareAndSwapUint64((*uint64)(unsafe.Pointer(p)), as[uint64](old), as[uint64](x))
	}
	if words[T](p, 4) {
		return atomic.CompareAndSwapUint32((*uint32)(unsafe.Pointer(p)), as[uint32](old), as[uint32](x))
	}
	return lockedSwap(p, old, x)
}

// watched tells of an operation, where the launch is watched.
//
//go:norace
func watched[T builtin.Real](p *T, does watch.Operation) {
	if watch.On {
		watch.Atomic(uintptr(unsafe.Pointer(p)), unsafe.Sizeof(*p), does)
	}
}

// watchedSwap tells of a swap, which only reads *p if it is not old.
//
//go:norace
func watchedSwap[T builtin.Real](p *T, old T) {
	if same(*p, old) {
		watched(p, watch.Update)
	} else {
		watched(p, watch.Load)
	}
}

// words reports whether the processor has operations for *p, which has that many bytes.
// The compiler knows the answer, but for the address of 8 bytes on 32-bit processors.
//
//go:norace
func words[T builtin.Real](p *T, bytes uintptr) bool {
	return unsafe.Sizeof(*p) == bytes && (bytes <= unsafe.Sizeof(bytes) || uintptr(unsafe.Pointer(p))%bytes == 0)
}

// as returns the bits of x as a B, which has as many.
//
//go:norace
func as[B, T any](x T) B { return *(*B)(unsafe.Pointer(&x)) }

// same reports whether a and b have the same bits.
//
//go:norace
func same[T builtin.Real](a, b T) bool {
	if !kind.IsFloat[T]() {
		return a == b
	}
	if unsafe.Sizeof(a) == 8 {
		return as[uint64](a) == as[uint64](b)
	}
	return as[uint32](a) == as[uint32](b)
}
