package atomics

import (
	"sync"
	"unsafe"

	"github.com/gokkos/gokkos/builtin"
)

// locks stand in for operations that the processor does not have: on one or two bytes, and
// on 32-bit processors, on 8 bytes that are not aligned to 8. An address always has the
// same lock, and none is held while anything else runs, so there is no deadlock.
//
// An atomic on the aligned word around a byte would be faster, but it is an access to the
// neighbours too, which others may read and write without atomics.
var locks [64]struct {
	sync.Mutex
	_ [64 - unsafe.Sizeof(sync.Mutex{})]byte // a cache line each
}

// lock locks what *p is in, and returns the lock.
//
//go:norace
func lock[T any](p *T) *sync.Mutex {
	at := uintptr(unsafe.Pointer(p))
	m := &locks[(at^at>>6)%uintptr(len(locks))].Mutex
	m.Lock()
	return m
}

//go:norace
func lockedLoad[T builtin.Real](p *T) T {
	m := lock(p)
	x := *p
	m.Unlock()
	return x
}

//go:norace
func lockedExchange[T builtin.Real](p *T, x T) T {
	m := lock(p)
	old := *p
	*p = x
	m.Unlock()
	return old
}

//go:norace
func lockedSwap[T builtin.Real](p *T, old, x T) bool {
	m := lock(p)
	ok := same(*p, old)
	if ok {
		*p = x
	}
	m.Unlock()
	return ok
}
