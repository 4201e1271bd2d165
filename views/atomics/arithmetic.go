package atomics

import (
	"sync/atomic"
	"unsafe"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/internal/watch"
)

// Add adds x to *p and returns the sum.
//
//go:norace
func Add[T builtin.Real](p *T, x T) T {
	if !kind.IsFloat[T]() && words[T](p, 8) {
		watched(p, watch.Update)
		return T(atomic.AddUint64((*uint64)(unsafe.Pointer(p)), uint64(x)))
	}
	if !kind.IsFloat[T]() && words[T](p, 4) {
		watched(p, watch.Update)
		return T(atomic.AddUint32((*uint32)(unsafe.Pointer(p)), uint32(x)))
	}
	_, sum := add(p, x)
	return sum
}

// FetchAdd adds x to *p and returns what it was.
//
//go:norace
func FetchAdd[T builtin.Real](p *T, x T) T {
	if !kind.IsFloat[T]() {
		return Add(p, x) - x
	}
	old, _ := add(p, x)
	return old
}

// add is one of the loops that differ in their operation only. They are written out: one loop
// that is given a function calls it, which takes as long as the rest of an operation that
// writes nothing.
//
//go:norace
func add[T builtin.Real](p *T, x T) (old, sum T) {
	for {
		old = Load(p)
		if sum = old + x; swap(p, old, sum) {
			return old, sum
		}
	}
}

// Sub subtracts x from *p and returns the difference.
//
//go:norace
func Sub[T builtin.Real](p *T, x T) T { return Add(p, -x) }

// FetchSub subtracts x from *p and returns what it was.
//
//go:norace
func FetchSub[T builtin.Real](p *T, x T) T { return FetchAdd(p, -x) }

// Mul multiplies *p by x and returns the product.
//
//go:norace
func Mul[T builtin.Real](p *T, x T) T {
	_, product := mul(p, x)
	return product
}

// FetchMul multiplies *p by x and returns what it was.
//
//go:norace
func FetchMul[T builtin.Real](p *T, x T) T {
	old, _ := mul(p, x)
	return old
}

//go:norace
func mul[T builtin.Real](p *T, x T) (old, product T) {
	for {
		old = Load(p)
		if product = old * x; swap(p, old, product) {
			return old, product
		}
	}
}

// Min sets *p to min(*p, x) and returns that. It writes only what is new.
//
//go:norace
func Min[T builtin.Real](p *T, x T) T {
	_, least := minimum(p, x)
	return least
}

// FetchMin sets *p to min(*p, x) and returns what it was. It writes only what is new.
//
//go:norace
func FetchMin[T builtin.Real](p *T, x T) T {
	old, _ := minimum(p, x)
	return old
}

//go:norace
func minimum[T builtin.Real](p *T, x T) (old, least T) {
	for {
		old = Load(p)
		if least = min(old, x); same(least, old) || swap(p, old, least) {
			return old, least
		}
	}
}

// Max sets *p to max(*p, x) and returns that. It writes only what is new.
//
//go:norace
func Max[T builtin.Real](p *T, x T) T {
	_, most := maximum(p, x)
	return most
}

// FetchMax sets *p to max(*p, x) and returns what it was. It writes only what is new.
//
//go:norace
func FetchMax[T builtin.Real](p *T, x T) T {
	old, _ := maximum(p, x)
	return old
}

//go:norace
func maximum[T builtin.Real](p *T, x T) (old, most T) {
	for {
		old = Load(p)
		if most = max(old, x); same(most, old) || swap(p, old, most) {
			return old, most
		}
	}
}
