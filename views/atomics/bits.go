package atomics

import (
	"sync/atomic"
	"unsafe"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/watch"
)

// And sets *p to *p & x and returns that.
//
//go:norace
func And[T builtin.Integer](p *T, x T) T { return FetchAnd(p, x) & x }

// FetchAnd sets *p to *p & x and returns what it was.
//
//go:norace
func FetchAnd[T builtin.Integer](p *T, x T) T {
	if words[T](p, 8) {
		watched(p, watch.Update)
		return T(atomic.AndUint64((*uint64)(unsafe.Pointer(p)), uint64(x)))
	}
	if words[T](p, 4) {
		watched(p, watch.Update)
		return T(atomic.AndUint32((*uint32)(unsafe.Pointer(p)), uint32(x)))
	}
	for {
		if old := Load(p); swap(p, old, old&x) {
			return old
		}
	}
}

// Or sets *p to *p | x and returns that.
//
//go:norace
func Or[T builtin.Integer](p *T, x T) T { return FetchOr(p, x) | x }

// FetchOr sets *p to *p | x and returns what it was.
//
//go:norace
func FetchOr[T builtin.Integer](p *T, x T) T {
	if words[T](p, 8) {
		watched(p, watch.Update)
		return T(atomic.OrUint64((*uint64)(unsafe.Pointer(p)), uint64(x)))
	}
	if words[T](p, 4) {
		watched(p, watch.Update)
		return T(atomic.OrUint32((*uint32)(unsafe.Pointer(p)), uint32(x)))
	}
	for {
		if old := Load(p); swap(p, old, old|x) {
			return old
		}
	}
}

// Xor sets *p to *p ^ x and returns that.
//
//go:norace
func Xor[T builtin.Integer](p *T, x T) T { return FetchXor(p, x) ^ x }

// FetchXor sets *p to *p ^ x and returns what it was.
//
//go:norace
func FetchXor[T builtin.Integer](p *T, x T) T {
	for {
		if old := Load(p); swap(p, old, old^x) {
			return old
		}
	}
}
